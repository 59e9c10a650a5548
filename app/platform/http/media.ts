import type { Services } from "../services.ts";
import { verifyMediaUrl } from "../storage/signature.ts";
import { type Bucket, buckets, type StoredFile } from "../storage/storage.ts";
import { matchesTag } from "./entity-tag.ts";
import { parseRange, type Range } from "./range.ts";

const types: Record<string, string> = {
  mp4: "video/mp4",
  m4v: "video/mp4",
  webm: "video/webm",
  mov: "video/quicktime",
  mp3: "audio/mpeg",
  m4a: "audio/mp4",
  ogg: "audio/ogg",
  wav: "audio/wav",
};

/** What there is to send for a media request: a refusal, or a file and the part of it asked for. */
export type MediaAnswer = {
  status: number;
  headers: Record<string, string>;
  file: StoredFile | null;
  range: Range | null;
};

/**
 * Answers `/media/{bucket}/{key}?expires&signature` (design section 4): 403 for an
 * address that was not signed here or has expired, 404 for a file that is not there,
 * 206 for one range of bytes, 416 for one outside the file.
 */
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
  };
  if (key === null || !verifyMediaUrl(config.authSecret, address, clock.now())) return refusal(403);
  if (!buckets.includes(bucket as Bucket)) return refusal(404);
  const file = await storage.find(bucket as Bucket, key);
  if (!file) return refusal(404);
  const etag = `"${file.size.toString(36)}-${file.modifiedAt.getTime().toString(36)}"`;
  const headers: Record<string, string> = {
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, max-age=3600",
    "Content-Type": types[key.split(".").at(-1)?.toLowerCase() ?? ""] ?? "application/octet-stream",
    ETag: etag,
    "Last-Modified": file.modifiedAt.toUTCString(),
    "X-Robots-Tag": "noindex",
  };
  if (matchesTag(request.headers.get("if-none-match"), etag))
    return { status: 304, headers, file: null, range: null };
  const ifRange = request.headers.get("if-range");
  const unchanged = !ifRange || ifRange === etag || ifRange === headers["Last-Modified"];
  const asked = unchanged ? request.headers.get("range") : null;
  const range = parseRange(asked, file.size);
  if (range === "unsatisfiable")
    return { ...refusal(416), headers: { "Content-Range": `bytes */${file.size}` } };
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  headers["Content-Length"] = String(end - start + 1);
  if (range) headers["Content-Range"] = `bytes ${start}-${end}/${file.size}`;
  return { status: range ? 206 : 200, headers, file, range: { start, end } };
}

function refusal(status: number): MediaAnswer {
  return { status, headers: { "Cache-Control": "no-store" }, file: null, range: null };
}

function decoded(text: string): string | null {
  try {
    return text.split("/").map(decodeURIComponent).join("/");
  } catch {
    return null;
  }
}
