import type pg from "pg";
import { migrationNames } from "../db/migrate.ts";
import { connect, hasRows, migrationsAt, readTables, relationsAt } from "./postgres.ts";
import { type CopiedTable, isBookkeeping, isCarried } from "./table.ts";

export class CannotMove extends Error {}

/** In the comment of the settings table: the source of an earlier copy, and its sums. */
export type CopyMark = { site: string; sums: Record<string, string> };
const markBegins = "copied by db:move ";

export type Wanted = { tables: readonly string[]; site: string | null };

/** Checks a target before any change: it is empty, has this site's empty tables, or its earlier
 * copy. @returns whether its tables are up to date @throws {CannotMove} for anything else */
export async function requireUsable(client: pg.Client, wanted: Wanted): Promise<boolean> {
  await client.query("begin isolation level repeatable read read only");
  const ran = await migrationsAt(client);
  const unknown = ran.filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0)
    throw new CannotMove(
      `A newer version of the site, or another program, has worked on that database (${unknown[0]}). Nothing was changed. Name an empty one.`,
    );
  // Without our migrations, tables are not ours, whatever their names.
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

export async function lookAt(url: string, wanted: Wanted): Promise<void> {
  const client = await connect(url);
  try {
    await requireUsable(client, wanted);
  } finally {
    await client.end();
  }
}

/** Except tables that every start fills: the content version and the journal key's setting. */
export async function filledOf(
  client: pg.Client,
  tables: readonly CopiedTable[],
): Promise<string[]> {
  const filled: string[] = [];
  for (const table of tables) {
    if (table.name === "content_version") continue;
    const but = table.name === "settings" ? "name not like 'journal%'" : "true";
    if (await hasRows(client, table, but)) filled.push(table.name);
  }
  return filled;
}

/** @throws {CannotMove} where the rows that are there are not this site's copy */
export async function requireOwnMark(
  client: pg.Client,
  site: string | null,
  filled: readonly string[],
): Promise<CopyMark> {
  const { rows } = await client.query<{ comment: string | null }>(
    "select obj_description(to_regclass('settings'), 'pg_class') as comment",
  );
  const comment = rows[0]?.comment ?? "";
  if (site === null || !comment.startsWith(markBegins))
    throw new CannotMove(
      `That database is not empty (${filled.join(", ")}). Nothing was changed. Name an empty one.`,
    );
  const mark = JSON.parse(comment.slice(markBegins.length)) as CopyMark;
  if (mark.site !== site)
    throw new CannotMove(
      "That database holds another site's data. Nothing was changed. Name an empty database.",
    );
  return mark;
}

export async function leaveMark(client: pg.Client, mark: CopyMark): Promise<void> {
  const text = client.escapeLiteral(markBegins + JSON.stringify(mark));
  await client.query(`comment on table settings is ${text}`);
}

const some = (names: readonly string[]) =>
  `${names.slice(0, 3).join(", ")}${names.length > 3 ? ` and ${names.length - 3} more` : ""}`;
