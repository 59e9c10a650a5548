import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { connect, digestOf, readTables } from "~/platform/snapshot/postgres.ts";
import { openSnapshot, digestOf as sqliteDigestOf } from "~/platform/snapshot/sqlite.ts";
import type { Table } from "~/platform/snapshot/table.ts";

/** The tables of a migrated database of PostgreSQL that are carried. */
export async function tablesAt(url: string): Promise<Table[]> {
  const client = await connect(url);
  try {
    return await readTables(client);
  } finally {
    await client.end();
  }
}

/** Rows and sums of each table. */
export async function contentOf(place: { url: string } | { file: string }, tables: Table[]) {
  if ("file" in place) {
    const snapshot = openSnapshot(place.file);
    const all = tables.map((table) => [table.name, sqliteDigestOf(snapshot, table)] as const);
    snapshot.close();
    return Object.fromEntries(all);
  }
  const client = await connect(place.url);
  try {
    const content: Record<string, { rows: number; sum: string }> = {};
    await client.query("begin");
    for (const table of tables) content[table.name] = await digestOf(client, table);
    return content;
  } finally {
    await client.end();
  }
}

/** One statement at a database; on SQLite, without its rules where `rules` is false. */
export async function statement(
  place: { url: string } | { file: string },
  sql: string,
  rules = true,
) {
  if ("file" in place) {
    const database = new DatabaseSync(place.file, {
      timeout: 5000,
      enableForeignKeyConstraints: rules,
    });
    try {
      return database.prepare(sql).all();
    } finally {
      database.close();
    }
  }
  const client = new pg.Client({ connectionString: place.url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
