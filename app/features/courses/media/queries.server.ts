import type { Services } from "~/platform/services.ts";
import type { Bucket } from "~/platform/storage/storage.ts";

/**
 * An address for one lesson's video or audio, good for 3600 seconds (spec 9). Null when
 * there is no such file: that is logged, and the media is not shown (spec 8).
 */
export async function mediaUrl(
  { storage, clock, log }: Services,
  bucket: Bucket,
  key: string | null,
): Promise<string | null> {
  if (!key) return null;
  if (await storage.find(bucket, key)) return storage.signedUrl(bucket, key, clock.now());
  log.warn({ bucket, key }, "a lesson's media file is missing");
  return null;
}
