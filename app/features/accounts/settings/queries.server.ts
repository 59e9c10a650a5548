import type { Services } from "~/platform/services.ts";

/** Whom a letter about her account is for; null when the account is gone. */
export async function findOwner({ db }: Pick<Services, "db">, userId: string) {
  const row = await db.read
    .selectFrom("profiles")
    .select(["name", "email", "timeZone", "deletionDueAt"])
    .where("id", "=", userId)
    .executeTakeFirst();
  return row ?? null;
}
