import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { CsvError, parse } from "csv-parse";
import type { Insertable } from "kysely";
import { z } from "zod";
import { emailKey } from "~/features/newsletter/rules.ts";
import { addressField } from "~/features/newsletter/schema.ts";
import type { Query } from "~/platform/db/database.ts";
import type { SubscriberImportRowsTable } from "~/platform/db/newsletter-tables.ts";
import type { Services } from "~/platform/http/services.ts";
import { isTimeZone } from "~/platform/http/time-zone.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { brokenRow, importMessages, maxFileRows } from "./messages.ts";
import { type FileColumns, outcomeOf, type RowOutcome, readRow, shortValue } from "./rules.ts";

type Row = Insertable<SubscriberImportRowsTable> & { outcome: RowOutcome };

/** Rows in one transaction, so that SQLite's other writers wait some milliseconds. */
const storedAtOnce = 100;

/** Between two portions, in milliseconds: pages are answered meanwhile. */
export const pauseMs = 5;

const longestRow = 64 * 1024;

async function* parts({ read }: { read: Query }, importId: string): AsyncGenerator<string> {
  for (let number = 0; ; number += 1) {
    const part = await read
      .selectFrom("subscriberImportParts")
      .select("content")
      .where("importId", "=", importId)
      .where("number", "=", number)
      .executeTakeFirst();
    if (!part) return;
    yield part.content;
  }
}

export const importPayload = z.object({ importId: z.string() });

/** Reads a file into rows and says what will become of each. Begins again after a crash: what it
 * writes is the same. */
export const readImport = defineJob({
  kind: "subscriber-import.read",
  label: "Reading a file of subscribers",
  sendsEmail: false,
  priority: "bulk",
  payload: importPayload,
  async run(services, { importId }, { signal }) {
    const { db } = services;
    const found = await db.read
      .selectFrom("subscriberImports")
      .select(["delimiter", "chosen"])
      .where("id", "=", importId)
      .where("state", "=", "reading")
      .executeTakeFirst();
    if (!found?.chosen) return;
    const problem = await readRows(services, { importId, signal, ...found });
    if (problem)
      await db.write
        .updateTable("subscriberImports")
        .set({ state: "unreadable", problem })
        .where("id", "=", importId)
        .execute();
    else await countRows(services, importId);
    await deleteImportParts(services, importId);
  },
});

class TooManyRows extends Error {}

type Reading = { importId: string; signal: AbortSignal; delimiter: string; chosen: unknown };

/** @returns why the file cannot be imported, or null */
async function readRows(
  services: Services,
  { importId, signal, delimiter, chosen }: Reading,
): Promise<string | null> {
  const columns = chosen as FileColumns;
  const now = services.clock.now();
  const parser = parse({
    ...{ delimiter, relax_column_count: true, relax_quotes: true, max_record_size: longestRow },
  });
  const seen = new Map<string, RowOutcome>();
  let rows: Row[] = [];
  let number = 0;
  try {
    await pipeline(parts(services.db, importId), parser, async (lines) => {
      for await (const cells of lines as AsyncIterable<string[]>) {
        number += 1;
        if (number > maxFileRows + 1) throw new TooManyRows();
        if (number === 1 || cells.every((cell) => cell.trim() === "")) continue;
        rows.push({ importId, number, ...rowOf(cells, columns, now) });
        if (rows.length < storedAtOnce) continue;
        await storeRows(services, { importId, rows, seen, number });
        await setTimeout(pauseMs, null, { signal });
        rows = [];
      }
    });
  } catch (error) {
    if (error instanceof TooManyRows) return importMessages.tooManyRows;
    if (!(error instanceof CsvError)) throw error;
    return brokenRow(Number(error.records) + 1);
  }
  await storeRows(services, { importId, rows, seen, number });
  return number < 2 ? importMessages.empty : null;
}

function rowOf(cells: string[], columns: FileColumns, now: Date) {
  const {
    email: typed,
    firstName,
    timeZone,
    hasLeft,
    consent,
    consentAt,
  } = readRow(cells, columns, now);
  const zone = timeZone && timeZone.length <= 64 && isTimeZone(timeZone) ? timeZone : null;
  const { success, data } = addressField.safeParse(typed);
  const person = { firstName, timeZone: zone, consent, consentAt };
  if (!success)
    return {
      ...person,
      email: shortValue(typed),
      emailKey: "",
      outcome: "invalid",
      problem: "invalid",
    } as const;
  const address = { email: data, emailKey: emailKey(data) };
  if (hasLeft)
    return { ...person, ...address, outcome: "unsubscribed", problem: "unsubscribed" } as const;
  const problem = consent && !consentAt ? "date" : null;
  return { ...person, ...address, outcome: "ask" as const, problem };
}

type Stored = { importId: string; rows: Row[]; seen: Map<string, RowOutcome>; number: number };

async function storeRows({ db }: Services, { importId, rows, seen, number }: Stored) {
  const standing = await standingOf(
    db.read,
    rows.map((row) => row.emailKey),
  );
  // Of an address that is in the file twice, the first row counts, but one that has left counts more.
  const late: string[] = [];
  for (const row of rows) {
    if (row.outcome === "invalid") continue;
    const before = seen.get(row.emailKey);
    if (before && (row.outcome !== "unsubscribed" || before === "unsubscribed"))
      Object.assign(row, { outcome: "duplicate", problem: "duplicate" });
    else {
      if (before) late.push(row.emailKey);
      if (row.outcome === "ask")
        row.outcome = outcomeOf(standing(row.emailKey), row.consentAt ?? null);
      if (row.outcome !== "ask" && row.problem === "date") row.problem = null;
      if (row.outcome === "left" || row.outcome === "suppressed") row.problem = row.outcome;
      seen.set(row.emailKey, row.outcome);
    }
  }
  await db.transaction(async (trx) => {
    if (rows.length > 0)
      await trx
        .insertInto("subscriberImportRows")
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(["importId", "number"]).doUpdateSet(({ ref }) => ({
            outcome: ref("excluded.outcome"),
            problem: ref("excluded.problem"),
          })),
        )
        .execute();
    if (late.length > 0)
      await trx
        .updateTable("subscriberImportRows")
        .set({ outcome: "duplicate", problem: "duplicate" })
        .where("importId", "=", importId)
        .where("emailKey", "in", late)
        .where("outcome", "!=", "unsubscribed")
        .execute();
    await trx
      .updateTable("subscriberImports")
      .set({ rowsRead: number })
      .where("id", "=", importId)
      .execute();
  });
}

/** How addresses stand on the list now. */
export async function standingOf(db: Query, all: readonly string[]) {
  const keys = [...new Set(all)].filter((key) => key !== "");
  if (keys.length === 0) return () => ({ status: null, isSuppressed: false }) as const;
  const listed = db.selectFrom("subscribers").select(["emailKey", "status"]);
  const known = await listed.where("emailKey", "in", keys).execute();
  const suppressions = db.selectFrom("suppressions").select("address");
  const suppressed = await suppressions.where("address", "in", keys).execute();
  const statuses = new Map(known.map(({ emailKey: key, status }) => [key, status]));
  const silent = new Set(suppressed.map(({ address }) => address));
  return (key: string) => ({ status: statuses.get(key) ?? null, isSuppressed: silent.has(key) });
}

async function countRows({ db }: Services, importId: string) {
  const found = await db.read
    .selectFrom("subscriberImportRows")
    .select(["outcome", ({ fn }) => fn.countAll().as("count")])
    .where("importId", "=", importId)
    .groupBy("outcome")
    .execute();
  const counts = Object.fromEntries(found.map(({ outcome, count }) => [outcome, Number(count)]));
  await db.write
    .updateTable("subscriberImports")
    .set({ counts: JSON.stringify(counts), state: "ready" })
    .where("id", "=", importId)
    .where("state", "=", "reading")
    .execute();
}

export async function deleteImportParts({ db }: Services, importId: string) {
  const numbers = await db.read
    .selectFrom("subscriberImportParts")
    .select("number")
    .where("importId", "=", importId)
    .execute();
  for (const { number } of numbers)
    await db.write
      .deleteFrom("subscriberImportParts")
      .where("importId", "=", importId)
      .where("number", "=", number)
      .execute();
}
