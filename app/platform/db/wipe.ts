import { sql } from "kysely";
import type { Database, Query } from "./database.ts";

/**
 * Makes what was overwritten or deleted in these tables unreadable in the database's own files.
 * SQLite: the whole file is written anew and its log emptied; nothing else happens in this process
 * meanwhile (docs/decisions/038). PostgreSQL: the tables are written anew, and nobody
 * can use them meanwhile; its log, replicas and the disk's free blocks are not in our hands.
 * @returns false when somebody else works there: to be tried again later
 */
export async function wipeDeleted(
  { engine, write, patiently }: Database,
  tables: readonly string[],
): Promise<boolean> {
  if (engine === "postgres") return patiently((own) => rewriteTables(own, tables));
  await sql`vacuum`.execute(write);
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(write);
  return rows[0]?.busy === 0;
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
