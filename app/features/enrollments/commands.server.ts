import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { messages } from "./texts.ts";

type Enrolling = {
  userId: string;
  productId: string;
  /** An inactive course is refused (spec 4: only active ones can be chosen for enrollments). */
  onlyActive?: boolean;
};

/**
 * Enrolls somebody in a course, from now on: the one way in, whoever opens it. Twice is once: the
 * first date stands.
 * @returns whether the enrollment is new
 * @throws {Refused} not_found for a course that is missing or deleted, invalid for an inactive one
 */
export function enroll(services: Services, enrolling: Enrolling): Promise<boolean> {
  const now = services.clock.now();
  return services.db.transaction((trx) => enrollWithin(trx, { ...enrolling, now }));
}

/** {@link enroll} as a part of something larger, on its transaction. */
export async function enrollWithin(
  trx: Query,
  { userId, productId, onlyActive = false, now }: Enrolling & { now: Date },
): Promise<boolean> {
  const course = await trx
    .selectFrom("products")
    .select("active")
    .where("id", "=", productId)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (!course) throw new Refused("not_found", messages.noSuchCourse);
  if (onlyActive && !course.active) throw new Refused("invalid", messages.onlyActive);
  const result = await trx
    .insertInto("enrollments")
    .values({ id: newId(), userId, productId, createdAt: now })
    .onConflict((conflict) => conflict.columns(["userId", "productId"]).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}
