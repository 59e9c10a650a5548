import { copyFile, mkdir, open, rename, stat } from "node:fs/promises";
import path from "node:path";
import { newId } from "../db/ids.ts";
import { signMediaUrl } from "./signature.ts";
import type { Bucket, Storage } from "./storage.ts";

/** Media in a folder, one folder a bucket. */
export function localStorage(root: string, secret: string): Storage {
  function locate(bucket: Bucket, key: string): string | null {
    const folder = path.join(root, bucket);
    const file = path.join(folder, key);
    return file.startsWith(folder + path.sep) && !key.includes("\0") ? file : null;
  }
  return {
    async putFile(bucket, key, source) {
      const file = locate(bucket, key);
      if (!file) throw new Error(`not a storage key: ${key}`);
      await mkdir(path.dirname(file), { recursive: true });
      const part = `${file}.${newId()}.part`;
      await copyFile(source, part);
      const handle = await open(part, "r+");
      await handle.sync();
      await handle.close();
      await rename(part, file);
    },
    async find(bucket, key) {
      const file = locate(bucket, key);
      if (!file) return null;
      const found = await stat(file).catch(() => null);
      return found?.isFile() ? { path: file, size: found.size, modifiedAt: found.mtime } : null;
    },
    signedUrl: (bucket, key, now) => signMediaUrl(secret, bucket, key, now),
  };
}
