import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { sql } from "kysely";
import type { Database, Query } from "./database.ts";

/**
 * Makes what was overwritten or deleted unreadable in the database's own files.
 * SQLite: the search index and the whole file are written anew in a thread, and the log is emptied.
 * Reads go on meanwhile, writes wait (docs/decisions/046). PostgreSQL: `tables` are written anew, and
 * nobody can use them meanwhile; its log, replicas and the disk's free blocks are not in our hands.
 * @returns false when somebody else works there: to be tried again later
 */
export async function wipeDeleted(
  { engine, write, patiently }: Database,
  tables: readonly string[],
): Promise<boolean> {
  if (engine === "postgres") return patiently((own) => rewriteTables(own, tables));
  return write.connection().execute(rewriteFile);
}

/** @param own the one connection that writes: who holds it makes all other writes wait */
async function rewriteFile(own: Query): Promise<boolean> {
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(own);
  const thread = new Worker(`(${rewriteInThread})()`, { eval: true, workerData: rows[0]?.file });
  const [isWhole] = await once(thread, "message");
  return isWhole;
}

/** Goes into its thread as text, since a built site is one file: it may name nothing outside of it. */
function rewriteInThread(): void {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  const database = new DatabaseSync(workerData, { timeout: 5000 });
  try {
    database.exec("pragma secure_delete = on");
    // A deleted row's words stay in a full-text index until its segments are merged.
    database.exec("insert into people_search (people_search) values ('optimize')");
    // secure_delete misses the copies that stay behind when a page's rows move to another page.
    database.exec("vacuum");
    const emptied = database.prepare("pragma wal_checkpoint(truncate)").get();
    parentPort?.postMessage(emptied?.busy === 0);
  } finally {
    database.close();
  }
}

const lockName = "wipe-deleted";
const lockNotAvailable = "55P03";

/** Locks and settings end with the connection. */
async function rewriteTables(own: Query, tables: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ isMine: boolean }>`
    select pg_try_advisory_lock(hashtextextended(${lockName}, 0)) as is_mine`.execute(own);
  if (!rows[0]?.isMine) return false;
  // Whoever wants to read stands in line behind it: so it does not stand there long itself.
  await sql`set lock_timeout = '2s'`.execute(own);
  // A server may have a limit of its own.
  await sql`set statement_timeout = 0`.execute(own);
  try {
    for (const table of tables) await sql`vacuum (full) ${sql.table(table)}`.execute(own);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === lockNotAvailable) return false;
    throw error;
  }
}
