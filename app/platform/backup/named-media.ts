import type { Query } from "../db/database.ts";
import { openSqlite } from "../db/sqlite.ts";
import { pictureKeys, shareCardKey } from "../pictures/keys.ts";
import {
  type Bucket,
  isKey,
  type OpenFile,
  recordingKey,
  type Storage,
  sealedBucket,
  sealedKey,
} from "../storage/storage.ts";

export type NamedFile = { bucket: Bucket; key: string };

/** The files that a database references: uploaded, of lessons, deleted or not, of journals and of the
 * newsletter. */
export async function namedIn(db: Query): Promise<NamedFile[]> {
  const files = await db.selectFrom("mediaFiles").select(["bucket", "key"]).execute();
  const lessons = await db.selectFrom("lessons").select(["muxPlaybackId", "audioKey"]).execute();
  const journal = await db
    .selectFrom("journalPictures")
    .select("id")
    .where("userId", "is not", null)
    .where("storedAt", "is not", null)
    .where("deletedAt", "is", null)
    .execute();
  const pictures = await db.selectFrom("pictures").selectAll().execute();
  const cards = await db.selectFrom("shareCards").select("name").execute();
  const recordings = await db.selectFrom("recordings").select(["hash", "type"]).execute();
  const named = new Map<string, NamedFile>();
  const add = (bucket: string, key: string | null) => {
    if (key !== null && isKey(key))
      named.set(`${bucket} ${key}`, { bucket: bucket as Bucket, key });
  };
  for (const { bucket, key } of files) add(bucket, key);
  for (const { id } of journal) add(sealedBucket, sealedKey(id));
  for (const key of pictures.flatMap(pictureKeys)) add("pictures", key);
  for (const recording of recordings) add("course-audio", recordingKey(recording));
  for (const { name } of cards) add("pictures", name && shareCardKey(name));
  for (const { muxPlaybackId, audioKey } of lessons) {
    add("course-videos", muxPlaybackId);
    add("course-audio", audioKey);
  }
  return [...named.values()];
}

export async function namedMedia(file: string): Promise<NamedFile[]> {
  const db = openSqlite(file, "read");
  try {
    return await namedIn(db);
  } finally {
    await db.destroy();
  }
}

const pieceBytes = 4 * 1024 * 1024;

export async function* piecesOf(file: OpenFile): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < file.size; ) {
    const piece = await file.read(from, pieceBytes);
    if (piece.length === 0) throw new Error("a stored file ended early");
    yield piece;
    from += piece.length;
  }
}

export async function withFile<T>(
  storage: Storage,
  { bucket, key }: NamedFile,
  use: (file: OpenFile) => Promise<T>,
): Promise<T | null> {
  const file = await storage.open(bucket, key);
  if (!file) return null;
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}
