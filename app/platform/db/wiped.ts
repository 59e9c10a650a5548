import type { Services } from "../services.ts";
import type { Query } from "./database.ts";

/** Says that what was readable once is in no part of the database's files any more. */
const setting = "journals-wiped";
/** Says when that was tried last, and failed. */
const failure = "journals-wipe-failed";

export async function isWiped({ db }: Services): Promise<boolean> {
  const row = await db.write
    .selectFrom("settings")
    .select("value")
    .where("name", "=", setting)
    .executeTakeFirst();
  return row !== undefined;
}

export async function markWiped({ db, clock }: Services): Promise<void> {
  await db.write
    .insertInto("settings")
    .values({ name: setting, value: "yes", createdAt: clock.now() })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}

/** Readable words are about to be sealed. */
export async function unmarkWiped({ db }: Services): Promise<void> {
  await db.write.deleteFrom("settings").where("name", "=", setting).execute();
}

/** Whether it failed after that moment, on whichever machine. */
export async function hasWipeFailedSince({ db }: Services, since: Date): Promise<boolean> {
  const row = await db.write
    .selectFrom("settings")
    .select("createdAt")
    .where("name", "=", failure)
    .where("createdAt", ">", since)
    .executeTakeFirst();
  return row !== undefined;
}

export async function noteWipeFailed({ db, clock }: Services): Promise<void> {
  const createdAt = clock.now();
  await db.write
    .insertInto("settings")
    .values({ name: failure, value: "yes", createdAt })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ createdAt }))
    .execute();
}

export async function hasPeople({ db }: Services): Promise<boolean> {
  const row = await db.write.selectFrom("profiles").select("id").limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Since when the files of the database may hold what was deleted, and when they were last written anew. */
const deletion = "deletion-noted";
const rewriting = "deletion-wiped";

/** Says, on the transaction of a deletion, that a wipe is due. */
export async function noteDeletion(db: Query, now: Date): Promise<void> {
  await db
    .insertInto("settings")
    .values({ name: deletion, value: "yes", createdAt: now })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ createdAt: now }))
    .execute();
}

/** The newest deletion of which the files have not been wiped; null when there is none, or one of `since` has been. */
export async function findUnwiped({ db }: Services, since: Date): Promise<Date | null> {
  const rows = await db.write
    .selectFrom("settings")
    .select(["name", "createdAt"])
    .where("name", "in", [deletion, rewriting])
    .execute();
  const times = Object.fromEntries(rows.map(({ name, createdAt }) => [name, createdAt]));
  const isRecent = (times[rewriting]?.getTime() ?? 0) > since.getTime();
  return (!isRecent && times[deletion]) || null;
}

/** @param noted as {@link findUnwiped} gave it: a deletion of meanwhile waits for the next wipe */
export async function noteWiped({ db, clock }: Services, noted: Date): Promise<void> {
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
