import { fileTypeFromTokenizer } from "file-type";
import { type IAudioMetadata, parseFromTokenizer } from "music-metadata";
import type { OpenFile } from "../storage/storage.ts";
import { type Limits, Pieces, ReadFailed } from "./pieces.ts";

const budgetBytes = 64 * 1024 * 1024;
const patienceMs = 20_000;

/** What a file's bytes are. `extension` is null for an unknown format; a `broken` file cannot be
 * played. Null `tracks` and `durationMs` could not be read. */
export type Inspected = {
  extension: string | null;
  broken: boolean;
  tracks: { audio: boolean; video: boolean } | null;
  durationMs: number | null;
};

const likeMp4 = new Set(["mp4", "m4v", "mov", "m4a", "m4b", "3gp", "3g2"]);
/** Formats whose duration is known only by counting frames, unless they state it. */
const counted = new Set(["mp3", "aac"]);

/** Reads a file's beginning and its index, within limits: of a file that costs too much, less is
 * known. @throws {ReadFailed} if it cannot be read now, which says nothing about the file */
export async function inspect(file: OpenFile): Promise<Inspected> {
  const until = performance.now() + patienceMs;
  const limits: Limits = { left: budgetBytes, until, spent: false, failed: null };
  const beginning = new Pieces(file, limits, "usual");
  const found = await attempt(limits, fileTypeFromTokenizer(beginning), undefined);
  if (!found && limits.spent && limits.left >= 0)
    throw new ReadFailed("a stored file's beginning did not come in time");
  const extension = found?.ext ?? null;
  const nothing = { extension, broken: false, tracks: null, durationMs: null };
  if (!found || !/^(audio|video)\//.test(found.mime)) return nothing;
  const movie = likeMp4.has(found.ext)
    ? await attempt(limits, readMovie(new Pieces(file, limits, "outline")), null)
    : { durationMs: null };
  if (!movie && limits.spent) return nothing;
  const isBroken = !movie || (found.ext === "mp3" && (await isAllTag(file, limits)));
  if (isBroken) return { ...nothing, broken: true };
  const piece = likeMp4.has(found.ext) ? "outline" : "usual";
  const { tracks, duration } = await parse(file, limits, found.mime, piece);
  const counting = duration === null && counted.has(found.ext);
  const length = counting ? (await parse(file, limits, found.mime, "all")).duration : duration;
  return { extension, broken: false, tracks, durationMs: whole(length ?? movie.durationMs) };
}

/** Whether an ID3 tag (ID3v2.4, 3.1) exceeds the file: half a file, or 'ID3' before other bytes. */
async function isAllTag(file: OpenFile, limits: Limits): Promise<boolean> {
  const head = Buffer.alloc(10);
  const beginning = new Pieces(file, limits, "usual");
  await attempt(limits, beginning.peekBuffer(head, { mayBeLess: true }), 0);
  if (head.toString("latin1", 0, 3) !== "ID3") return false;
  const size = head.subarray(6).reduce((sum, byte) => sum * 128 + (byte & 127), 0);
  return head.length + size > file.size;
}

/** What was read, or `instead` if the bytes are not what the reader expects. */
async function attempt<T>(limits: Limits, reading: Promise<T>, instead: T): Promise<T> {
  const result = await reading.catch(() => instead);
  if (limits.failed) throw limits.failed;
  return result;
}

async function parse(
  file: OpenFile,
  limits: Limits,
  mime: string,
  piece: "outline" | "usual" | "all",
) {
  const tokenizer = new Pieces(file, limits, piece, mime);
  const options = { skipCovers: true, skipPostHeaders: true, duration: piece === "all" };
  const metadata = await attempt<IAudioMetadata | null>(
    limits,
    parseFromTokenizer(tokenizer, options),
    null,
  );
  if (!metadata || limits.spent) return { tracks: null, duration: null };
  const { duration, hasAudio = false, hasVideo = false } = metadata.format;
  const known = duration !== undefined && Number.isFinite(duration) && duration > 0;
  return {
    tracks: { audio: hasAudio, video: hasVideo },
    duration: known ? duration * 1000 : null,
  };
}

function whole(ms: number | null): number | null {
  return ms === null ? null : Math.min(Math.round(ms), 2 ** 31 - 1);
}

type Box = { body: number; end: number };

/** Reads the structure of an MP4 or QuickTime file. Null if truncated or without an index. */
async function readMovie(file: Pieces): Promise<{ durationMs: number | null } | null> {
  const top = await walk(file, 0, file.fileInfo.size, "moov");
  if (!top?.found) return null;
  const inside = await walk(file, top.found.body, top.found.end, "mvhd");
  return inside?.found ? { durationMs: await durationIn(file, inside.found) } : null;
}

async function walk(
  file: Pieces,
  from: number,
  to: number,
  wanted: string,
): Promise<{ found: Box | null } | null> {
  let found: Box | null = null;
  // A few padding bytes after the last box are harmless.
  for (let start = from; to - start >= 8; ) {
    const head = new Uint8Array(16);
    await file.peekBuffer(head, { position: start, mayBeLess: true });
    const view = new DataView(head.buffer);
    const size = view.getUint32(0);
    const long = size === 1;
    const length = long ? Number(view.getBigUint64(8)) : size === 0 ? to - start : size;
    const body = start + (long ? 16 : 8);
    const end = start + length;
    if (end > to || end < body) return null;
    if (String.fromCharCode(...head.subarray(4, 8)) === wanted) found ??= { body, end };
    start = end;
  }
  return { found };
}

/** ISO 14496-12, 8.2.2: version 1 has longer times. */
async function durationIn(file: Pieces, { body }: Box): Promise<number | null> {
  const head = new Uint8Array(32);
  await file.peekBuffer(head, { position: body });
  const view = new DataView(head.buffer);
  const long = view.getUint8(0) === 1;
  const scale = view.getUint32(long ? 20 : 12);
  const duration = long ? Number(view.getBigUint64(24)) : view.getUint32(16);
  return scale > 0 && duration > 0 ? (duration / scale) * 1000 : null;
}
