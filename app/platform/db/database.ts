import path from "node:path";
import { type Kysely, type SelectQueryBuilder, sql, type Transaction } from "kysely";
import type { Config } from "../config/config.ts";
import { withTimeout } from "../utils/clock.ts";
import type { Engine } from "./columns.ts";
import { migrate } from "./migrate.ts";
import { openPostgres } from "./postgres.ts";
import { openSqlite } from "./sqlite.ts";
import type { Tables } from "./tables.ts";
import { TroubleNote } from "./trouble.ts";

export type Query = Kysely<Tables>;

/** Queries use `read`, commands `write` or `transaction`. Inside `transaction`, make only database
 * calls, and only on its handle: SQLite has one writer, and everyone waits for it. */
export type Database = {
  engine: Engine;
  read: Query;
  write: Query;
  transaction<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>;
  /** For a statement that a power cut may undo: on SQLite its commit does not wait for the disk. */
  unsynced<T>(work: (own: Query) => Promise<T>): Promise<T>;
  /** What statements have met that keeps the whole database from being written. */
  trouble: TroubleNote;
  close(): Promise<void>;
};

/** Whether a query without columns finds a row. */
export async function isAny<DB, From extends keyof DB>(
  query: SelectQueryBuilder<DB, From, object>,
): Promise<boolean> {
  return Boolean(await query.select(sql.lit(1).as("one")).limit(1).executeTakeFirst());
}

/** How many rows a query without columns finds. */
export async function countOf<DB, From extends keyof DB>(
  query: SelectQueryBuilder<DB, From, object>,
): Promise<number> {
  const found = query.select(({ fn }) => fn.countAll().as("count"));
  const { count } = await found.$castTo<{ count: number }>().executeTakeFirstOrThrow();
  return Number(count);
}

export function sqliteFile(config: Pick<Config, "dataDir">): string {
  return path.join(config.dataDir, "site.db");
}

export async function openDatabase(
  config: Pick<Config, "databaseUrl" | "dataDir"> & { databaseSilenceMs?: number },
  onError: (error: Error) => void,
): Promise<Database> {
  const { databaseUrl, databaseSilenceMs: silence = 0 } = config;
  const trouble = new TroubleNote();
  const { note } = trouble;
  if (databaseUrl) {
    // A migration may say nothing for long, so it has a connection of its own.
    await migrateAt({ url: databaseUrl });
    const db = openPostgres(databaseUrl, { onError, silence, onFailure: note });
    return { ...handles("postgres", db, db), trouble };
  }
  const file = sqliteFile(config);
  const writer = openSqlite(file, "write", note);
  await migrate(writer, "sqlite").catch(async (error: unknown) => {
    await writer.destroy();
    throw error;
  });
  return { ...handles("sqlite", writer, openSqlite(file, "read", note)), trouble };
}

export async function migrateAt(place: { url: string } | { file: string }): Promise<void> {
  const [db, engine] =
    "url" in place
      ? [openPostgres(place.url, { onError: () => {} }), "postgres" as const]
      : [openSqlite(place.file, "write"), "sqlite" as const];
  try {
    await migrate(db, engine);
  } finally {
    await db.destroy();
  }
}

/** A connection that is silent when the site stops is left to the end of the process. */
const closeWithinMs = 2000;

function handles(engine: Engine, write: Query, read: Query) {
  return {
    engine,
    read,
    write,
    transaction: <T>(work: (trx: Transaction<Tables>) => Promise<T>) =>
      write.transaction().execute(work),
    unsynced: <T>(work: (own: Query) => Promise<T>) =>
      engine === "sqlite" ? unsynced(write, work) : work(write),
    async close() {
      if (read !== write) await read.destroy();
      await withTimeout(closeWithinMs, write.destroy(), undefined);
    },
  };
}

// The next commit that waits for the disk also flushes these writes (WAL).
function unsynced<T>(write: Query, work: (own: Query) => Promise<T>): Promise<T> {
  return write.connection().execute(async (own) => {
    await sql`pragma synchronous = normal`.execute(own);
    try {
      return await work(own);
    } finally {
      await sql`pragma synchronous = full`.execute(own);
    }
  });
}
