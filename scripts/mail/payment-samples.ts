import type { Insertable } from "kysely";
import { endEnrollmentWithin } from "~/features/enrollments/enrollments.server.ts";
import type { PaymentIssueReason } from "~/features/payments/schema.ts";
import { newId } from "~/platform/db/ids.ts";
import type { PaymentsTable } from "~/platform/db/payment-tables.ts";
import { blueDot, type Sample, sevenDays, type World } from "./world.ts";

/** The emails about money. */
export const paymentSamples: readonly Sample[] = [
  { kind: "payments.receipt", when: "After a payment.", about: (world) => bought(world) },
  {
    kind: "payments.receipt",
    when: "After a payment for a course that was open already.",
    about: async (world) => {
      await bought(world);
      return payment(world, { bookingReason: "already_enrolled" });
    },
  },
  {
    kind: "payments.receipt",
    when: "After a payment that needs your eye before the course opens.",
    about: async (world) => {
      await world.services.db.write.deleteFrom("enrollments").execute();
      return payment(world, { bookingReason: "amount_differs" });
    },
  },
  {
    kind: "payments.sale",
    when: "To you, when a course was bought.",
    about: async (world) => ({
      paymentId: (await bought(world)).paymentId,
      userId: await world.coach(),
    }),
  },
  {
    kind: "payments.failed",
    when: "When a payment that takes days did not come.",
    about: async (world) => {
      // Anyone who is in the course by another way gets no such email.
      await world.services.db.write.deleteFrom("enrollments").execute();
      return payment(world, { status: "failed", paidAt: null, endedAt: world.now }, sevenDays);
    },
  },
  {
    kind: "payments.refunded",
    when: "After a refund in full.",
    about: (world) => refunded(world),
  },
  {
    kind: "payments.refunded",
    when: "After a refund of a part.",
    about: async (world) => ({ ...(await bought(world)), cents: 5000, isRest: false }),
  },
  {
    kind: "payments.issue",
    when: "To you, when a payment needs your eye.",
    about: async (world) => {
      const { paymentId } = await payment(world, { bookingReason: "amount_differs" });
      const matter = { id: newId(), paymentId, cause: paymentId, raisedAt: world.now };
      const reason: PaymentIssueReason = "amount_differs";
      await world.services.db.write
        .insertInto("paymentIssues")
        .values({ ...matter, reason })
        .execute();
      return { issueId: matter.id, userId: world.nora.id };
    },
  },
];

async function payment(
  { ada, course, services, now }: World,
  standing: Partial<Insertable<PaymentsTable>> = {},
  slug = blueDot,
) {
  const { id: productId } = await course(slug);
  const id = newId();
  await services.db.write
    .insertInto("payments")
    .values({
      id,
      userId: ada.id,
      productId,
      checkoutSessionId: `cs_${id}`,
      paymentIntentId: `pi_${id.replaceAll("-", "").slice(-24)}`,
      status: "paid",
      amountCents: 19700,
      currency: "usd",
      ...{ paidAt: now, createdAt: now, updatedAt: now },
      ...standing,
    })
    .execute();
  return { paymentId: id };
}

/** The same, and it holds their place in the course. */
async function bought(world: World) {
  const { paymentId } = await payment(world);
  const { db } = world.services;
  const { productId, paymentIntentId } = await db.write
    .selectFrom("payments")
    .select(["productId", "paymentIntentId"])
    .where("id", "=", paymentId)
    .executeTakeFirstOrThrow();
  const enrollmentId = await world.enroll(productId);
  await db.write
    .updateTable("enrollments")
    .set({ stripePaymentId: paymentIntentId })
    .where("id", "=", enrollmentId)
    .execute();
  return { paymentId, enrollmentId };
}

/** The same, and it was given back. */
async function refunded(world: World) {
  const { paymentId, enrollmentId } = await bought(world);
  await world.services.db.transaction(async (trx) => {
    await trx
      .updateTable("payments")
      .set({ refundedCents: 19700, status: "refunded", endedAt: world.now })
      .where("id", "=", paymentId)
      .execute();
    const ending = { removedBy: "stripe", reason: "refunded", now: world.now } as const;
    await endEnrollmentWithin(trx, enrollmentId, ending);
  });
  return { paymentId };
}
