import { fileTypeFromTokenizer } from "file-type";
import { parseFromTokenizer } from "music-metadata";
import type { OpenFile } from "../storage/storage.ts";
import { readMovie } from "./movie.ts";
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
  const found = await unlessUnread(
    limits,
    fileTypeFromTokenizer(new Pieces(file, limits, "usual")).catch(() => undefined),
  );
  if (!found && limits.spent && limits.left >= 0)
    throw new ReadFailed("a stored file's beginning did not come in time");
  const extension = found?.ext ?? null;
  const nothing = { extension, broken: false, tracks: null, durationMs: null };
  if (!found || !/^(audio|video)\//.test(found.mime)) return nothing;
  const movie = likeMp4.has(found.ext)
    ? await unlessUnread(
        limits,
        readMovie(new Pieces(file, limits, "outline")).catch(() => null),
      )
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
  await unlessUnread(
    limits,
    beginning.peekBuffer(head, { mayBeLess: true }).catch(() => 0),
  );
  if (head.toString("latin1", 0, 3) !== "ID3") return false;
  const size = head.subarray(6).reduce((sum, byte) => sum * 128 + (byte & 127), 0);
  return head.length + size > file.size;
}

async function unlessUnread<T>(limits: Limits, reading: Promise<T>): Promise<T> {
  const result = await reading;
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
  const metadata = await unlessUnread(
    limits,
    parseFromTokenizer(tokenizer, options).catch(() => null),
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
