import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { connect, postgresDigest, readTables } from "~/platform/db-copy/postgres.ts";
import { openSnapshot, sqliteDigest } from "~/platform/db-copy/sqlite.ts";
import type { CopiedTable } from "~/platform/db-copy/table.ts";

/** The tables of a migrated database of PostgreSQL that are carried. */
export async function tablesAt(url: string): Promise<CopiedTable[]> {
  const client = await connect(url);
  try {
    return await readTables(client);
  } finally {
    await client.end();
  }
}

/** Rows and sums of each table. */
export async function contentOf(place: { url: string } | { file: string }, tables: CopiedTable[]) {
  if ("file" in place) {
    const snapshot = openSnapshot(place.file);
    const all = tables.map((table) => [table.name, sqliteDigest(snapshot, table)] as const);
    snapshot.close();
    return Object.fromEntries(all);
  }
  const client = await connect(place.url);
  try {
    const content: Record<string, { rows: number; sum: string }> = {};
    await client.query("begin");
    for (const table of tables) content[table.name] = await postgresDigest(client, table);
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
