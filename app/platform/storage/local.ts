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
import {
  type Bucket,
  buckets,
  isKey,
  type LocalStorage,
  type OpenFile,
  requireKey,
  sizeOf,
} from "./storage.ts";

/** Partial copies younger than this may be another machine's: many may share the folder. */
const partLifetimeMs = 24 * 3600 * 1000;

export function localStorage(root: string, secret: string): LocalStorage {
  const partsFolder = path.join(root, "parts");
  const openFiles = new OpenFiles();

  const place = (bucket: Bucket, key: string) => path.join(root, bucket, key);

  async function settle(bucket: Bucket, key: string, source: string) {
    requireKey(key);
    const file = place(bucket, key);
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
      const found = isKey(key) ? await orNull(stat(place(bucket, key))) : null;
      return found?.isFile() ? { size: found.size, modifiedAt: found.mtime } : null;
    },
    pathOf(bucket, key) {
      requireKey(key);
      return place(bucket, key);
    },
    async lend(bucket, key) {
      return isKey(key) ? orNull(openFiles.lend(place(bucket, key))) : null;
    },
    async open(bucket, key) {
      return isKey(key) ? openLocalFile(place(bucket, key)) : null;
    },
    async remove(bucket, key) {
      if (!isKey(key)) return;
      await orNull(unlink(place(bucket, key)));
      openFiles.forget(place(bucket, key));
    },
    signedUrl: async (bucket, key, now, name) => signMediaUrl(secret, bucket, key, now, name),
  };
}

/** Null where there is no file. */
export async function openLocalFile(file: string): Promise<OpenFile | null> {
  const handle = await orNull(openFile(file));
  if (!handle) return null;
  const found = await handle.stat();
  if (!found.isFile()) {
    await handle.close();
    return null;
  }
  const { size } = found;
  return {
    size,
    async read(offset, length) {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - offset)));
      let filled = 0;
      while (filled < bytes.length) {
        const left = bytes.length - filled;
        const { bytesRead } = await handle.read(bytes, filled, left, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
    close: () => handle.close(),
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

/** Null for what is not there. */
export async function orNull<T>(promise: Promise<T>): Promise<T | null> {
  return promise.catch((error: NodeJS.ErrnoException) => {
    if (absent.has(error.code ?? "")) return null;
    throw error;
  });
}
