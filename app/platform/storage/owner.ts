import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Services } from "../services.ts";
import { siteId } from "../site-id.ts";
import { type Bucket, buckets } from "./storage.ts";

type Needed = Pick<Services, "db" | "clock" | "storage" | "log">;

/** Says in each bucket which database its files belong to. */
const marker = ".site";

/**
 * Whether all buckets belong to this database, so that it may judge what in them is of no use.
 * One that belongs to nobody does from now on. A database that is restored or moves keeps its id;
 * a new or another one is told here that the files are not its own, which is logged.
 */
export async function ownsStorage(services: Needed): Promise<boolean> {
  const id = await siteId(services);
  for (const bucket of buckets) {
    const owner = (await ownerOf(services, bucket)) ?? (await claim(services, bucket, id));
    if (owner === id) continue;
    services.log.warn(
      { bucket, owner, site: id },
      "the stored media belong to another database: what this one does not know is left alone",
    );
    return false;
  }
  return true;
}

async function ownerOf({ storage }: Needed, bucket: Bucket): Promise<string | null> {
  const file = await storage.open(bucket, marker);
  if (!file) return null;
  try {
    return new TextDecoder().decode(await file.read(0, file.size)).trim();
  } finally {
    await file.close();
  }
}

/** @returns who has it then: somebody else may have come at the same time */
async function claim(services: Needed, bucket: Bucket, id: string): Promise<string | null> {
  const folder = await mkdtemp(path.join(tmpdir(), "site-"));
  try {
    const source = path.join(folder, marker);
    await writeFile(source, id);
    await services.storage.putFile(bucket, marker, source);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return ownerOf(services, bucket);
}
