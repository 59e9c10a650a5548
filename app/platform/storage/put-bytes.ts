import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Bucket, Storage } from "./storage.ts";

/** Stores bytes that are in memory, whole or not at all. */
export async function putBytes(
  storage: Storage,
  { bucket, key }: { bucket: Bucket; key: string },
  bytes: Uint8Array | string,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "site-"));
  try {
    const source = path.join(folder, "bytes");
    await writeFile(source, bytes);
    await storage.putFile(bucket, key, source);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
