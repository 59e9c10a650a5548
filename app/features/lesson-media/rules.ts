import { type MediaKind, mediaBuckets, mediaTypes, uploadRefusals } from "./messages.ts";

type Known = { type: string; family: string };

const longestName = 80;
/** In characters: longer than any name on a coach's disk. */
const longestShownName = 255;

/** The extension of a file name, in lowercase without its dot; may be empty. */
export function extensionOf(fileName: string): string {
  return /[^.]\.([a-z0-9]{1,5})\s*$/i.exec(fileName)?.[1]?.toLowerCase() ?? "";
}

/** The type and family that a file of this name must have; null if such names are not accepted. */
export function typeByName(kind: MediaKind, fileName: string): Known | null {
  const types: Record<string, Known> = mediaTypes[kind];
  const extension = extensionOf(fileName);
  return Object.hasOwn(types, extension) ? (types[extension] ?? null) : null;
}

/** The `accept` attribute of a file input. */
export function acceptOf(kind: MediaKind): string {
  const types: Record<string, Known> = mediaTypes[kind];
  const endings = Object.keys(types).map((extension) => `.${extension}`);
  return [...endings, ...new Set(Object.values(types).map(({ type }) => type))].join(",");
}

export function kindOfBucket(bucket: string): MediaKind {
  return bucket === mediaBuckets.video ? "video" : "audio";
}

/** A file name to store and show: without line breaks, invisible characters or marks that reverse
 * the text order; only those that join letters or separate them stay, as names need them. The
 * extension survives truncation. */
export function shownFileName(fileName: string): string {
  const seen = fileName
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/gu, "")
    .trim();
  const letters = [...seen];
  if (letters.length <= longestShownName) return seen;
  const ending = [...`.${extensionOf(seen)}`];
  return [...letters.slice(0, longestShownName - ending.length), ...ending].join("");
}

/** A file name for any URL and disk: ASCII letters, digits, dots and hyphens, lowercase extension,
 * at most 80 characters, never empty, no leading dot. */
export function cleanFileName(fileName: string): string {
  const extension = extensionOf(fileName);
  const ending = extension ? `.${extension}` : "";
  const stem = ending ? fileName.trimEnd().slice(0, -ending.length) : fileName;
  const clean = stem
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^A-Za-z0-9.]+/g, "-")
    .replaceAll(/\.{2,}/g, ".")
    .slice(0, longestName - ending.length)
    .replaceAll(/^[-.]+|[-.]+$/g, "");
  return `${clean || "file"}${ending}`;
}

/** A file's key: module id, time in milliseconds, cleaned name (spec 7, Storage: upload). */
export function mediaKey(moduleId: string, ms: number, fileName: string): string {
  return `${moduleId}/${ms}-${cleanFileName(fileName)}`;
}

/** Whether a key looks like those of {@link mediaKey}. */
export function isMediaKey(key: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\/\d+-[^/]+$/.test(key);
}

const units = [
  ["GB", 1e9],
  ["MB", 1e6],
  ["KB", 1e3],
] as const;

/** '2.4 GB', '350 MB', '12 KB'. */
export function sizeInWords(bytes: number): string {
  for (const [unit, worth] of units)
    if (bytes >= worth) {
      const n = bytes / worth;
      return `${n >= 10 ? Math.round(n) : Math.round(n * 10) / 10} ${unit}`;
    }
  return `${bytes} bytes`;
}

export function tooLarge(bytes: number, limit: number): string {
  return `This file is too large (${sizeInWords(bytes)}). Up to ${sizeInWords(limit)} can be uploaded.`;
}

/** Shown when a file's extension and bytes have different formats of the same kind. */
export function misnamed(extension: string, real: string): string {
  return `This file is named .${extension} but is a ${real.toUpperCase()} file. Rename it to .${real}, then upload it again.`;
}

/** Usual file extensions and the format family of each. */
const families: Record<string, string> = {
  ...{ mp4: "mp4", m4v: "mp4", mov: "mp4", m4a: "mp4", m4b: "mp4", "3gp": "mp4", "3g2": "mp4" },
  ...{ webm: "webm", mp3: "mp3", aac: "aac", ogg: "ogg", oga: "ogg", opus: "ogg" },
  ...{ wav: "wav", flac: "flac" },
};

/** Why a file's bytes are not what it was uploaded as; null if they are. `extension` is the usual
 * one of the found format; `broken` means that it cannot be played. */
export function uploadRefusal(
  kind: MediaKind,
  fileName: string,
  found: {
    extension: string | null;
    broken: boolean;
    tracks: { audio: boolean; video: boolean } | null;
  },
): string | null {
  const named = typeByName(kind, fileName);
  if (!named) return uploadRefusals.ending[kind];
  const { extension, tracks } = found;
  const family = families[extension ?? ""];
  if (!extension || !family) return uploadRefusals.notMedia[kind];
  if (found.broken) return uploadRefusals.damaged;
  if (kind === "audio" && tracks?.video) return uploadRefusals.videoInAudio;
  const heardOnly = tracks ? tracks.audio && !tracks.video : !isVideoFamily(family);
  if (kind === "video" && heardOnly) return uploadRefusals.audioInVideo;
  if (tracks && !tracks.audio && !tracks.video) return uploadRefusals.damaged;
  if (family === named.family) return null;
  return typeByName(kind, `file.${extension}`)
    ? misnamed(extensionOf(fileName), extension)
    : uploadRefusals.notMedia[kind];
}

function isVideoFamily(family: string): boolean {
  return Object.values(mediaTypes.video).some((known) => known.family === family);
}

/** A length in ms as '3:07' or '1:02:03'. */
export function lengthInWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const pad = (value: number) => String(value).padStart(2, "0");
  const end = pad(seconds % 60);
  return hours > 0 ? `${hours}:${pad(minutes)}:${end}` : `${minutes}:${end}`;
}

/** Whole percent received; 100 only for all of a file. */
export function percentOf(received: number, size: number): number {
  if (size <= 0) return 0;
  return Math.max(0, Math.min(100, Math.floor((received / size) * 100)));
}

export type UploadPace = { at: number; sent: number; speed: number | null };

/** In ms: shorter intervals say little. */
const stretch = 500;
/** In ms: after this time, older speeds weigh a third. */
const memory = 8000;

/** Adds a reading to the pace. The first interval's speed is taken as it is. */
export function nextPace(pace: UploadPace | null, at: number, sent: number): UploadPace {
  if (!pace || sent < pace.sent) return { at, sent, speed: null };
  const passed = at - pace.at;
  if (passed < stretch) return pace;
  const now = ((sent - pace.sent) / passed) * 1000;
  const weight = Math.exp(-passed / memory);
  return { at, sent, speed: pace.speed === null ? now : pace.speed * weight + now * (1 - weight) };
}

/** The last displayed time left: seconds, counted down from a time `at` (ms). */
export type TimeLeft = { seconds: number; at: number };

/** In ms: how long a wrong estimate is shown before a correction. */
const patience = 4000;

/** The time left to display, kept steady: it counts down, and is corrected only if it is wrong by a
 * quarter (and five seconds), at most every four seconds. */
export function nextTimeLeft(
  said: TimeLeft | null,
  pace: UploadPace,
  remaining: number,
): TimeLeft | null {
  if (!pace.speed || pace.speed <= 0) return said;
  const seconds = remaining / pace.speed;
  if (!said) return { seconds, at: pace.at };
  if (pace.at - said.at < patience) return said;
  const expected = secondsLeft(said, pace.at);
  const isWrong = Math.abs(seconds - expected) > Math.max(expected / 4, 5);
  return { seconds: isWrong ? seconds : expected, at: pace.at };
}

function secondsLeft({ seconds, at }: TimeLeft, now: number): number {
  return Math.max(0, seconds - (now - at) / 1000);
}

/** 'about 5 minutes left'; deliberately coarse. */
export function timeLeftInWords(said: TimeLeft, now: number): string {
  const seconds = secondsLeft(said, now);
  if (seconds < 10) return "a few seconds left";
  if (seconds < 45) return "less than a minute left";
  const minutes = seconds / 60;
  if (minutes < 1.5) return "about a minute left";
  if (minutes < 10) return `about ${Math.round(minutes)} minutes left`;
  if (minutes < 52.5) return `about ${Math.round(minutes / 5) * 5} minutes left`;
  const hours = minutes / 60;
  if (hours < 1.25) return "about an hour left";
  if (hours < 1.75) return "about an hour and a half left";
  if (hours < 24) return `about ${Math.round(hours)} hours left`;
  return "more than a day left";
}

export type KnownFile = { name: string; size: number; lastModified: number };

/** Whether a file is the one whose upload stopped: the same name and size, and the same time of the
 * last change if this browser remembers it. */
export function isSameFile(
  chosen: KnownFile,
  stopped: { fileName: string; size: number },
  remembered: KnownFile | null,
): boolean {
  const isNamedSo = shownFileName(chosen.name) === shownFileName(stopped.fileName);
  if (!isNamedSo || chosen.size !== stopped.size) return false;
  return remembered === null || remembered.lastModified === chosen.lastModified;
}

/** The delay before the next try, in ms: short at first, then longer, at most 30 seconds. */
export function retryDelay(attempt: number): number {
  return attempt === 0 ? 500 : Math.min(30_000, 1000 * 2 ** (attempt - 1));
}

export type Meaning = "again" | "gone" | "signed-out" | "refused";

/** What to do about a status; 0 is no answer. Busy (409, 423, 429) and failing servers are retried,
 * a full disk (507) is reported, a missing upload (404, 410) starts again. */
export function uploadResponse(status: number): Meaning {
  if (status === 507) return "refused";
  if (status === 0 || status >= 500 || [408, 409, 423, 425, 429].includes(status)) return "again";
  if (status === 404 || status === 410) return "gone";
  if (status === 401 || (status >= 300 && status < 400)) return "signed-out";
  return "refused";
}
