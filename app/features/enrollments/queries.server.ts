import type { Services } from "~/platform/services.ts";

/** Since when somebody is enrolled in a course, or null. */
export async function findEnrollment(
  { db }: Services,
  { userId, productId }: { userId: string; productId: string },
): Promise<{ id: string; createdAt: Date } | null> {
  const row = await db.read
    .selectFrom("enrollments")
    .select(["id", "createdAt"])
    .where("userId", "=", userId)
    .where("productId", "=", productId)
    .executeTakeFirst();
  return row ?? null;
}
