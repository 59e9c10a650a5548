import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import type { Bucket } from "~/platform/storage/storage.ts";
import { type MediaKind, mediaBuckets } from "./messages.ts";

/** A URL of a lesson's media, valid for 3600 seconds (spec 9). Null without a file, or if storage
 * does not answer within two seconds: this is logged, and the media is not shown (spec 8). */
export async function mediaUrl(
  { storage, clock, log }: Services,
  bucket: Bucket,
  key: string | null,
  name?: string,
): Promise<string | null> {
  if (!key) return null;
  try {
    if (await storage.find(bucket, key))
      return await storage.signedUrl(bucket, key, clock.now(), name);
    log.warn({ bucket, key }, "a lesson's media file is missing");
  } catch (error) {
    log.error({ err: error, bucket, key }, "no address for a lesson's media");
  }
  return null;
}

/** What was made of a film: its smaller ones, and its sound. */
export function renditionsOf(db: Query, filmId: string) {
  return db
    .selectFrom("mediaFiles")
    .select(["bucket", "key", "rendition"])
    .where("renditionOf", "=", filmId)
    .orderBy("id", "desc")
    .execute();
}

type MediaKeys = Record<MediaKind, string | null>;

/** The keys of a lesson's video and audio. */
export async function mediaKeys(db: Query, lessonId: string): Promise<MediaKeys> {
  const lesson = await db
    .selectFrom("lessons")
    .select(["muxPlaybackId as video", "audioKey as audio"])
    .where("id", "=", lessonId)
    .executeTakeFirst();
  return lesson ?? newestKeys(db, lessonId);
}

/** The files that a lesson takes over when it is saved: those of the uploads begun last. */
export async function newestKeys(db: Query, lessonId: string): Promise<MediaKeys> {
  const files = await db
    .selectFrom("mediaFiles")
    .select(["bucket", "key"])
    .where("lessonId", "=", lessonId)
    .orderBy("id")
    .execute();
  const newest = (kind: MediaKind) =>
    files.findLast(({ bucket }) => bucket === mediaBuckets[kind])?.key ?? null;
  return { video: newest("video"), audio: newest("audio") };
}
