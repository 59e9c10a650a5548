import { fileMessages, longestFileTitle } from "./file-messages.ts";
import { uploadRefusals } from "./messages.ts";
import { extensionOf, shownFileName, sizeInWords, tooLarge } from "./rules.ts";

export const fileBucket = "course-files";

/** What downloads can be, as the setting LESSON_FILE_TYPES names them. */
export const fileTypes: Readonly<Record<string, { extensions: string[]; words: string }>> = {
  pdf: { extensions: ["pdf"], words: "PDF" },
  epub: { extensions: ["epub"], words: "EPUB" },
  zip: { extensions: ["zip"], words: "ZIP" },
  png: { extensions: ["png"], words: "PNG" },
  jpeg: { extensions: ["jpg", "jpeg"], words: "JPEG" },
  webp: { extensions: ["webp"], words: "WebP" },
  docx: { extensions: ["docx"], words: "Word" },
  xlsx: { extensions: ["xlsx"], words: "Excel" },
};

/** The type of a file's name; null if such files are not accepted. */
export function fileTypeOf(fileName: string, types: readonly string[]): string | null {
  const extension = extensionOf(fileName);
  return types.find((type) => fileTypes[type]?.extensions.includes(extension)) ?? null;
}

/** 'PDF, EPUB or Word (DOCX)'. */
export function typesInWords(types: readonly string[]): string {
  const named = types.map((type) => {
    const { extensions: [extension = ""] = [], words = "" } = fileTypes[type] ?? {};
    const isPlain = /^(docx|xlsx)$/.test(extension);
    return isPlain ? `${words} (${extension.toUpperCase()})` : words;
  });
  const last = named.pop() ?? "";
  return named.length > 0 ? `${named.join(", ")} or ${last}` : last;
}

/** Why a file is not uploaded at all; null if it is. @param limit in bytes */
export function lessonFileRefusal(
  { name, size }: { name: string; size: number },
  { types, limit = Number.POSITIVE_INFINITY }: { types: readonly string[]; limit?: number },
): string | null {
  if (!fileTypeOf(name, types)) return fileMessages.wanted(typesInWords(types));
  if (size === 0) return uploadRefusals.empty;
  return size > limit ? tooLarge(size, limit) : null;
}

/** Why a file's bytes are not what it is named; null if they are. */
export function fileContentRefusal(
  fileName: string,
  found: { extension: string | null; broken: boolean },
  types: readonly string[],
): string | null {
  const named = fileTypeOf(fileName, types);
  if (!named) return fileMessages.wanted(typesInWords(types));
  const real = found.extension && fileTypeOf(`file.${found.extension}`, Object.keys(fileTypes));
  if (real !== named) {
    const own = extensionOf(fileName);
    return real && types.includes(real)
      ? fileMessages.misnamed(own, fileTypes[real]?.words ?? "", found.extension ?? "")
      : fileMessages.notOfType(own);
  }
  return found.broken ? fileMessages.damaged : null;
}

export function acceptedFiles(types: readonly string[]): string {
  return types
    .flatMap((type) => fileTypes[type]?.extensions ?? [])
    .map((extension) => `.${extension}`)
    .join(",");
}

/** 'PDF, 2.4 MB'; a type that is not accepted any more by its extension. */
export function fileFacts({ fileName, size }: { fileName: string; size: number }): string {
  const type = fileTypeOf(fileName, Object.keys(fileTypes));
  const words = (type && fileTypes[type]?.words) ?? extensionOf(fileName).toUpperCase();
  return `${words}, ${sizeInWords(size)}`;
}

/** A title as it is stored: one line, without invisible characters; may be empty. */
export function fileTitle(typed: string): string {
  const line = shownFileName(typed.replaceAll(/\s+/g, " "));
  return [...line].slice(0, longestFileTitle).join("").trim();
}

const stemOf = (fileName: string) => {
  const extension = extensionOf(fileName);
  return extension ? fileName.trimEnd().slice(0, -extension.length - 1) : fileName;
};

/** A new file's title: its name, and a number if the lesson has one of this title and type. */
export function titleOfFile(
  fileName: string,
  others: readonly { title: string; fileName: string }[],
): string {
  const name = fileTitle(stemOf(fileName).replaceAll("_", " ")) || "File";
  const alike = others.filter((other) => extensionOf(other.fileName) === extensionOf(fileName));
  const isTaken = (title: string) => alike.some((other) => other.title === title);
  for (let number = 1; ; number++) {
    const mark = number === 1 ? "" : ` (${number})`;
    const title = [...name].slice(0, longestFileTitle - mark.length).join("") + mark;
    if (!isTaken(title)) return title;
  }
}

/** The name that a device saves the file under, without what a disk refuses. */
export function downloadName({ title, fileName }: { title: string; fileName: string }): string {
  const extension = extensionOf(fileName);
  const clean = fileTitle(title)
    .replaceAll(/[\\/:*?"<>|]+/g, "-")
    .replaceAll(/^[\s.-]+|[\s.-]+$/g, "");
  return `${clean || "File"}.${extension}`;
}

/** A file moved before another one, or to the end; null if the list has not both. */
export function moveBefore(
  ids: readonly string[],
  { id, beforeId }: { id: string; beforeId: string },
): string[] | null {
  if (!ids.includes(id) || (beforeId !== "" && !ids.includes(beforeId))) return null;
  if (id === beforeId) return [...ids];
  const rest = ids.filter((other) => other !== id);
  const place = beforeId === "" ? rest.length : rest.indexOf(beforeId);
  return rest.toSpliced(place, 0, id);
}
