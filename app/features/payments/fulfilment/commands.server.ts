import { enrollWithin } from "~/features/enrollments/commands.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { Services } from "~/platform/services.ts";
import { adopt } from "../adoption/commands.server.ts";
import { raiseWithin, takeOverWithin } from "../attention/commands.server.ts";
import { findSession } from "../checkout/gateway.server.ts";
import { failureLetter } from "../failures/jobs.server.ts";
import { receiptLetter } from "../receipts/jobs.server.ts";
import { readPayment } from "../refunds/gateway.server.ts";
import { refundedMail } from "../refunds/jobs.server.ts";
import type { AttentionReason, bookingReasons, CheckoutSession } from "../schema.ts";
import { lockSeat } from "../settling/commands.server.ts";
import { type Verdict, verdictOf } from "../settling/rules.ts";
import { type Checkout, findCheckout, standingOf } from "./queries.server.ts";
import type { Standing } from "./schema.ts";

/**
 * Does what a checkout asks for, by what Stripe says of it now: the one command behind the
 * webhook, the return from Stripe's page and the hourly comparison. Any number of times, in any
 * order and at once is once: one enrollment, one receipt.
 * @throws {StripeTrouble} when Stripe cannot be asked
 */
export async function fulfil(services: Services, sessionId: string): Promise<Standing> {
  const known = await findCheckout(services.db.read, sessionId);
  const standing = known && standingOf(known);
  if (standing) return standing;
  const session = await findSession(services, sessionId);
  return session ? settle(services, session) : "unknown";
}

/** The same for a session that was just read. */
export async function settle(services: Services, session: CheckoutSession): Promise<Standing> {
  const checkout =
    (await findCheckout(services.db.write, session.id)) ?? (await adopt(services, session));
  if (!checkout) return "unknown";
  if (session.isPaid && session.status === "complete") return book(services, session, checkout.id);
  if (session.status === "open") return "open";
  if (session.status === "expired") return end(services, checkout.id, "expired");
  if (!session.payment || session.payment.hasFailed) return end(services, checkout.id, "failed");
  await services.db.write
    .updateTable("payments")
    .set({ paymentIntentId: session.payment.id, updatedAt: services.clock.now() })
    .where("id", "=", checkout.id)
    .where("status", "=", "started")
    .execute();
  return "waiting";
}

/** Nothing was paid, and nothing will be. Who waits for a slow payment is told that it failed. */
export async function end(services: Services, id: string, status: "expired" | "failed") {
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
      await enqueue(trx, failureLetter, { paymentId: id }, { now, to: { userId } });
  });
  if (status === "failed") services.wakeWorker();
  return status;
}

/** Writes down that it was paid, and opens the course. */
async function book(services: Services, session: CheckoutSession, id: string): Promise<Standing> {
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
    const before = standingOf(checkout);
    if (before) return { standing: before, bookingReason: null };
    await lockSeat(db, trx, checkout);
    const change = await changeOf(trx, { checkout, session, verdict, now });
    const { userId } = checkout;
    const hasReceipt = userId !== null && change.status === "paid";
    await trx
      .updateTable("payments")
      .set({ ...change, paymentIntentId: session.payment?.id ?? null, updatedAt: now })
      .set({ paidAt: paidAtOf(checkout, session, now), receiptAt: hasReceipt ? now : null })
      // What was paid: of a payment of another amount, that is what can be given back.
      .set({ amountCents: session.amountCents, currency: session.currency })
      .where("id", "=", id)
      .execute();
    if (hasReceipt) await enqueue(trx, receiptLetter, { paymentId: id }, { now, to: { userId } });
    if (userId && change.status === "refunded")
      await enqueue(trx, refundedMail, { paymentId: id }, { now, to: { userId } });
    const { bookingReason } = change;
    const reason = bookingReason ?? (await reasonToTell(trx, { userId, status: change.status }));
    if (reason) await raiseWithin(trx, { paymentId: id, reason, cause: id, now });
    if (verdict) await takeOverWithin(trx, { paymentId: id, verdict, now });
    return { standing: standingOf({ ...checkout, ...change }), bookingReason };
  });
  if (bookingReason) log.warn({ payment: id, bookingReason }, "a paid course was not opened");
  services.wakeWorker();
  return standing ?? "enrolled";
}

/** Of a payment that opened its course: why the coach has to know of it; null: no reason. */
async function reasonToTell(
  trx: Query,
  { userId, status }: Pick<Checkout, "userId" | "status">,
): Promise<AttentionReason | null> {
  if (status !== "paid" || !userId) return null;
  const payer = await trx
    .selectFrom("profiles")
    .select("deletionDueAt")
    .where("id", "=", userId)
    .executeTakeFirst();
  return payer?.deletionDueAt ? "deletion_scheduled" : null;
}

/**
 * When she paid: also where the site heard of it days later. Of a slow payment, when it arrived;
 * its charge is older, from before she could begin.
 */
function paidAtOf({ paymentIntentId }: Checkout, { payment }: CheckoutSession, now: Date): Date {
  const wasSlow = paymentIntentId !== null;
  return wasSlow || !payment?.chargedAt || payment.chargedAt > now ? now : payment.chargedAt;
}

/**
 * What became of a payment before it was booked; null where nothing did, which costs no request.
 * Its charge says only that there was a dispute: not whether it was won, nor whether a bank only asked.
 */
async function verdictOn(services: Services, { payment }: CheckoutSession) {
  if (!payment || !(payment.isDisputed || payment.refundedCents > 0)) return null;
  return verdictOf(await readPayment(services, payment.id));
}

type Booking = { checkout: Checkout; session: CheckoutSession; now: Date };
type BookingReason = (typeof bookingReasons)[number];
type Change = Pick<Checkout, "status" | "refundedCents" | "dispute" | "endedAt"> & {
  bookingReason: BookingReason | null;
};

/** What a paid checkout comes to. Money that went back before anybody looked opens nothing. */
async function changeOf(
  trx: Query,
  { verdict, ...booking }: Booking & { verdict: Verdict | null },
): Promise<Change> {
  const { status = "paid", refundedCents = 0, dispute = null } = verdict ?? {};
  const change = { status, refundedCents, dispute };
  if (status !== "paid") return { ...change, endedAt: booking.now, bookingReason: null };
  return { ...change, endedAt: null, bookingReason: await enrollPaid(trx, booking) };
}

/** @returns why the course was not opened by this payment, or null */
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
