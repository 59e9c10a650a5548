import type { Services } from "../services.ts";

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
