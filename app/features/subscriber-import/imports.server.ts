import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { isId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { comingTime, dateAndTime } from "~/platform/time/words.ts";
import { asCsv } from "~/platform/utils/csv.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { runImport } from "./jobs.server.ts";
import { importMessages, outcomeWords, problemsShown, problemWords } from "./messages.ts";
import { otherColumns } from "./rules.ts";
import { readWith } from "./upload.server.ts";

export type ImportDetail = NonNullable<Awaited<ReturnType<typeof findImport>>>;

/** A file, what will or did become of its rows, and the first of those that are not taken. */
export async function findImport(services: Services, id: string, timeZone: string) {
  if (!isId(id)) return null;
  const { db, clock } = services;
  const found = await db.read
    .selectFrom("subscriberImports")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  if (!found) return null;
  const { fileName, whereFrom, recognized, isOldEncoding, state, problem, counts } = found;
  const problems =
    state === "reading" ? [] : await listProblems(services, id, 0, problemsShown + 1);
  const { confirmed = 0, asked = 0 } = counts;
  const done: Record<string, number> = { ...counts, confirm: confirmed, ask: asked };
  const outcomes = Object.keys(outcomeWords) as (keyof typeof outcomeWords)[];
  return {
    ...{ id, fileName, whereFrom, recognized, isOldEncoding, state, problem },
    headings: state === "columns" ? found.headings : [],
    rows: Math.max(0, found.rowsRead - 1),
    percent: found.rowsRead
      ? Math.min(100, Math.round((found.position * 100) / found.rowsRead))
      : 0,
    counts: outcomes.flatMap((outcome) => {
      const planned = counts[outcome] ?? 0;
      const count = state === "done" ? (done[outcome] ?? 0) : planned;
      return count ? [{ outcome, count }] : [];
    }),
    askedUntil: found.asksUntilAt && comingTime(found.asksUntilAt, clock.now(), timeZone),
    problems: problems.slice(0, problemsShown),
    hasMoreProblems: problems.length > problemsShown,
  };
}

async function listProblems({ db }: Services, importId: string, after: number, limit: number) {
  const rows = await db.read
    .selectFrom("subscriberImportRows")
    .select(["number", "email", "problem"])
    .where("importId", "=", importId)
    .where("problem", "is not", null)
    .where("number", ">", after)
    .orderBy("number")
    .limit(limit)
    .execute();
  return rows.map(({ number, email, problem }) => ({
    ...{ number, value: email },
    words: problemWords[problem as keyof typeof problemWords],
  }));
}

const problemsAtOnce = 1000;

/** All rows that are not taken as they are, as CSV, read as fast as they are sent. Null without an
 * import of that id. */
export async function exportProblems(services: Services, id: string) {
  if (!isId(id) || !(await findImport(services, id, "UTC"))) return null;
  const encoder = new TextEncoder();
  let after: number | null = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(stream) {
        if (after === null) return stream.close();
        const rows = await listProblems(services, id, after, problemsAtOnce);
        const lines = rows.map(({ number, value, words }) => [number, words, value]);
        const isFirst = after === 0;
        const all = isFirst ? [["row", "what", "value"], ...lines] : lines;
        const text = asCsv(all, { bom: isFirst, record_delimiter: "windows" });
        after = rows.length < problemsAtOnce ? null : (rows.at(-1)?.number ?? null);
        if (text) stream.enqueue(encoder.encode(text));
      },
    },
    { highWaterMark: 0 },
  );
}

const listed = 20;

export type ImportLine = Awaited<ReturnType<typeof listImports>>[number];

/** The last files, newest first. */
export async function listImports({ db }: Services, timeZone: string) {
  const found = await db.read
    .selectFrom("subscriberImports")
    .select(["id", "fileName", "state", "counts", "createdAt"])
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .limit(listed)
    .execute();
  return found.map(({ createdAt, counts, ...row }) => ({
    ...row,
    added: counts.confirmed ?? 0,
    asked: counts.asked ?? 0,
    when: dateAndTime(createdAt, timeZone),
  }));
}

/** Says which columns hold the addresses and first names ('' for none), and reads the file by them.
 * @throws {Refused} invalid for a column that the file does not have, not_found when it is over */
export async function chooseColumns(
  services: Services,
  id: string,
  { email, firstName }: { email: string; firstName: string },
): Promise<void> {
  const found = isId(id)
    ? await services.db.read
        .selectFrom("subscriberImports")
        .select("headings")
        .where("id", "=", id)
        .executeTakeFirst()
    : null;
  if (!found) throw new Refused("not_found", importMessages.gone);
  const place = (text: string) =>
    /^\d{1,3}$/.test(text) && Number(text) < found.headings.length ? Number(text) : null;
  const address = place(email);
  if (address === null) throw new Refused("invalid", importMessages.noAddressColumn);
  const others = otherColumns(found.headings);
  const name = place(firstName);
  const isWholeName = others.isWholeName && others.firstName === name;
  const chosen = { ...others, email: address, firstName: name, isWholeName };
  if (!(await readWith(services, id, JSON.stringify(chosen))))
    throw new Refused("not_found", importMessages.gone);
}

/** Begins to import a file that was read. @throws {Refused} not_found when it is over or has begun */
export async function beginImport(services: Services, id: string): Promise<void> {
  const { db, clock } = services;
  if (!isId(id)) throw new Refused("not_found", importMessages.gone);
  await db.transaction(async (trx) => {
    const begun = await trx
      .updateTable("subscriberImports")
      .set({ state: "importing" })
      .where("id", "=", id)
      .where("state", "=", "ready")
      .returning(["fileName", "counts"])
      .executeTakeFirst();
    if (!begun) throw new Refused("not_found", importMessages.gone);
    await enqueue(trx, runImport, { importId: id }, { now: clock.now() });
    const { confirm = 0, ask = 0 } = begun.counts;
    await recordAudit(trx, services, {
      ...{ action: "subscriber.imported", id, label: begun.fileName },
      details: { added: confirm, asked: ask },
    });
  });
  services.wakeWorker();
}
