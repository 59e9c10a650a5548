import type { Services } from "~/platform/http/services.ts";

/** Whether a student wants to hear from the coach when quiet; null for an administrator. */
export async function findCareRequest({ db }: Services, userId: string): Promise<boolean | null> {
  const row = await db.read
    .selectFrom("profiles")
    .leftJoin("careRequests", "careRequests.userId", "profiles.id")
    .select(["profiles.role", "careRequests.createdAt"])
    .where("profiles.id", "=", userId)
    .executeTakeFirst();
  return row?.role === "student" ? row.createdAt !== null : null;
}

/** Asks for it, or no longer. Idempotent: three weeks begin with the first time. */
export async function saveCareRequest(
  { db, clock }: Services,
  { userId, isWanted }: { userId: string; isWanted: boolean },
): Promise<void> {
  if (!isWanted) {
    await db.write.deleteFrom("careRequests").where("userId", "=", userId).execute();
    return;
  }
  const now = clock.now();
  await db.write
    .insertInto("careRequests")
    .columns(["userId", "createdAt", "activeAt"])
    .expression((eb) =>
      eb
        .selectFrom("profiles")
        .select(["id", eb.val(now).as("createdAt"), eb.val(now).as("activeAt")])
        .where("id", "=", userId)
        .where("role", "=", "student"),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
