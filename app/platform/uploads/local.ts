import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  rm,
  stat,
  statfs,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { buckets, type OpenFile, type Storage } from "../storage/storage.ts";
import { NoRoom, type StoredBytes, type UploadBytes, type UploadPlace } from "./bytes.ts";

const reserveBytes = 200e6;

/** Uploads in DATA_DIR/uploads, one file each; complete ones move to DATA_DIR/media without a copy.
 * A file's length is how much has arrived: nothing can disagree with it. */
export function localUploads(dataDir: string, storage: Storage): UploadBytes {
  const folder = path.join(dataDir, "uploads");
  const partOf = ({ id }: UploadPlace) => path.join(folder, id);

  return {
    async begin(place) {
      await mkdir(folder, { recursive: true });
      await orNoRoom(writeFile(path.join(folder, place.id), "", { flag: "wx" }));
      return null;
    },
    async append(place, offset, source) {
      const file = await open(partOf(place), "r+");
      try {
        let end = offset;
        for await (const bytes of source) end = await orNoRoom(writeAll(file, bytes, end));
        await file.sync();
        return end;
      } finally {
        await file.close();
      }
    },
    async received(place) {
      return (
        (await sizeOf(partOf(place))) ?? (await storage.find(place.bucket, place.key))?.size ?? null
      );
    },
    async open(place) {
      const file = (await openPart(partOf(place))) ?? (await storage.open(place.bucket, place.key));
      if (!file) throw new Error(`the bytes of upload ${place.id} are gone`);
      return file;
    },
    async settle(place) {
      try {
        await storage.moveFile(place.bucket, place.key, partOf(place));
      } catch (error) {
        // Another request was faster, or there was a crash before this was recorded.
        const there = isMissing(error) && (await storage.find(place.bucket, place.key));
        if (!there || there.size !== place.size) throw error;
      }
    },
    async discard(place) {
      await rm(partOf(place), { force: true });
      await storage.remove(place.bucket, place.key);
    },
    async room() {
      const { bavail, bsize } = await statfs(dataDir);
      return bavail * bsize - reserveBytes;
    },
    async *everything() {
      for (const id of await filesIn(folder)) yield [{ what: "part", uploadId: id }];
      for (const bucket of buckets) {
        const root = path.join(dataDir, "media", bucket);
        for (const name of await namesIn(root)) {
          const keys = await filesIn(path.join(root, name));
          yield keys.map(
            (file): StoredBytes => ({
              what: "file",
              bucket,
              key: `${name}/${file}`,
              uploadId: null,
            }),
          );
        }
      }
    },
    async sweep(stored) {
      if (stored.what === "part") await rm(path.join(folder, stored.uploadId), { force: true });
      if (stored.what === "file") await storage.remove(stored.bucket, stored.key);
    },
  };
}

async function writeAll(file: FileHandle, bytes: Uint8Array, start: number): Promise<number> {
  let written = 0;
  while (written < bytes.length) {
    const left = bytes.length - written;
    written += (await file.write(bytes, written, left, start + written)).bytesWritten;
  }
  return start + written;
}

async function openPart(file: string): Promise<OpenFile | null> {
  const handle = await open(file).catch(nullIfMissing);
  if (!handle) return null;
  const { size } = await handle.stat();
  return {
    size,
    async read(position, length) {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - position)));
      let filled = 0;
      while (filled < bytes.length) {
        const left = bytes.length - filled;
        const { bytesRead } = await handle.read(bytes, filled, left, position + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
    close: () => handle.close(),
  };
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(nullIfMissing)) ?? [];
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(nullIfMissing)) ?? [];
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function sizeOf(file: string): Promise<number | null> {
  return (await stat(file).catch(nullIfMissing))?.size ?? null;
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
const isMissing = (error: unknown) => codeOf(error) === "ENOENT";

function nullIfMissing(error: unknown): null {
  if (isMissing(error) || codeOf(error) === "ENOTDIR") return null;
  throw error;
}

/** Turns the error of a full disk into NoRoom. */
async function orNoRoom<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    if (codeOf(error) === "ENOSPC" || codeOf(error) === "EDQUOT")
      throw new NoRoom("the disk is full", { cause: error });
    throw error;
  }
}
