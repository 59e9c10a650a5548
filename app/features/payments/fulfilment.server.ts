import { enrollWithin } from "~/features/enrollments/enrollments.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId, newId } from "~/platform/db/ids.ts";
import { lockId } from "~/platform/db/locks.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { paymentFailedEmail, receiptEmail, refundedEmail } from "./jobs.server.ts";
import { raiseIssueWithin, syncIssuesWithin } from "./payment-issues.server.ts";
import { lockEnrollment } from "./refunds.server.ts";
import { type Verdict, verdictOf } from "./rules.ts";
import type {
  bookingReasons,
  CheckoutSession,
  CheckoutStanding,
  PaymentIssueReason,
} from "./schema.ts";
import { findCheckoutSession, readPayment } from "./stripe.server.ts";

export function findCheckout(db: Query, sessionId: string) {
  return db
    .selectFrom("payments")
    .selectAll()
    .where("checkoutSessionId", "=", sessionId)
    .executeTakeFirst();
}

export type Checkout = NonNullable<Awaited<ReturnType<typeof findCheckout>>>;

/** The final state of a checkout; null while only Stripe knows it. */
export function checkoutStanding({ status, bookingReason }: Checkout): CheckoutStanding | null {
  if (status === "paid") return bookingReason ? "attention" : "enrolled";
  return status === "refunded" || status === "disputed" ? "returned" : null;
}

/** Recovers the row of a session from the metadata, where its id was not saved: the process
 * ended between Stripe's response and the update, or the database is an older backup. A second
 * session of the same checkout gets a row of its own: money that was taken is never without a row.
 * Null for sessions of other sites on the same Stripe account: they name no course of this site. */
export async function recoverCheckout(
  { db, clock, log }: Services,
  session: CheckoutSession,
): Promise<Checkout | null> {
  const { payment: id, user, product } = session.metadata;
  if (![id, user, product].every(isId)) return null;
  const now = clock.now();
  return db.transaction(async (trx) => {
    const course = await trx
      .selectFrom("products")
      .select("id")
      .where("id", "=", String(product))
      .executeTakeFirst();
    if (!course) {
      if (session.isPaid) log.error({ payment: id }, "what was paid for is no course of this site");
      return null;
    }
    const buyer = await trx
      .selectFrom("profiles")
      .select("id")
      .where("id", "=", String(user))
      .executeTakeFirst();
    const begun = { userId: buyer?.id ?? null, productId: course.id, now };
    await writeDown(trx, { ...begun, id: String(id), session });
    await trx
      .updateTable("payments")
      .set({ checkoutSessionId: session.id })
      .where("id", "=", String(id))
      .where("checkoutSessionId", "is", null)
      .execute();
    log.info({ payment: id }, "a checkout was found by what is written on it");
    const found = await findCheckout(trx, session.id);
    if (found) return found;
    await writeDown(trx, { ...begun, id: newId(), session });
    return (await findCheckout(trx, session.id)) ?? null;
  });
}

type Begun = {
  id: string;
  userId: string | null;
  productId: string;
  session: CheckoutSession;
  now: Date;
};

// Safe under concurrency: payment ids and session ids are unique.
async function writeDown(trx: Query, { session, now, ...begun }: Begun): Promise<void> {
  const { id: checkoutSessionId, amountCents, currency } = session;
  await trx
    .insertInto("payments")
    .values({
      ...begun,
      checkoutSessionId,
      status: "started",
      amountCents,
      currency,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Books a checkout by what Stripe says of it now: the one command behind the webhook, the
 * return from Stripe's page and the hourly reconciliation. Idempotent, in any order and
 * concurrently: one enrollment, one receipt. @throws {StripeUnavailable} */
export async function fulfilCheckout(
  services: Services,
  sessionId: string,
): Promise<CheckoutStanding> {
  const known = await findCheckout(services.db.read, sessionId);
  const standing = known && checkoutStanding(known);
  if (standing) return standing;
  const session = await findCheckoutSession(services, sessionId);
  return session ? fulfilSession(services, session) : "unknown";
}

export async function fulfilSession(
  services: Services,
  session: CheckoutSession,
): Promise<CheckoutStanding> {
  const checkout =
    (await findCheckout(services.db.write, session.id)) ??
    (await recoverCheckout(services, session));
  if (!checkout) return "unknown";
  if (session.isPaid && session.status === "complete") return book(services, session, checkout.id);
  if (session.status === "open") return "open";
  if (session.status === "expired") return endCheckout(services, checkout.id, "expired");
  if (!session.payment || session.payment.hasFailed)
    return endCheckout(services, checkout.id, "failed");
  await services.db.write
    .updateTable("payments")
    .set({ paymentIntentId: session.payment.id, updatedAt: services.clock.now() })
    .where("id", "=", checkout.id)
    .where("status", "=", "started")
    .execute();
  return "waiting";
}

/** Ends an unpaid checkout. When a delayed payment failed, the student gets an email. */
export async function endCheckout(services: Services, id: string, status: "expired" | "failed") {
  const now = services.clock.now();
  await services.db.transaction(async (trx) => {
    const ended = await trx
      .updateTable("payments")
      .set({ status, endedAt: now, updatedAt: now })
      .where("id", "=", id)
      .where("status", "=", "started")
      .returning("userId")
      .executeTakeFirst();
    const userId = ended?.userId;
    if (userId && status === "failed")
      await enqueue(trx, paymentFailedEmail, { paymentId: id }, { now, to: { userId } });
  });
  if (status === "failed") services.wakeWorker();
  return status;
}

async function book(
  services: Services,
  session: CheckoutSession,
  id: string,
): Promise<CheckoutStanding> {
  const { db, clock, log } = services;
  const verdict = await verdictOn(services, session);
  const now = clock.now();
  const { standing, bookingReason } = await db.transaction(async (trx) => {
    await lockId(db, trx, id);
    const checkout = await trx
      .selectFrom("payments")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const before = checkoutStanding(checkout);
    if (before) return { standing: before, bookingReason: null };
    await lockEnrollment(db, trx, checkout);
    const change = await changeOf(trx, { checkout, session, verdict, now });
    const { userId } = checkout;
    const hasReceipt = userId !== null && change.status === "paid";
    await trx
      .updateTable("payments")
      .set({ ...change, paymentIntentId: session.payment?.id ?? null, updatedAt: now })
      .set({ paidAt: paidAtOf(checkout, session, now), receiptAt: hasReceipt ? now : null })
      // The amount actually paid: if it differs from the price, it is what can be refunded.
      .set({ amountCents: session.amountCents, currency: session.currency })
      .where("id", "=", id)
      .execute();
    if (hasReceipt) await enqueue(trx, receiptEmail, { paymentId: id }, { now, to: { userId } });
    if (userId && change.status === "refunded")
      await enqueue(trx, refundedEmail, { paymentId: id }, { now, to: { userId } });
    const { bookingReason } = change;
    const reason = bookingReason ?? (await reasonToTell(trx, { userId, status: change.status }));
    if (reason) await raiseIssueWithin(trx, { paymentId: id, reason, cause: id, now });
    if (verdict) await syncIssuesWithin(trx, { paymentId: id, verdict, now });
    return { standing: checkoutStanding({ ...checkout, ...change }), bookingReason };
  });
  if (bookingReason) log.warn({ payment: id, bookingReason }, "a paid course was not opened");
  services.wakeWorker();
  return standing ?? "enrolled";
}

async function reasonToTell(
  trx: Query,
  { userId, status }: Pick<Checkout, "userId" | "status">,
): Promise<PaymentIssueReason | null> {
  if (status !== "paid" || !userId) return null;
  const payer = await trx
    .selectFrom("profiles")
    .select("deletionDueAt")
    .where("id", "=", userId)
    .executeTakeFirst();
  return payer?.deletionDueAt ? "deletion_scheduled" : null;
}

// The time of the charge, even when heard of days later; a delayed payment counts on arrival.
function paidAtOf({ paymentIntentId }: Checkout, { payment }: CheckoutSession, now: Date): Date {
  const wasSlow = paymentIntentId !== null;
  return wasSlow || !payment?.chargedAt || payment.chargedAt > now ? now : payment.chargedAt;
}

// Null without refunds and disputes, which costs no request. The charge only says that there was a
// dispute, not whether it was won or only an inquiry.
async function verdictOn(services: Services, { payment }: CheckoutSession) {
  if (!payment || !(payment.isDisputed || payment.refundedCents > 0)) return null;
  return verdictOf(await readPayment(services, payment.id));
}

type Booking = { checkout: Checkout; session: CheckoutSession; now: Date };
type BookingReason = (typeof bookingReasons)[number];
type Change = Pick<Checkout, "status" | "refundedCents" | "dispute" | "endedAt"> & {
  bookingReason: BookingReason | null;
};

// Money that was returned before the payment was booked opens nothing.
async function changeOf(
  trx: Query,
  { verdict, ...booking }: Booking & { verdict: Verdict | null },
): Promise<Change> {
  const { status = "paid", refundedCents = 0, dispute = null } = verdict ?? {};
  const change = { status, refundedCents, dispute };
  if (status !== "paid") return { ...change, endedAt: booking.now, bookingReason: null };
  return { ...change, endedAt: null, bookingReason: await enrollPaid(trx, booking) };
}

// @returns why this payment did not open the course, or null
async function enrollPaid(
  trx: Query,
  { checkout, session, now }: Booking,
): Promise<BookingReason | null> {
  const { userId, productId, amountCents, currency } = checkout;
  if (session.amountCents !== amountCents || session.currency !== currency) return "amount_differs";
  if (!userId) return "account_deleted";
  const course = await trx
    .selectFrom("products")
    .select("deletedAt")
    .where("id", "=", productId)
    .executeTakeFirst();
  if (course?.deletedAt !== null) return "course_deleted";
  const stripePaymentId = session.payment?.id ?? null;
  const isNew = await enrollWithin(trx, { userId, productId, stripePaymentId, now });
  return isNew ? null : "already_enrolled";
}
