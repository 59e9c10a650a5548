import { randomBytes } from "node:crypto";
import { closeSync, mkdtempSync, openSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { signMediaUrl } from "~/platform/storage/signature.ts";
import type { Bucket } from "~/platform/storage/storage.ts";
import { startSite } from "../../support/site.ts";

export type MediaSite = Awaited<ReturnType<typeof startMediaSite>>;

/** A site whose folder has some media: a thousand bytes that differ, none, and a lot. */
export async function startMediaSite() {
  const site = await startSite();
  const { storage, config, clock } = site.services;
  const folder = mkdtempSync(path.join(config.dataDir, "sources-"));
  const size = 1000;
  const bytes = Buffer.from(Array.from({ length: size }, (_, index) => index % 251));
  const bigSize = 300 * 1024 * 1024;

  async function place(bucket: Bucket, key: string, content: Uint8Array | number) {
    const source = path.join(folder, randomBytes(8).toString("hex"));
    if (typeof content === "number") {
      closeSync(openSync(source, "w"));
      truncateSync(source, content);
    } else writeFileSync(source, content);
    await storage.moveFile(bucket, key, source);
  }
  await place("course-audio", "m/sound.mp3", bytes);
  await place("course-audio", "m/none.mp3", new Uint8Array());
  await place("course-audio", "m/a b#?%ü&'\"+.mp3", bytes);
  await place("course-videos", "m/film.mp4", bytes);
  await place("course-videos", "m/big.mp4", bigSize);

  /** An address signed now, or at another time; also for buckets and keys that no one would sign. */
  const signed = (key = "m/sound.mp3", bucket: string = "course-audio", at = clock.now()) =>
    signMediaUrl(config.authSecret, bucket, key, at);
  return {
    ...site,
    size,
    bytes,
    bigSize,
    place,
    signed,
    part: (headers: Record<string, string>, method = "GET", address = signed()) =>
      site.ask(address, { headers, method }),
  };
}

export const bodyOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
