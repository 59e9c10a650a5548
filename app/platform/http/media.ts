import { createHash } from "node:crypto";
import { logRefusal } from "../log/log.ts";
import { contentType, disposition } from "../storage/content-type.ts";
import type { LentFile } from "../storage/open-files.ts";
import { verifyMediaUrl } from "../storage/signature.ts";
import { type Bucket, buckets, type OpenFile, sealedBucket } from "../storage/storage.ts";
import { matchesTag, parseRange, type Range } from "./send-file.ts";
import type { Services } from "./services.ts";

type Answer<F> = {
  status: number;
  headers: Record<string, string>;
  body: { file: F; range: Range } | null;
};

/** The sender must call `giveBack` on the file. */
export type MediaAnswer = Answer<LentFile>;

/** 403 for a bad or expired signature, 404 without a file, 206 for a range, 416 for a bad one. */
export async function answerMedia(services: Services, request: Request): Promise<MediaAnswer> {
  const { storage, config, clock } = services;
  const url = new URL(request.url);
  const [, , bucket = "", ...rest] = url.pathname.split("/");
  const key = decoded(rest.join("/"));
  const address = {
    bucket,
    key: key ?? "",
    expires: url.searchParams.get("expires"),
    signature: url.searchParams.get("signature"),
    name: url.searchParams.get("name"),
  };
  if (key === null || !verifyMediaUrl(config.authSecret, address, clock.now())) {
    const isOver = Number(address.expires) * 1000 <= clock.now().getTime();
    if (!address.expires || !isOver) logRefusal(services.log, "signature", "media");
    return refusal(403);
  }
  if (bucket === sealedBucket) return refusal(404);
  if (storage.kind !== "local" || !buckets.includes(bucket as Bucket)) return refusal(404);
  const file = await storage.lend(bucket as Bucket, key);
  if (!file) return refusal(404);
  const answer = answerFile(request, address, file);
  if (!answer.body) file.giveBack();
  return answer;
}

const recording = /^\/recordings\/([\da-f]{32}\.(?:mp3|m4a|aac|ogg))$/;

/** A recording of the newsletter, cached for good, since another one has another hash. Null for an
 * address that is none. From S3 it comes through this server: pages in caches and emails can hold no
 * address that expires. The sender gives the file back, or closes it. */
export async function answerRecording(
  { storage }: Services,
  request: Request,
): Promise<Answer<LentFile | OpenFile> | null> {
  const [, name] = recording.exec(new URL(request.url).pathname) ?? [];
  if (!name) return null;
  const address = { bucket: "course-audio" as const, key: `newsletter/${name}`, name: null };
  const file =
    storage.kind === "local"
      ? await storage.lend(address.bucket, address.key)
      : await storage.open(address.bucket, address.key);
  if (!file) return refusal(404);
  const answer = answerFile<LentFile | OpenFile>(request, address, file);
  if (!answer.body) await ("close" in file ? file.close() : file.giveBack());
  if (answer.status >= 400) return answer;
  const { "X-Robots-Tag": _, ...headers } = answer.headers;
  const isPublic = {
    "Cache-Control": "public, max-age=31536000, immutable",
    // Feed readers play it on pages of their own.
    "Cross-Origin-Resource-Policy": "cross-origin",
  };
  return { ...answer, headers: { ...headers, ...isPublic } };
}

function answerFile<F extends { size: number }>(
  { method, headers: asked }: Request,
  { bucket, key, name }: { bucket: string; key: string; name: string | null },
  file: F,
): Answer<F> {
  const { size } = file;
  const saved = disposition(bucket, name);
  const etag = entityTag(bucket, key, size);
  const headers: Record<string, string> = {
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, max-age=3600",
    "Content-Type": contentType(bucket, key),
    ETag: etag,
    "X-Robots-Tag": "noindex",
    ...(saved && { "Content-Disposition": saved }),
  };
  if (matchesTag(asked.get("if-none-match"), etag)) return { status: 304, headers, body: null };
  const ifRange = asked.get("if-range");
  const range = parseRange(!ifRange || ifRange === etag ? asked.get("range") : null, size);
  if (range === "unsatisfiable") return refusal(416, { "Content-Range": `bytes */${size}` });
  const { start, end } = range ?? { start: 0, end: size - 1 };
  headers["Content-Length"] = String(end - start + 1);
  if (range) headers["Content-Range"] = `bytes ${start}-${end}/${size}`;
  const body = method === "HEAD" ? null : { file, range: { start, end } };
  return { status: range ? 206 : 200, headers, body };
}

// A key is written once, so its content never changes; file times differ between machines.
function entityTag(bucket: string, key: string, size: number): string {
  const hash = createHash("sha256").update(`${bucket}\n${key}\n${size}`).digest("base64url");
  return `"${hash.slice(0, 22)}"`;
}

function refusal(status: number, more: Record<string, string> = {}): Answer<never> {
  return { status, headers: { "Cache-Control": "no-store", ...more }, body: null };
}

function decoded(text: string): string | null {
  try {
    return text.split("/").map(decodeURIComponent).join("/");
  } catch {
    return null;
  }
}
