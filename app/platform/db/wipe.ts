import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { sql } from "kysely";
import type { Clock } from "../utils/clock.ts";
import type { Database, Query } from "./database.ts";

type Needs = { db: Database; clock: Clock };

const deletion = "deletion-noted";
const rewriting = "deletion-wiped";

export async function noteDeletion(db: Query, now: Date): Promise<void> {
  await db
    .insertInto("settings")
    .values({ name: deletion, value: "yes", createdAt: now })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ createdAt: now }))
    .execute();
}

/** The newest deletion that is not wiped; null for none, or after a wipe since `since`. */
export async function findUnwiped({ db }: Pick<Needs, "db">, since: Date): Promise<Date | null> {
  const rows = await db.write
    .selectFrom("settings")
    .select(["name", "createdAt"])
    .where("name", "in", [deletion, rewriting])
    .execute();
  const times = Object.fromEntries(rows.map(({ name, createdAt }) => [name, createdAt]));
  const isRecent = (times[rewriting]?.getTime() ?? 0) > since.getTime();
  return (!isRecent && times[deletion]) || null;
}

/** @param noted from {@link findUnwiped}: a deletion since then waits for the next wipe */
export async function noteWiped({ db, clock }: Needs, noted: Date): Promise<void> {
  const createdAt = clock.now();
  await db.transaction(async (trx) => {
    await trx
      .deleteFrom("settings")
      .where("name", "=", deletion)
      .where("createdAt", "=", noted)
      .execute();
    await trx
      .insertInto("settings")
      .values({ name: rewriting, value: "yes", createdAt })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ createdAt }))
      .execute();
  });
}

/** Makes deleted data unreadable on SQLite: a thread rewrites index and file, and empties the log;
 * reads continue, writes wait (docs/decisions/015). @returns false while others read the log */
export function wipeDeleted({ write }: Database): Promise<boolean> {
  return write.connection().execute(rewriteFile);
}

// Holding the one connection that writes makes all other writes wait.
async function rewriteFile(own: Query): Promise<boolean> {
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(own);
  const thread = new Worker(`(${rewriteInThread})()`, { eval: true, workerData: rows[0]?.file });
  const [isWhole] = await once(thread, "message");
  return isWhole;
}

// Becomes the thread's source text, since a built site is one file: no outside references.
function rewriteInThread(): void {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  const database = new DatabaseSync(workerData, { timeout: 5000 });
  try {
    database.exec("pragma secure_delete = on");
    // A deleted row's words stay in a full-text index until its segments are merged.
    database.exec("insert into people_search (people_search) values ('optimize')");
    // secure_delete misses the copies left behind when a page's rows move to another page.
    database.exec("vacuum");
    const emptied = database.prepare("pragma wal_checkpoint(truncate)").get();
    parentPort?.postMessage(emptied?.busy === 0);
  } finally {
    database.close();
  }
}
