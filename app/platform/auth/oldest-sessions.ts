import type { Database } from "../db/database.ts";

/** Sessions of one account that are there at once. */
const mostSessions = 100;

/**
 * Ends sessions of an account, where it has too many: first those without a second factor, which a
 * password alone begins, then those that were used longest ago. `newest` has just been begun, and stays.
 */
export async function endOldest(
  { write }: Database,
  userId: string,
  newest: string,
): Promise<void> {
  const surplus = await write
    .selectFrom("sessions")
    .select("id")
    .where("userId", "=", userId)
    .where("id", "!=", newest)
    .orderBy((eb) => eb.case().when("secondFactorAt", "is", null).then(1).else(0).end())
    .orderBy((eb) => eb.fn.coalesce("lastUsedAt", "createdAt"), "desc")
    .orderBy("id", "desc")
    .offset(mostSessions - 1)
    .limit(mostSessions)
    .execute();
  if (surplus.length === 0) return;
  const ids = surplus.map(({ id }) => id);
  await write.deleteFrom("sessions").where("id", "in", ids).execute();
}
