import { compareShape } from "./move.ts";
import { connect, postgresDigest, readRows, readTables } from "./postgres.ts";
import { fillSqlite, openSnapshot, sqliteDigest } from "./sqlite.ts";
import { tablesInOrder } from "./table.ts";
import { CannotMove } from "./target.ts";

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
        const [read, written] = [await postgresDigest(client, table), sqliteDigest(filled, table)];
        if (read.rows !== written.rows || read.sum !== written.sum)
          throw new CannotMove(
            `${table.name}: ${read.rows} rows were read and ${written.rows} came back, or not as they were.`,
          );
      }
    } finally {
      filled.close();
    }
  } finally {
    await client.end();
  }
}
