import type { Database, Query } from "../db/database.ts";
import type { Clock } from "../utils/clock.ts";

const setting = "journal-key";

/** Ids of the master keys that users' keys are wrapped with. */
export async function usedIds(db: Query): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    // Steps through the index: one key may have a million rows.
    const { next } = await db
      .selectFrom("journalKeys")
      .select(({ fn }) => fn.min<string | null>("masterId").as("next"))
      .where("masterId", ">", ids.at(-1) ?? "")
      .executeTakeFirstOrThrow();
    if (next === null) return ids;
    ids.push(next);
  }
}

const current = (db: Query) =>
  db.selectFrom("settings").select("value").where("name", "=", setting);

/** @throws when no site has ever started on this database */
export async function currentId(db: Query): Promise<string> {
  return (await current(db).executeTakeFirstOrThrow()).value;
}

/** {@link currentId}, locked until the transaction ends: a rotation waits, then sees new rows. */
export async function lockCurrentId({ engine }: Database, trx: Query): Promise<string> {
  const row = engine === "postgres" ? current(trx).forShare() : current(trx);
  return (await row.executeTakeFirstOrThrow()).value;
}

/** New users' keys are wrapped with this one from now on; waits for those being created. */
export async function makeCurrent(db: Database, id: string): Promise<void> {
  await db.write.updateTable("settings").set({ value: id }).where("name", "=", setting).execute();
}

/** Makes `own` the current key where none is set, or one that is neither used nor known. */
export async function startWith(
  db: Database,
  clock: Clock,
  own: string,
  isKnown: (id: string) => boolean,
): Promise<void> {
  const named = await current(db.write).executeTakeFirst();
  if (named && isKnown(named.value)) return;
  await db.transaction(async (trx) => {
    await trx
      .insertInto("settings")
      .values({ name: setting, value: own, createdAt: clock.now() })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
    const row = db.engine === "postgres" ? current(trx).forUpdate() : current(trx);
    const { value } = await row.executeTakeFirstOrThrow();
    if (isKnown(value) || (await usedIds(trx)).includes(value)) return;
    await trx.updateTable("settings").set({ value: own }).where("name", "=", setting).execute();
  });
}
