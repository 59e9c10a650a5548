import {
  type MediaKind,
  mediaTypes,
  type UploadKind,
  uploadBuckets,
  uploadRefusals,
} from "./messages.ts";

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

/** 'MP4 or WebM, up to 5 GB. You can also drag it here.' */
export function endingsInWords(kind: MediaKind, limit: number): string {
  const endings = Object.keys(mediaTypes[kind]).map((ending) =>
    ending === "webm" ? "WebM" : ending.toUpperCase(),
  );
  const list = `${endings.slice(0, -1).join(", ")} or ${endings.at(-1)}`;
  return `${list}, up to ${sizeInWords(limit)}. You can also drag it here.`;
}

/** Why a file is not uploaded at all; null if it is. The server inspects its bytes. */
export function fileRefusal(
  kind: MediaKind,
  { name, size }: { name: string; size: number },
  limit = Number.POSITIVE_INFINITY,
): string | null {
  if (!typeByName(kind, name)) return uploadRefusals.ending[kind];
  if (size === 0) return uploadRefusals.empty;
  return size > limit ? tooLarge(size, limit) : null;
}

export function kindOfBucket(bucket: string): UploadKind {
  if (bucket === uploadBuckets.file) return "file";
  return bucket === uploadBuckets.video ? "video" : "audio";
}

/** A file name to store and show: without line breaks, invisible characters or marks that reverse
 * the text order; only those that join letters or separate them stay, as names need them. The
 * extension survives truncation. */
export function shownFileName(fileName: string): string {
  const seen = fileName
    .replaceAll(/\p{Cs}/gu, "\ufffd")
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

/** Whole percent received; 100 only for all of a file. */
export function percentOf(received: number, size: number): number {
  if (size <= 0) return 0;
  return Math.max(0, Math.min(100, Math.floor((received / size) * 100)));
}

/** Whether all bytes of an upload are there; those of a refused one are deleted. */
export function hasArrived({ received, size }: { received: number; size: number }): boolean {
  return received === size;
}

/** Whether a file may be the one whose upload stopped, as far as its name and size tell. */
export function isNamedAlike(
  chosen: { name: string; size: number },
  stopped: { fileName: string; size: number },
): boolean {
  const isSameName = shownFileName(chosen.name) === shownFileName(stopped.fileName);
  return isSameName && chosen.size === stopped.size;
}

/** In ms: soon at first, then twice a minute, for days. */
export const uploadRetryDelays = Array.from({ length: 10_000 }, (_, n) =>
  Math.min(30_000, 500 * 2 ** n),
);

/** Whether an upload may succeed when it is tried again: without an answer (0), with a busy upload
 * or server, but not on a full disk (507). */
export function canRetryUpload(status: number): boolean {
  if (status === 507) return false;
  return status === 0 || status >= 500 || [408, 409, 423, 425, 429].includes(status);
}
