import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { Refused } from "~/platform/http/errors.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { Services } from "~/platform/services.ts";
import { courseBegun } from "./schema.ts";
import { messages } from "./texts.ts";
import { welcomeLetter } from "./welcome/jobs.server.ts";

type Enrolling = {
  userId: string;
  productId: string;
  /** An inactive course is refused (spec 4: only active ones can be chosen for enrollments). */
  onlyActive?: boolean;
  /** Stripe's id of the payment that opened it; null for one that was given. */
  stripePaymentId?: string | null;
};

/**
 * Enrolls somebody in a course, from now on: the one way in, whoever opens it. Twice is once: the
 * first date stands.
 * @returns whether the enrollment is new
 * @throws {Refused} not_found for a course that is missing or deleted, invalid for an inactive one
 */
export async function enroll(services: Services, enrolling: Enrolling): Promise<boolean> {
  const now = services.clock.now();
  const isNew = await services.db.transaction((trx) => enrollWithin(trx, { ...enrolling, now }));
  if (isNew) services.wakeWorker();
  return isNew;
}

/**
 * {@link enroll} as a part of something larger, on its transaction. A new enrollment's letter of
 * welcome is written down with it; wake the worker afterwards.
 */
export async function enrollWithin(
  trx: Query,
  { userId, productId, onlyActive = false, stripePaymentId = null, now }: Enrolling & { now: Date },
): Promise<boolean> {
  const course = await trx
    .selectFrom("products")
    .select(["active", "lessonMails"])
    .where("id", "=", productId)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (!course) throw new Refused("not_found", messages.noSuchCourse);
  if (onlyActive && !course.active) throw new Refused("invalid", messages.onlyActive);
  const id = newId();
  const result = await trx
    .insertInto("enrollments")
    .values({ id, userId, productId, stripePaymentId, createdAt: now })
    .onConflict((conflict) => conflict.columns(["userId", "productId"]).doNothing())
    .executeTakeFirst();
  const isNew = (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  if (isNew) await enqueue(trx, welcomeLetter, { enrollmentId: id }, { now, to: { userId } });
  if (isNew && course.lessonMails === "lesson")
    await enqueue(trx, courseBegun, { userId, productId }, { now, to: { userId } });
  return isNew;
}

type Ending = {
  /** The account that ends it, or 'stripe'. */
  removedBy: string;
  /** Null: by hand. */
  reason?: "refunded" | "disputed" | null;
  now: Date;
};

/**
 * Ends an enrollment: the one way out, whoever closes it, on the transaction of its cause. Access
 * ends at once; what was written and completed stays hers. The row moves to former_enrollments.
 * @returns false when there is none, or no longer
 */
export async function endEnrollmentWithin(
  trx: Query,
  id: string,
  { removedBy, reason = null, now }: Ending,
): Promise<boolean> {
  const row = await trx
    .deleteFrom("enrollments")
    .where("id", "=", id)
    .returning(["id", "userId", "productId", "stripePaymentId", "createdAt"])
    .executeTakeFirst();
  if (!row) return false;
  await trx
    .insertInto("formerEnrollments")
    .values({ ...row, removedAt: now, removedBy, reason })
    .execute();
  return true;
}

/**
 * Takes back that a dispute ended an enrollment: it is there again as it was, with the day it
 * began on. Whoever got in by another way meanwhile, or was removed by hand since, is left as she is.
 * @returns whether it came back
 */
export async function restoreDisputedWithin(
  trx: Query,
  {
    userId,
    productId,
    stripePaymentId,
  }: Record<"userId" | "productId" | "stripePaymentId", string>,
): Promise<boolean> {
  const former = await trx
    .selectFrom("formerEnrollments")
    .select(["id", "createdAt", "removedAt"])
    .where("userId", "=", userId)
    .where("productId", "=", productId)
    .where("stripePaymentId", "=", stripePaymentId)
    .where("reason", "=", "disputed")
    .orderBy("removedAt", "desc")
    .orderBy("id", "desc")
    .executeTakeFirst();
  if (!former) return false;
  const { id, createdAt, removedAt } = former;
  const byHand = await trx
    .selectFrom("formerEnrollments")
    .select("id")
    .where("userId", "=", userId)
    .where("productId", "=", productId)
    .where("reason", "is", null)
    .where("removedAt", ">=", removedAt)
    .executeTakeFirst();
  if (byHand) return false;
  const result = await trx
    .insertInto("enrollments")
    .values({ id, userId, productId, stripePaymentId, createdAt })
    .onConflict((conflict) => conflict.columns(["userId", "productId"]).doNothing())
    .executeTakeFirst();
  if ((result.numInsertedOrUpdatedRows ?? 0n) === 0n) return false;
  await trx.deleteFrom("formerEnrollments").where("id", "=", id).execute();
  return true;
}
