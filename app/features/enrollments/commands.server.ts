import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/services.ts";

/**
 * Enrolls somebody in a course, from now on. Twice is once: the first date stands.
 * @returns whether the enrollment is new
 */
export async function enroll(
  { db, clock }: Services,
  { userId, productId }: { userId: string; productId: string },
): Promise<boolean> {
  const result = await db.write
    .insertInto("enrollments")
    .values({ id: newId(), userId, productId, createdAt: clock.now() })
    .onConflict((conflict) => conflict.columns(["userId", "productId"]).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}
