import { compareShape } from "./move.ts";
import { connect, digestOf, readRows, readTables } from "./postgres.ts";
import { fillSqlite, openSnapshot, digestOf as sqliteDigestOf } from "./sqlite.ts";
import { inOrder } from "./table.ts";
import { CannotMove } from "./target.ts";

/**
 * Copies everything that a database of PostgreSQL holds at one moment into a migrated file of
 * SQLite, reads it back and compares. Whoever writes meanwhile is neither waited for nor held up.
 */
export async function gatherFromPostgres(url: string, file: string): Promise<void> {
  const client = await connect(url);
  try {
    await client.query("begin isolation level repeatable read read only");
    const tables = inOrder(await readTables(client));
    const before = openSnapshot(file);
    compareShape(before, tables);
    before.close();
    await fillSqlite(file, tables, (table) => readRows(client, table));
    const filled = openSnapshot(file);
    try {
      for (const table of tables) {
        const [read, written] = [await digestOf(client, table), sqliteDigestOf(filled, table)];
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
