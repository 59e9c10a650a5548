import { type MediaKind, mediaBuckets, mediaTypes, refusals } from "./texts.ts";

type Known = { type: string; family: string };

const longestName = 80;
/** In letters: no disk of a coach has longer ones. */
const longestShownName = 255;

/** The ending of a file's name, in small letters without its dot; empty where there is none. */
export function extensionOf(fileName: string): string {
  return /[^.]\.([a-z0-9]{1,5})\s*$/i.exec(fileName)?.[1]?.toLowerCase() ?? "";
}

/** What a file of this name must be to be taken as this kind; null when no such name is taken. */
export function typeByName(kind: MediaKind, fileName: string): Known | null {
  const types: Record<string, Known> = mediaTypes[kind];
  const extension = extensionOf(fileName);
  return Object.hasOwn(types, extension) ? (types[extension] ?? null) : null;
}

/** The `accept` attribute of a file input: endings and types, with commas between them. */
export function acceptOf(kind: MediaKind): string {
  const types: Record<string, Known> = mediaTypes[kind];
  const endings = Object.keys(types).map((extension) => `.${extension}`);
  return [...endings, ...new Set(Object.values(types).map(({ type }) => type))].join(",");
}

/** The kind of media that a bucket holds. */
export function kindOfBucket(bucket: string): MediaKind {
  return bucket === mediaBuckets.video ? "video" : "audio";
}

/**
 * A file's name as it is kept and shown: on one line, with nothing in it that cannot be seen or that
 * turns the order of letters around; only what joins letters or keeps them apart stays, as names
 * need it. What is too long loses its end, not its ending.
 */
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

/**
 * A file's name as it can stand in any address and on any disk: letters, digits, dots and hyphens
 * of ASCII, its ending in small letters, 80 characters at most, never empty, no dot in front.
 */
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

/** Where a file is kept: module id, the time in milliseconds, cleaned name (spec 7, Storage: upload). */
export function mediaKey(moduleId: string, ms: number, fileName: string): string {
  return `${moduleId}/${ms}-${cleanFileName(fileName)}`;
}

/** Whether a key is like those of {@link mediaKey}. */
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

/** What is said of a file that is larger than may be uploaded. */
export function tooLarge(bytes: number, limit: number): string {
  return `This file is too large (${sizeInWords(bytes)}). Up to ${sizeInWords(limit)} can be uploaded.`;
}

/** What is said when a file's name says one format and its bytes another of the same kind. */
export function misnamed(extension: string, real: string): string {
  return `This file is named .${extension} but is a ${real.toUpperCase()} file. Rename it to .${real}, then upload it again.`;
}

/** Formats, by the usual endings of their files, whose bytes are the same family's. */
const families: Record<string, string> = {
  ...{ mp4: "mp4", m4v: "mp4", mov: "mp4", m4a: "mp4", m4b: "mp4", "3gp": "mp4", "3g2": "mp4" },
  ...{ webm: "webm", mp3: "mp3", aac: "aac", ogg: "ogg", oga: "ogg", opus: "ogg" },
  ...{ wav: "wav", flac: "flac" },
};

/**
 * Why a file is not what it was uploaded as, by its bytes; null when it is. `extension` is the
 * usual one of the format that was found, `broken` what nobody can play.
 */
export function refusalOf(
  kind: MediaKind,
  fileName: string,
  found: {
    extension: string | null;
    broken: boolean;
    tracks: { audio: boolean; video: boolean } | null;
  },
): string | null {
  const named = typeByName(kind, fileName);
  if (!named) return refusals.ending[kind];
  const { extension, tracks } = found;
  const family = families[extension ?? ""];
  if (!extension || !family) return refusals.notMedia[kind];
  if (found.broken) return refusals.damaged;
  if (kind === "audio" && tracks?.video) return refusals.videoInAudio;
  const heardOnly = tracks ? tracks.audio && !tracks.video : !isVideoFamily(family);
  if (kind === "video" && heardOnly) return refusals.audioInVideo;
  if (tracks && !tracks.audio && !tracks.video) return refusals.damaged;
  if (family === named.family) return null;
  return typeByName(kind, `file.${extension}`)
    ? misnamed(extensionOf(fileName), extension)
    : refusals.notMedia[kind];
}

function isVideoFamily(family: string): boolean {
  return Object.values(mediaTypes.video).some((known) => known.family === family);
}
