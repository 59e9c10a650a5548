import type pg from "pg";
import { migrateAt } from "../db/database.ts";
import { migrationNames } from "../db/migrate.ts";
import type { Digest } from "./cells.ts";
import { connect, digestOf, readTables, writeRows } from "./postgres.ts";
import { openSnapshot, type SqliteSnapshot, digestOf as sqliteDigestOf } from "./sqlite.ts";
import { earlyRules, inOrder, quoted, type Table } from "./table.ts";
import { CannotMove, filledOf, leaveMark, requireOwnMark, requireUsable } from "./target.ts";

export type Moved = {
  /** In the order in which they were copied. */
  tables: { name: string; rows: number }[];
  /** The target had exactly these rows already: nothing was written. */
  alreadyThere: boolean;
  /** Whether somebody wrote to the source since the snapshot was taken. */
  changedSince: boolean;
};

type Digests = Record<string, Digest>;
/**
 * Copies everything that a SQLite file holds into PostgreSQL, in one transaction there: all of it,
 * read back and compared, or nothing. The file may be written to meanwhile.
 * @param site the source's id, or null where the target must be empty
 * @throws {CannotMove | BadRow}
 */
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
    const tables = inOrder(await readTables(client));
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
    // What was not committed is undone with its connection.
    await client.end();
  }
}

/** @throws {CannotMove} where one of them has a table or column that the other has not */
export function compareShape(snapshot: SqliteSnapshot, tables: readonly Table[]) {
  const here = new Map(
    snapshot.tables.map((name) => [name, snapshot.columnsOf(name).sort().join()]),
  );
  const there = new Map(
    tables.map(({ name, columns }) => [
      name,
      columns
        .map((c) => c.name)
        .sort()
        .join(),
    ]),
  );
  const different = [...new Set([...here.keys(), ...there.keys()])].filter(
    (name) => here.get(name) !== there.get(name),
  );
  if (different.length > 0) throw new CannotMove(notSameForm(different));
}

/** @throws {CannotMove} for a file that an older version has worked on, or a newer one */
function requireNewest(snapshot: SqliteSnapshot) {
  const ran = new Set(snapshot.migrations);
  const different = migrationNames.filter((name) => !ran.delete(name));
  if (different.length + ran.size > 0) throw new CannotMove(notSameForm([...different, ...ran]));
}

const notSameForm = (different: readonly string[]) =>
  `The two databases have not the same form (${different.join(", ")}). Start the site once with this version, so that its own database is up to date, then run this again.`;

/** From here on nobody else reads or writes there; a site that runs on it waits. */
async function lock(client: pg.Client, tables: readonly Table[]) {
  await client.query("set local lock_timeout = '20s'");
  await client.query(`lock table ${tables.map(({ name }) => quoted(name)).join(", ")}`);
}

/** Null for an empty target, or the sums of an earlier copy that nobody has touched since. */
async function lookAtTarget(client: pg.Client, tables: readonly Table[], site: string | null) {
  const filled = await filledOf(client, tables);
  if (filled.length === 0) return null;
  const mark = await requireOwnMark(client, site, filled);
  const sums: Record<string, string> = {};
  for (const table of tables) sums[table.name] = (await digestOf(client, table)).sum;
  if (!isSame(sums, mark.sums))
    throw new CannotMove(
      "That database was copied from this site before, and has been changed since: a site runs on it, or ran. Nothing was changed: what was written there is not thrown away. If that is to happen, name a new, empty database.",
    );
  return sums;
}

function sourceDigests(snapshot: SqliteSnapshot, tables: readonly Table[]): Digests {
  return Object.fromEntries(tables.map((table) => [table.name, sqliteDigestOf(snapshot, table)]));
}

async function copyAll(
  client: pg.Client,
  snapshot: SqliteSnapshot,
  tables: readonly Table[],
  tell: (line: string) => void,
): Promise<Digests> {
  // Else every course would count as a change beside the count that is copied (migration 005).
  await client.query("select set_config('blue_dot.content_bumped', 'yes', true)");
  const names = tables.map(({ name }) => quoted(name)).join(", ");
  // With what is derived from them: it points to them.
  await client.query(`truncate ${names} cascade`);
  const early = tables.flatMap((table) =>
    earlyRules(tables, table).map(
      (rule) => `${quoted(table.name)} alter constraint ${quoted(rule)}`,
    ),
  );
  for (const rule of early) await client.query(`alter table ${rule} deferrable initially deferred`);
  const digests: Digests = {};
  for (const table of tables) {
    const read = await writeRows(client, table, snapshot.rows(table));
    const written = await digestOf(client, table);
    if (read.rows !== written.rows || read.sum !== written.sum)
      throw new CannotMove(
        `${table.name}: ${read.rows} rows were read and ${written.rows} came back, or not as they were. Nothing was changed.`,
      );
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
