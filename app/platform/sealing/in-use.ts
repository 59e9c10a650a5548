import type { Clock } from "../clock.ts";
import type { Database, Query } from "../db/database.ts";

/** Remembers the fingerprint of the master key that new persons' keys are wrapped with. */
const setting = "journal-key";

/** Fingerprints of all master keys that some person's key is wrapped with. */
export async function usedIds(db: Query): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    // From one to the next by the index: there may be a million rows of one.
    const { next } = await db
      .selectFrom("journalKeys")
      .select(({ fn }) => fn.min<string | null>("masterId").as("next"))
      .where("masterId", ">", ids.at(-1) ?? "")
      .executeTakeFirstOrThrow();
    if (next === null) return ids;
    ids.push(next);
  }
}

/** @throws when no site has ever started on this database */
export async function currentId(db: Query): Promise<string> {
  const { value } = await db
    .selectFrom("settings")
    .select("value")
    .where("name", "=", setting)
    .executeTakeFirstOrThrow();
  return value;
}

/**
 * {@link currentId}, which stays so until the transaction ends: a rotation waits, and then sees what
 * was wrapped with it.
 */
export async function keepCurrentId({ engine }: Database, trx: Query): Promise<string> {
  const row = trx.selectFrom("settings").select("value").where("name", "=", setting);
  const { value } = await (engine === "postgres" ? row.forShare() : row).executeTakeFirstOrThrow();
  return value;
}

/** From now on new persons' keys are wrapped with this one; those that are being made are waited for. */
export async function makeCurrent(db: Database, id: string): Promise<void> {
  await db.write.updateTable("settings").set({ value: id }).where("name", "=", setting).execute();
}

/** Names `own` as the current key where none is named, or one that nothing uses and nobody knows. */
export async function startWith(
  db: Database,
  clock: Clock,
  own: string,
  isKnown: (id: string) => boolean,
): Promise<void> {
  const named = await db.write
    .selectFrom("settings")
    .select("value")
    .where("name", "=", setting)
    .executeTakeFirst();
  if (named && isKnown(named.value)) return;
  await db.transaction(async (trx) => {
    await trx
      .insertInto("settings")
      .values({ name: setting, value: own, createdAt: clock.now() })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
    // Whoever wraps a key with it holds this row until that is done.
    const row = trx.selectFrom("settings").select("value").where("name", "=", setting);
    const { value } = await (db.engine === "postgres"
      ? row.forUpdate()
      : row
    ).executeTakeFirstOrThrow();
    if (isKnown(value) || (await usedIds(trx)).includes(value)) return;
    await trx.updateTable("settings").set({ value: own }).where("name", "=", setting).execute();
  });
}
