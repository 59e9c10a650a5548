import { create } from "content-disposition";

const types = new Map([
  ["mp4", "video/mp4"],
  ["m4v", "video/mp4"],
  ["mov", "video/quicktime"],
  ["mkv", "video/x-matroska"],
  ["webm", "video/webm"],
  ["ogv", "video/ogg"],
  ["mp3", "audio/mpeg"],
  ["m4a", "audio/mp4"],
  ["m4b", "audio/mp4"],
  ["aac", "audio/aac"],
  ["weba", "audio/webm"],
  ["ogg", "audio/ogg"],
  ["oga", "audio/ogg"],
  ["opus", "audio/ogg"],
  ["wav", "audio/wav"],
  ["flac", "audio/flac"],
  ["aif", "audio/aiff"],
  ["aiff", "audio/aiff"],
  ["webp", "image/webp"],
  ["jpg", "image/jpeg"],
]);

const fileTypes = new Map([
  ["pdf", "application/pdf"],
  ["epub", "application/epub+zip"],
  ["zip", "application/zip"],
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["webp", "image/webp"],
  ["docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
]);
const octets = "application/octet-stream";

/** A stored file's Content-Type by its extension; unknown ones are bytes that no browser shows. */
export function contentType(bucket: string, key: string): string {
  const extension = /\.([^./]+)$/.exec(key)?.[1]?.toLowerCase() ?? "";
  if (bucket === "course-files") return fileTypes.get(extension) ?? octets;
  // The container holds either; browsers go by the type, not by what is inside.
  if (bucket === "course-audio" && extension === "webm") return "audio/webm";
  if (bucket === "course-audio" && extension === "mp4") return "audio/mp4";
  return types.get(extension) ?? octets;
}

/** The Content-Disposition of a stored file (RFC 6266, 8187), null for what pages play. */
export function disposition(bucket: string, name: string | null | undefined): string | null {
  if (!name) return bucket === "course-files" ? "attachment" : null;
  const ascii = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^ -~]+/g, "-");
  return create(name.toWellFormed(), { fallback: ascii });
}
