import { parse } from "csv-parse/sync";
import { isAny } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { importMessages, longestWhereFrom, maxFileMegabytes, mostImportsADay } from "./messages.ts";
import { readImport } from "./read-file.server.ts";
import { delimiterOf, recognizeColumns, recognizeService } from "./rules.ts";

export type UploadErrors = { file?: string; where?: string };

/** In characters; each is a row of its own, so that no write is long. */
const pieceLength = 64 * 1024;

const longestHeadings = 16_384;

/** Stores a file for the job that reads it. @returns the import's id, or what is wrong with the form
 * @throws {Refused} rate_limited after too many files in a day */
export async function uploadImport(
  services: Services,
  { file, where }: { file: File | null; where: string },
): Promise<{ id: string } | { errors: UploadErrors }> {
  const errors: UploadErrors = {};
  if (!where) errors.where = importMessages.noWhere;
  else if (where.length > longestWhereFrom) errors.where = importMessages.longWhere;
  if (!file || file.size === 0) errors.file = importMessages.noFile;
  else if (file.size > maxFileMegabytes * 1024 * 1024) errors.file = importMessages.tooLarge;
  if (!file || errors.file || errors.where) return { errors };
  await requireRoom(services);
  const read = decode(new Uint8Array(await file.arrayBuffer()));
  if ("problem" in read) return { errors: { file: read.problem } };
  const delimiter = delimiterOf(read.text);
  const headings = headingsOf(read.text, delimiter);
  if (!headings) return { errors: { file: importMessages.noHeadings } };
  const columns = recognizeColumns(headings);
  const { db, clock } = services;
  const id = newId();
  const now = clock.now();
  await db.write
    .insertInto("subscriberImports")
    .values({
      ...{ id, fileName: file.name.slice(-120).toWellFormed().replaceAll("\0", "") },
      ...{ whereFrom: where, delimiter, headings: JSON.stringify(headings) },
      ...{ recognized: recognizeService(headings), isOldEncoding: read.isOld },
      ...{ state: "columns", counts: "{}", createdAt: now },
    })
    .execute();
  let number = 0;
  for (const content of pieces(read.text)) {
    const piece = { importId: id, number, content };
    await db.write.insertInto("subscriberImportParts").values(piece).execute();
    number += 1;
  }
  if (columns) await readWith(services, id, JSON.stringify(columns));
  return { id };
}

/** Reads a file by these columns, in the background. */
export async function readWith(services: Services, id: string, chosen: string): Promise<boolean> {
  const { db, clock } = services;
  const isNow = await db.transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("subscriberImports")
      .set({ chosen, state: "reading" })
      .where("id", "=", id)
      .where("state", "=", "columns")
      .executeTakeFirst();
    if (!numUpdatedRows) return false;
    await enqueue(trx, readImport, { importId: id }, { now: clock.now() });
    return true;
  });
  services.wakeWorker();
  return isNow;
}

async function requireRoom({ db, clock }: Services): Promise<void> {
  const since = new Date(clock.now().getTime() - 24 * 3600_000);
  const recent = db.read
    .selectFrom("subscriberImports")
    .where("createdAt", ">", since)
    .offset(mostImportsADay - 1);
  if (await isAny(recent)) throw new Refused("rate_limited", importMessages.tooMany);
}

type Decoded = { text: string; isOld: boolean } | { problem: string };

/** UTF-8 and UTF-16 with or without a mark; what is neither is taken for Windows-1252. */
function decode(bytes: Uint8Array): Decoded {
  const [one, two] = bytes;
  if (one === 0x50 && two === 0x4b) return { problem: importMessages.workbook };
  const wide = one === 0xff && two === 0xfe ? "utf-16le" : "utf-16be";
  const isWide = wide === "utf-16le" || (one === 0xfe && two === 0xff);
  if (isWide) return readable(new TextDecoder(wide).decode(bytes), false);
  try {
    return readable(new TextDecoder("utf-8", { fatal: true }).decode(bytes), false);
  } catch {
    return readable(new TextDecoder("windows-1252").decode(bytes), true);
  }
}

function readable(text: string, isOld: boolean): Decoded {
  if (text.includes("\0")) return { problem: importMessages.unreadable };
  return { text: text.toWellFormed(), isOld };
}

function headingsOf(text: string, delimiter: string): string[] | null {
  try {
    const [first] = parse(text.slice(0, longestHeadings), {
      ...{ delimiter, to: 1, relax_column_count: true, relax_quotes: true },
    }) as string[][];
    const headings = (first ?? []).slice(0, 100).map((cell) => cell.trim().slice(0, 100));
    return headings.some((cell) => cell !== "") && !headings.some(isAddress) ? headings : null;
  } catch {
    return null;
  }
}

const isAddress = (cell: string) => /^\S+@\S+\.\S+$/.test(cell);

// Not between the two halves of a character: PostgreSQL stores no half ones.
function* pieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(at + pieceLength, text.length);
    if (/[\ud800-\udbff]/.test(text[end - 1] ?? "") && end < text.length) end += 1;
    yield text.slice(at, end);
    at = end;
  }
}
