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
import { openLocalFile, orNull } from "../storage/local.ts";
import { buckets, type Storage } from "../storage/storage.ts";
import { orNoRoom, type UploadBytes, type UploadPlace } from "./bytes.ts";

const reserveBytes = 200e6;

/** Free bytes on the disk of DATA_DIR, less what is reserved for the database. */
export async function roomIn(dataDir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize - reserveBytes;
}

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
      const part = await orNull(stat(partOf(place)));
      return (part ?? (await storage.find(place.bucket, place.key)))?.size ?? null;
    },
    async open(place) {
      const part = await openLocalFile(partOf(place));
      const file = part ?? (await storage.open(place.bucket, place.key));
      if (!file) throw new Error(`the bytes of upload ${place.id} are gone`);
      return file;
    },
    async settle(place) {
      try {
        await storage.moveFile(place.bucket, place.key, partOf(place));
      } catch (error) {
        // Another request was faster, or there was a crash before this was recorded.
        const there = await storage.find(place.bucket, place.key);
        if (codeOf(error) !== "ENOENT" || there?.size !== place.size) throw error;
      }
    },
    async discard(place) {
      await rm(partOf(place), { force: true });
      await storage.remove(place.bucket, place.key);
    },
    room: () => roomIn(dataDir),
    async *everything() {
      for (const uploadId of await filesIn(folder)) yield [{ what: "part", uploadId }];
      for (const bucket of buckets) {
        const root = path.join(dataDir, "media", bucket);
        for (const name of (await orNull(readdir(root))) ?? [])
          yield (await filesIn(path.join(root, name))).map(
            (file) => ({ what: "file", bucket, key: `${name}/${file}`, uploadId: null }) as const,
          );
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

async function filesIn(folder: string): Promise<string[]> {
  const entries = (await orNull(readdir(folder, { withFileTypes: true }))) ?? [];
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
