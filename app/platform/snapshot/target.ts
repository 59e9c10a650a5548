import type pg from "pg";
import { migrationNames } from "../db/migrate.ts";
import { connect, hasRows, migrationsAt, readTables, relationsAt } from "./postgres.ts";
import { isBookkeeping, isCarried, type Table } from "./table.ts";

/** Nothing was copied, for a reason that whoever asked can mend; the message is for her. */
export class CannotMove extends Error {}

/** What an earlier copy left in the comment of the settings: whose rows these are, and their sums. */
export type Mark = { site: string; sums: Record<string, string> };
const markBegins = "copied by db:move ";

export type Wanted = {
  /** Names of the tables that are going to be filled, in the newest form. */
  tables: readonly string[];
  /** The site's id, or null where the database must be empty. */
  site: string | null;
};

/**
 * Looks at a database that is going to be filled, before anything in it is changed: it is empty, has
 * this site's empty tables, or the copy that this site left there.
 * @returns whether its tables are in the newest form already
 * @throws {CannotMove} for one that holds anything else
 */
export async function requireUsable(client: pg.Client, wanted: Wanted): Promise<boolean> {
  await client.query("begin isolation level repeatable read read only");
  const ran = await migrationsAt(client);
  const unknown = ran.filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0)
    throw new CannotMove(
      `A newer version of the site, or another program, has worked on that database (${unknown[0]}). Nothing was changed. Name an empty one.`,
    );
  // Tables that no migration of ours has made there are not ours, whatever they are called.
  const isOurs = (name: string) =>
    ran.length > 0 && (wanted.tables.includes(name) || !isCarried(name));
  const foreign = (await relationsAt(client)).filter(
    (name) => !isBookkeeping(name) && !isOurs(name),
  );
  if (foreign.length > 0)
    throw new CannotMove(
      `That database holds tables that are not this site's (${some(foreign)}). Nothing was changed. Name an empty one.`,
    );
  const isNewest = ran.length === migrationNames.length;
  const filled = await filledOf(client, await readTables(client));
  if (filled.length > 0) {
    await requireOwnMark(client, wanted.site, filled);
    if (!isNewest)
      throw new CannotMove(
        "That database holds a copy that an older version of the site made. Nothing was changed. Name a new, empty one.",
      );
  }
  await client.query("commit");
  return isNewest;
}

/** {@link requireUsable}, at an address. */
export async function lookAt(url: string, wanted: Wanted): Promise<void> {
  const client = await connect(url);
  try {
    await requireUsable(client, wanted);
  } finally {
    await client.end();
  }
}

/**
 * Names of the tables that have rows, but for those that every start of a site makes: what it counts,
 * and which key it would seal with.
 */
export async function filledOf(client: pg.Client, tables: readonly Table[]): Promise<string[]> {
  const filled: string[] = [];
  for (const table of tables) {
    if (table.name === "content_version") continue;
    const but = table.name === "settings" ? "name not like 'journal%'" : "true";
    if (await hasRows(client, table, but)) filled.push(table.name);
  }
  return filled;
}

/** @throws {CannotMove} where the rows that are there are not a copy that this site has made */
export async function requireOwnMark(
  client: pg.Client,
  site: string | null,
  filled: readonly string[],
): Promise<Mark> {
  const { rows } = await client.query<{ comment: string | null }>(
    "select obj_description(to_regclass('settings'), 'pg_class') as comment",
  );
  const comment = rows[0]?.comment ?? "";
  if (site === null || !comment.startsWith(markBegins))
    throw new CannotMove(
      `That database is not empty (${filled.join(", ")}). Nothing was changed. Name an empty one.`,
    );
  const mark = JSON.parse(comment.slice(markBegins.length)) as Mark;
  if (mark.site !== site)
    throw new CannotMove(
      "That database holds another site's data. Nothing was changed. Name an empty database.",
    );
  return mark;
}

export async function leaveMark(client: pg.Client, mark: Mark): Promise<void> {
  const text = client.escapeLiteral(markBegins + JSON.stringify(mark));
  await client.query(`comment on table settings is ${text}`);
}

const some = (names: readonly string[]) =>
  `${names.slice(0, 3).join(", ")}${names.length > 3 ? ` and ${names.length - 3} more` : ""}`;
