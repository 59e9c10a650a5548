import type { Query } from "~/platform/db/database.ts";

/**
 * A payment with who made it, for which course, and how she stands in that course now: what letters
 * about it are written from.
 * @returns null when there is no such payment; its `person` is null when the account is gone
 */
export async function findPaid(db: Query, paymentId: string) {
  const row = await db
    .selectFrom("payments")
    .innerJoin("products", "products.id", "payments.productId")
    .leftJoin("profiles", "profiles.id", "payments.userId")
    .leftJoin("enrollments", (join) =>
      join
        .onRef("enrollments.userId", "=", "payments.userId")
        .onRef("enrollments.productId", "=", "payments.productId"),
    )
    .select(["payments.id", "payments.status", "payments.dispute", "payments.bookingReason"])
    .select(["payments.amountCents", "payments.refundedCents", "payments.currency"])
    .select(["payments.paymentIntentId", "payments.paidAt"])
    .select(["products.title as course", "products.slug", "products.active", "products.deletedAt"])
    .select(["profiles.name", "profiles.email", "profiles.timeZone"])
    .select("profiles.deletionDueAt as goesAt")
    .select(["enrollments.id as enrollmentId", "enrollments.stripePaymentId as enrolledBy"])
    .select((eb) =>
      eb
        .selectFrom("formerEnrollments")
        .select("formerEnrollments.id")
        .whereRef("formerEnrollments.stripePaymentId", "=", "payments.paymentIntentId")
        .limit(1)
        .as("formerId"),
    )
    .where("payments.id", "=", paymentId)
    .executeTakeFirst();
  if (!row) return null;
  const {
    name,
    email,
    timeZone,
    active,
    deletedAt,
    enrollmentId,
    enrolledBy,
    formerId,
    ...payment
  } = row;
  return {
    ...payment,
    person: name === null || email === null ? null : { name, email, timeZone },
    isLeaving: payment.goesAt !== null,
    /** The course is sold to anybody now. */
    isSold: active && deletedAt === null,
    /** She is in the course now, by whichever way. */
    isEnrolled: enrollmentId !== null,
    /** Her place in the course is held by this payment now. */
    holdsSeat: enrollmentId !== null && enrolledBy === payment.paymentIntentId,
    /** This payment held a place that has ended since. */
    heldSeat: formerId !== null,
  };
}
