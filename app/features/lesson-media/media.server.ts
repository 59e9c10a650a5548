import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import type { Bucket } from "~/platform/storage/storage.ts";
import type { UploadRow } from "~/platform/uploads/rows.ts";
import type { MediaKind } from "./messages.ts";
import { kindOfBucket } from "./rules.ts";
import type { LessonMedia, MediaFile, OpenUpload } from "./schema.ts";

/** A URL of a lesson's media, valid for 3600 seconds (spec 9). Null without a file, or if storage
 * does not answer within two seconds: this is logged, and the media is not shown (spec 8). */
export async function mediaUrl(
  { storage, clock, log }: Services,
  bucket: Bucket,
  key: string | null,
): Promise<string | null> {
  if (!key) return null;
  try {
    if (await storage.find(bucket, key)) return await storage.signedUrl(bucket, key, clock.now());
    log.warn({ bucket, key }, "a lesson's media file is missing");
  } catch (error) {
    log.error({ err: error, bucket, key }, "no address for a lesson's media");
  }
  return null;
}

const fileColumns = [
  "id",
  "bucket",
  "key",
  "fileName",
  "contentType",
  "size",
  "durationMs",
  "createdAt",
] as const;

/** The file that an upload became; null if it has not become one. */
export async function fileOfUpload({ db }: Services, uploadId: string): Promise<MediaFile | null> {
  const file = await db.write
    .selectFrom("mediaFiles")
    .select(fileColumns)
    .where("id", "=", uploadId)
    .executeTakeFirst();
  return (file as MediaFile | undefined) ?? null;
}

/** The newest files uploaded for a lesson, saved or not: those begun last. */
export async function newestFiles(
  db: Query,
  lessonId: string,
): Promise<Record<MediaKind, MediaFile | null>> {
  const files = (await db
    .selectFrom("mediaFiles")
    .select(fileColumns)
    .where("lessonId", "=", lessonId)
    .orderBy("id")
    .execute()) as MediaFile[];
  const newest = (kind: MediaKind) =>
    files.findLast(({ bucket }) => kindOfBucket(bucket) === kind) ?? null;
  return { video: newest("video"), audio: newest("audio") };
}

/** A lesson's media and open uploads; the lesson may not be saved yet. */
export async function listLessonMedia(services: Services, lessonId: string): Promise<LessonMedia> {
  const { read } = services.db;
  const [lesson, newest, uploads] = await Promise.all([
    read
      .selectFrom("lessons")
      .select(["muxPlaybackId", "audioKey", "videoCaptions", "videoTranscript", "audioTranscript"])
      .where("id", "=", lessonId)
      .executeTakeFirst(),
    newestFiles(read, lessonId),
    listOpenUploads(services, lessonId),
  ]);
  const fileOf = async (kind: MediaKind, key: string | null) => ({
    key,
    file: newest[kind]?.key === key ? newest[kind] : await fileByKey(services, key),
  });
  const [video, audio] = await Promise.all([
    fileOf("video", lesson ? lesson.muxPlaybackId : (newest.video?.key ?? null)),
    fileOf("audio", lesson ? lesson.audioKey : (newest.audio?.key ?? null)),
  ]);
  return {
    video: {
      ...video,
      captions: lesson?.videoCaptions ?? null,
      transcript: lesson?.videoTranscript ?? null,
    },
    audio: { ...audio, captions: null, transcript: lesson?.audioTranscript ?? null },
    uploads,
  };
}

/** A copied lesson plays the files of its original. */
async function fileByKey({ db }: Services, key: string | null): Promise<MediaFile | null> {
  if (!key) return null;
  const file = await db.read
    .selectFrom("mediaFiles")
    .select(fileColumns)
    .where("key", "=", key)
    .executeTakeFirst();
  return (file as MediaFile | undefined) ?? null;
}

/** Uploads for a lesson that have not become files, newest first. */
export async function listOpenUploads(services: Services, lessonId: string): Promise<OpenUpload[]> {
  const rows = (await services.db.read
    .selectFrom("uploads")
    .selectAll()
    .where("lessonId", "=", lessonId)
    .where("finishedAt", "is", null)
    .orderBy("id", "desc")
    .execute()) as UploadRow[];
  return Promise.all(
    rows.map(async (row) => {
      const { id, fileName, size, reason, createdAt } = row;
      const received = row.refusedAt ? 0 : ((await services.uploads.received(row)) ?? 0);
      const state = row.refusedAt ? "refused" : received === size ? "complete" : "open";
      const kind = kindOfBucket(row.bucket);
      return { id, kind, fileName, size, received, state, reason, createdAt } as const;
    }),
  );
}
