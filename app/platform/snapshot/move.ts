import type pg from "pg";
import { migrateAt } from "../db/database.ts";
import type { Digest } from "./cells.ts";
import { connect, digestOf, hasRows, readTables, writeRows } from "./postgres.ts";
import { openSnapshot, type SqliteSnapshot, digestOf as sqliteDigestOf } from "./sqlite.ts";
import { earlyRules, inOrder, quoted, type Table } from "./table.ts";

/** Nothing was copied, for a reason that whoever asked can mend; the message is for her. */
export class CannotMove extends Error {}

export type Moved = {
  /** In the order in which they were copied. */
  tables: { name: string; rows: number }[];
  /** The target had exactly these rows already: nothing was written. */
  alreadyThere: boolean;
  /** Whether somebody wrote to the source since the snapshot was taken. */
  changedSince: boolean;
};

type Digests = Record<string, Digest>;
/** What an earlier copy left in the comment of the settings: whose rows these are, and their sums. */
type Mark = { site: string; sums: Record<string, string> };
const markBegins = "copied by db:move ";

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
  await migrateAt({ url });
  const client = await connect(url);
  const snapshot = openSnapshot(file);
  try {
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

/**
 * Looks before anything else is done.
 * @throws {CannotMove} for a database that holds something
 */
export async function requireEmpty(url: string): Promise<void> {
  const client = await connect(url);
  try {
    const filled = await filledOf(client, await readTables(client));
    if (filled.length > 0) throw notEmpty(filled);
  } finally {
    await client.end();
  }
}

async function filledOf(client: pg.Client, tables: readonly Table[]): Promise<string[]> {
  const filled: string[] = [];
  for (const table of tables)
    if (table.name !== "content_version" && (await hasRows(client, table))) filled.push(table.name);
  return filled;
}

const notEmpty = (filled: string[]) =>
  new CannotMove(
    `That database is not empty (${filled.join(", ")}). Nothing was changed. Name an empty one.`,
  );

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
  if (different.length > 0)
    throw new CannotMove(
      `The two databases have not the same form (${different.join(", ")}). Start the site once with this version, so that its own database is up to date, then run this again.`,
    );
}

/** From here on nobody else reads or writes there; a site that runs on it waits. */
async function lock(client: pg.Client, tables: readonly Table[]) {
  await client.query("set local lock_timeout = '20s'");
  await client.query(`lock table ${tables.map(({ name }) => quoted(name)).join(", ")}`);
}

/** Null for an empty target, or the sums of an earlier copy that nobody has touched since. */
async function lookAtTarget(client: pg.Client, tables: readonly Table[], site: string | null) {
  const filled = await filledOf(client, tables);
  if (filled.length === 0) return null;
  const { rows } = await client.query<{ comment: string | null }>(
    "select obj_description('settings'::regclass, 'pg_class') as comment",
  );
  const comment = rows[0]?.comment ?? "";
  if (site === null || !comment.startsWith(markBegins)) throw notEmpty(filled);
  const mark = JSON.parse(comment.slice(markBegins.length)) as Mark;
  if (mark.site !== site)
    throw new CannotMove(
      "That database holds another site's data. Nothing was changed. Name an empty database.",
    );
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

async function leaveMark(client: pg.Client, mark: Mark) {
  const text = client.escapeLiteral(markBegins + JSON.stringify(mark));
  await client.query(`comment on table settings is ${text}`);
}
