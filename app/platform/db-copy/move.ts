import type pg from "pg";
import { migrateAt } from "../db/database.ts";
import { migrationNames } from "../db/migrate.ts";
import type { Digest } from "./cells.ts";
import { connect, postgresDigest, readRows, readTables, writeRows } from "./postgres.ts";
import { fillSqlite, openSnapshot, type SqliteSnapshot, sqliteDigest } from "./sqlite.ts";
import { type CopiedTable, earlyRules, quoted, tablesInOrder } from "./table.ts";
import { CannotMove, filledOf, leaveMark, requireOwnMark, requireUsable } from "./target.ts";

export type Moved = {
  tables: { name: string; rows: number }[];
  alreadyThere: boolean;
  changedSince: boolean;
};

type Digests = Record<string, Digest>;

/** One transaction: all is copied, read back and compared, or nothing. The file may be written to
 * meanwhile. @param site null where the target must be empty @throws {CannotMove | BadRow} */
export async function moveToPostgres(
  file: string,
  url: string,
  { site, tell }: { site: string | null; tell: (line: string) => void },
): Promise<Moved> {
  const client = await connect(url);
  const snapshot = openSnapshot(file);
  try {
    requireNewest(snapshot);
    const isNewest = await requireUsable(client, { tables: snapshot.tables, site });
    if (!isNewest) await migrateAt({ url });
    const tables = tablesInOrder(await readTables(client));
    compareShape(snapshot, tables);
    await client.query("begin");
    await lock(client, tables);
    const already = await lookAtTarget(client, tables, site);
    const digests = already && sourceDigests(snapshot, tables);
    const alreadyThere = already !== null && isSame(already, sumsOf(digests ?? {}));
    const copied = alreadyThere ? (digests ?? {}) : await copyAll(client, snapshot, tables, tell);
    if (site) await leaveMark(client, { site, sums: sumsOf(copied) });
    await client.query("commit");
    if (!alreadyThere) await client.query("analyze");
    return {
      tables: tables.map(({ name }) => ({ name, rows: copied[name]?.rows ?? 0 })),
      alreadyThere,
      changedSince: snapshot.changedSince(),
    };
  } finally {
    snapshot.close();
    // Closing the connection rolls back what was not committed.
    await client.end();
  }
}

/** Copies a PostgreSQL database at one moment into a migrated SQLite file, reads it back and
 * compares. Neither waits for writers nor blocks them. */
export async function gatherFromPostgres(url: string, file: string): Promise<void> {
  const client = await connect(url);
  try {
    await client.query("begin isolation level repeatable read read only");
    const tables = tablesInOrder(await readTables(client));
    const before = openSnapshot(file);
    compareShape(before, tables);
    before.close();
    await fillSqlite(file, tables, (table) => readRows(client, table));
    const filled = openSnapshot(file);
    try {
      for (const table of tables) {
        const read = await postgresDigest(client, table);
        requireSame(table, read, sqliteDigest(filled, table));
      }
    } finally {
      filled.close();
    }
  } finally {
    await client.end();
  }
}

function compareShape(snapshot: SqliteSnapshot, tables: readonly CopiedTable[]) {
  const columns = (names: string[]) => names.sort().join();
  const here = new Map(snapshot.tables.map((name) => [name, columns(snapshot.columnsOf(name))]));
  const there = new Map(tables.map((one) => [one.name, columns(one.columns.map((c) => c.name))]));
  const different = [...new Set([...here.keys(), ...there.keys()])].filter(
    (name) => here.get(name) !== there.get(name),
  );
  if (different.length > 0) throw new CannotMove(notSameForm(different));
}

function requireNewest(snapshot: SqliteSnapshot) {
  const ran = new Set(snapshot.migrations);
  const different = migrationNames.filter((name) => !ran.delete(name));
  if (different.length + ran.size > 0) throw new CannotMove(notSameForm([...different, ...ran]));
}

const notSameForm = (different: readonly string[]) =>
  `The two databases have not the same form (${different.join(", ")}). Start the site once with this version, so that its own database is up to date, then run this again.`;

// From here on no one else reads or writes there; a site that runs on it waits.
async function lock(client: pg.Client, tables: readonly CopiedTable[]) {
  await client.query("set local lock_timeout = '20s'");
  await client.query(`lock table ${tables.map(({ name }) => quoted(name)).join(", ")}`);
}

async function lookAtTarget(
  client: pg.Client,
  tables: readonly CopiedTable[],
  site: string | null,
) {
  const filled = await filledOf(client, tables);
  if (filled.length === 0) return null;
  const mark = await requireOwnMark(client, site, filled);
  const sums: Record<string, string> = {};
  for (const table of tables) sums[table.name] = (await postgresDigest(client, table)).sum;
  if (!isSame(sums, mark.sums))
    throw new CannotMove(
      "That database was copied from this site before, and has been changed since: a site runs on it, or ran. Nothing was changed: what was written there is not thrown away. If that is to happen, name a new, empty database.",
    );
  return sums;
}

function requireSame({ name }: CopiedTable, read: Digest, written: Digest, more = "") {
  if (read.rows !== written.rows || read.sum !== written.sum)
    throw new CannotMove(
      `${name}: ${read.rows} rows were read and ${written.rows} came back, or not as they were.${more}`,
    );
}

function sourceDigests(snapshot: SqliteSnapshot, tables: readonly CopiedTable[]): Digests {
  return Object.fromEntries(tables.map((table) => [table.name, sqliteDigest(snapshot, table)]));
}

async function copyAll(
  client: pg.Client,
  snapshot: SqliteSnapshot,
  tables: readonly CopiedTable[],
  tell: (line: string) => void,
): Promise<Digests> {
  // Else triggers would count every course as a change (db/migration-001-initial.ts).
  await client.query("select set_config('blue_dot.content_bumped', 'yes', true)");
  const names = tables.map(({ name }) => quoted(name)).join(", ");
  // With the derived tables: words reference these, and sums are made again by what is written.
  await client.query(`truncate ${names}, tallies, tally_changes cascade`);
  const early = tables.flatMap((table) =>
    earlyRules(tables, table).map(
      (rule) => `${quoted(table.name)} alter constraint ${quoted(rule)}`,
    ),
  );
  for (const rule of early) await client.query(`alter table ${rule} deferrable initially deferred`);
  const digests: Digests = {};
  for (const table of tables) {
    const read = await writeRows(client, table, snapshot.rows(table));
    requireSame(table, read, await postgresDigest(client, table), " Nothing was changed.");
    digests[table.name] = read;
    if (read.rows > 0) tell(`${table.name}: ${read.rows}`);
  }
  await client.query("set constraints all immediate");
  for (const rule of early) await client.query(`alter table ${rule} not deferrable`);
  return digests;
}

const sumsOf = (digests: Digests): Record<string, string> =>
  Object.fromEntries(Object.entries(digests).map(([name, { sum }]) => [name, sum]));

function isSame(some: Record<string, string>, others: Record<string, string>): boolean {
  const names = new Set([...Object.keys(some), ...Object.keys(others)]);
  return [...names].every((name) => some[name] === others[name]);
}
