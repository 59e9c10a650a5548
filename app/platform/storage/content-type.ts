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
]);

/** A stored file's Content-Type by its extension; unknown ones are bytes that no browser shows. */
export function contentType(bucket: string, key: string): string {
  const extension = /\.([^./]+)$/.exec(key)?.[1]?.toLowerCase() ?? "";
  // The container holds either; browsers go by the type, not by what is inside.
  if (bucket === "course-audio" && extension === "webm") return "audio/webm";
  if (bucket === "course-audio" && extension === "mp4") return "audio/mp4";
  return types.get(extension) ?? "application/octet-stream";
}
