import { constants } from "node:fs";
import {
  copyFile,
  mkdir,
  open as openFile,
  readdir,
  rename,
  rm,
  stat,
  unlink,
} from "node:fs/promises";
import path from "node:path";
import { newId } from "../db/ids.ts";
import { OpenFiles } from "./open-files.ts";
import { signMediaUrl } from "./signature.ts";
import { type Bucket, buckets, isKey, type LocalStorage, sizeOf } from "./storage.ts";

/** Partial copies younger than this may be another machine's: many may share the folder. */
const partLifetimeMs = 24 * 3600 * 1000;

export function localStorage(root: string, secret: string): LocalStorage {
  const partsFolder = path.join(root, "parts");
  const openFiles = new OpenFiles();

  function place(bucket: Bucket, key: string): string | null {
    return isKey(key) ? path.join(root, bucket, key) : null;
  }

  async function settle(bucket: Bucket, key: string, source: string) {
    const file = place(bucket, key);
    if (!file) throw new Error(`not a storage key: ${key}`);
    await sizeOf(source);
    await flush(source);
    const folder = path.dirname(file);
    await mkdir(folder, { recursive: true });
    await rename(source, file);
    openFiles.forget(file);
    await flush(folder);
  }

  async function putFile(bucket: Bucket, key: string, source: string) {
    await mkdir(partsFolder, { recursive: true });
    const part = path.join(partsFolder, newId());
    try {
      await copyFile(source, part, constants.COPYFILE_FICLONE);
      await settle(bucket, key, part);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
  }

  async function locate(bucket: Bucket, key: string) {
    const file = place(bucket, key);
    if (!file) return null;
    const found = await orNull(stat(file));
    return found?.isFile() ? { path: file, size: found.size, at: found.mtime } : null;
  }

  async function lend(bucket: Bucket, key: string) {
    const file = place(bucket, key);
    return file ? orNull(openFiles.lend(file)) : null;
  }

  return {
    kind: "local",
    async prepare() {
      for (const name of [...buckets, "parts"])
        await mkdir(path.join(root, name), { recursive: true });
      const oldest = Date.now() - partLifetimeMs;
      for (const name of await readdir(partsFolder)) {
        const part = path.join(partsFolder, name);
        const found = await orNull(stat(part));
        if (found && found.mtimeMs < oldest) await rm(part, { force: true });
      }
    },
    putFile,
    async moveFile(bucket, key, source) {
      try {
        await settle(bucket, key, source);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
        await putFile(bucket, key, source);
        await unlink(source);
      }
    },
    async find(bucket, key) {
      const found = await locate(bucket, key);
      return found && { size: found.size, modifiedAt: found.at };
    },
    lend,
    async open(bucket, key) {
      const found = await locate(bucket, key);
      const handle = found && (await orNull(openFile(found.path)));
      if (!handle) return null;
      return {
        size: found.size,
        async read(offset, length) {
          const bytes = Buffer.alloc(Math.max(0, Math.min(length, found.size - offset)));
          let filled = 0;
          while (filled < bytes.length) {
            const { bytesRead } = await handle.read(
              bytes,
              filled,
              bytes.length - filled,
              offset + filled,
            );
            if (bytesRead === 0) break;
            filled += bytesRead;
          }
          return bytes.subarray(0, filled);
        },
        close: () => handle.close(),
      };
    },
    async remove(bucket, key) {
      const file = place(bucket, key);
      if (!file) return;
      await orNull(unlink(file));
      openFiles.forget(file);
    },
    signedUrl: async (bucket, key, now) => signMediaUrl(secret, bucket, key, now),
  };
}

async function flush(name: string) {
  const handle = await openFile(name, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const absent = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "EISDIR"]);

async function orNull<T>(promise: Promise<T>): Promise<T | null> {
  return promise.catch((error: NodeJS.ErrnoException) => {
    if (absent.has(error.code ?? "")) return null;
    throw error;
  });
}
