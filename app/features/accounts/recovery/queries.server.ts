import type { Query } from "~/platform/db/database.ts";

/** How many recovery codes have not been used. */
export async function countCodes(db: Query, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom("recoveryCodes")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("userId", "=", userId)
    .where("usedAt", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
