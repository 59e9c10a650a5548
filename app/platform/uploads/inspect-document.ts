import { fileTypeFromTokenizer } from "file-type";
import type { OpenFile } from "../storage/storage.ts";
import { type Limits, Pieces, ReadFailed } from "./pieces.ts";

const budgetBytes = 32 * 1024 * 1024;
const patienceMs = 20_000;
/** Where the mark of a file's end is looked for, in bytes: a ZIP's comment has 64 KiB at most. */
const tailBytes = 66 * 1024;

/** The first bytes of each format, and what its last ones hold. */
const marks: Record<string, { begins: string; ends?: string }> = {
  pdf: { begins: "%PDF-", ends: "%%EOF" },
  zip: { begins: "PK\x03\x04", ends: "PK\x05\x06" },
  png: { begins: "\x89PNG\r\n\x1a\n", ends: "IEND" },
  jpg: { begins: "\xff\xd8\xff", ends: "\xff\xd9" },
  webp: { begins: "RIFF" },
};
const zipped = new Set(["epub", "docx", "xlsx"]);

/** The usual extension, null for an unknown format and where other bytes come first. `broken`: its end
 * is missing. Of an archive, a megabyte is unpacked at most. */
export type InspectedDocument = { extension: string | null; broken: boolean };

/** @throws {ReadFailed} if the file cannot be read now, which says nothing about it */
export async function inspectDocument(file: OpenFile): Promise<InspectedDocument> {
  const until = performance.now() + patienceMs;
  const limits: Limits = { left: budgetBytes, until, spent: false, failed: null };
  const pieces = new Pieces(file, limits, "outline");
  const found = await fileTypeFromTokenizer(pieces).catch(() => undefined);
  if (limits.failed) throw limits.failed;
  if (!found && limits.spent && limits.left >= 0)
    throw new ReadFailed("a stored file's beginning did not come in time");
  const extension = found?.ext === "apng" ? "png" : (found?.ext ?? null);
  const mark = marks[zipped.has(extension ?? "") ? "zip" : (extension ?? "")];
  if (!mark || !(await textAt(file, 0, 16)).startsWith(mark.begins))
    return { extension: mark ? null : extension, broken: false };
  const tail = await textAt(file, Math.max(0, file.size - tailBytes), tailBytes);
  return { extension, broken: mark.ends !== undefined && !tail.includes(mark.ends) };
}

async function textAt(file: OpenFile, offset: number, length: number): Promise<string> {
  try {
    return Buffer.from(await file.read(offset, length)).toString("latin1");
  } catch (cause) {
    throw new ReadFailed("a stored file could not be read", { cause });
  }
}
