import type { Selectable } from "kysely";
import { enqueueToAdmins } from "~/features/accounts/administrators.server.ts";
import { enrollWithin } from "~/features/enrollments/enrollments.server.ts";
import { isAny, type Query } from "~/platform/db/database.ts";
import { isId, newId } from "~/platform/db/ids.ts";
import { lockId } from "~/platform/db/locks.ts";
import type { Tables } from "~/platform/db/tables.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { raiseIssueWithin, syncIssuesWithin } from "./issues.server.ts";
import { paymentFailedEmail, receiptEmail, refundedEmail, saleEmail } from "./jobs.server.ts";
import { lockEnrollment, recordRefundWithin, syncPayment } from "./refunds.server.ts";
import { verdictOf } from "./rules.ts";
import type { BookingReason, CheckoutStanding } from "./schema.ts";
import {
  type CheckoutSession,
  findCheckoutSession,
  findPaymentIntentOf,
  findSessionOfPayment,
  readPayment,
  type StripeEvent,
} from "./stripe.server.ts";

// Gets the id of the event's object and reads its state from Stripe. Idempotent, in any order.
type Handler = (services: Services, objectId: string) => Promise<unknown>;

export const eventHandlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ["checkout.session.completed", fulfilCheckout],
  ["checkout.session.async_payment_succeeded", fulfilCheckout],
  ["checkout.session.async_payment_failed", fulfilCheckout],
  ["checkout.session.expired", fulfilCheckout],
  ["charge.refunded", syncPaymentOf("charge")],
  ["charge.dispute.created", syncPaymentOf("dispute")],
  ["charge.dispute.updated", syncPaymentOf("dispute")],
  ["charge.dispute.closed", syncPaymentOf("dispute")],
  ["refund.updated", syncPaymentOf("refund")],
  ["refund.failed", syncPaymentOf("refund")],
]);

// Events come in any order: a payment that was not booked yet is booked first. Payments to other
// sites on the same Stripe account are ignored.
function syncPaymentOf(kind: Parameters<typeof findPaymentIntentOf>[1]): Handler {
  return async (services, objectId) => {
    const intentId = await findPaymentIntentOf(services, kind, objectId);
    if (!intentId || (await syncPayment(services, intentId))) return;
    const session = await findSessionOfPayment(services, intentId);
    if (!session) return;
    await fulfilSession(services, session);
    await syncPayment(services, intentId);
  };
}

/** Handles an event unless it was handled before. A failed one is saved and retried until done. */
export async function handleEvent(services: Services, event: StripeEvent): Promise<void> {
  const handler = eventHandlers.get(event.type);
  if (!handler) return;
  const known = services.db.read.selectFrom("stripeEvents").where("id", "=", event.id);
  if (await isAny(known.where("handledAt", "is not", null))) return;
  try {
    await handler(services, event.objectId);
  } catch (error) {
    await storeOutcome(services, event, false).catch((err: unknown) =>
      services.log.error({ err, event: event.id }, "failed to save that an event failed"),
    );
    throw error;
  }
  await storeOutcome(services, event, true);
}

// Once handled, an event stays handled, even if a concurrent attempt fails.
async function storeOutcome({ db, clock }: Services, event: StripeEvent, isDone: boolean) {
  const triedAt = clock.now();
  const tried = { triedAt, ...(isDone && { handledAt: triedAt }) };
  await db.write
    .insertInto("stripeEvents")
    .values({ ...event, ...tried })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(tried))
    .execute();
}

export function findCheckout(db: Query, sessionId: string) {
  return db
    .selectFrom("payments")
    .selectAll()
    .where("checkoutSessionId", "=", sessionId)
    .executeTakeFirst();
}

type Checkout = Selectable<Tables["payments"]>;

/** The final state of a checkout; null while only Stripe knows it. */
function finalStanding({
  status,
  bookingReason,
}: Pick<Checkout, "status" | "bookingReason">): CheckoutStanding | null {
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
  const { payment: id = "", user = "", product = "" } = session.metadata;
  if (![id, user, product].every(isId)) return null;
  const now = clock.now();
  return db.transaction(async (trx) => {
    const has = (table: "products" | "profiles", rowId: string) =>
      trx.selectFrom(table).select("id").where("id", "=", rowId).executeTakeFirst();
    if (!(await has("products", product))) {
      if (session.isPaid)
        log.error({ payment: id }, "a payment for a course that is not on this site");
      return null;
    }
    const userId = (await has("profiles", user))?.id ?? null;
    const { id: checkoutSessionId, amountCents, currency } = session;
    // Safe under concurrency: payment ids and session ids are unique.
    const insert = (rowId: string) =>
      trx
        .insertInto("payments")
        .values({
          ...{ id: rowId, userId, productId: product, checkoutSessionId, status: "started" },
          ...{ amountCents, currency, createdAt: now, updatedAt: now },
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    await insert(id);
    await trx
      .updateTable("payments")
      .set({ checkoutSessionId })
      .where("id", "=", id)
      .where("checkoutSessionId", "is", null)
      .execute();
    log.info({ payment: id }, "recovered a checkout from its metadata");
    const found = await findCheckout(trx, checkoutSessionId);
    if (found) return found;
    await insert(newId());
    return (await findCheckout(trx, checkoutSessionId)) ?? null;
  });
}

/** Books a checkout by what Stripe says of it now: the one command behind the webhook, the
 * return from Stripe's page and the hourly reconciliation. Idempotent, in any order and
 * concurrently: one enrollment, one receipt. @throws {StripeUnavailable} */
export async function fulfilCheckout(
  services: Services,
  sessionId: string,
): Promise<CheckoutStanding> {
  const known = await findCheckout(services.db.read, sessionId);
  const standing = known && finalStanding(known);
  if (standing) return standing;
  const session = await findCheckoutSession(services, sessionId);
  return session ? fulfilSession(services, session) : "unknown";
}

/** As {@link fulfilCheckout}, with a session that was just read from Stripe. */
export async function fulfilSession(
  services: Services,
  session: CheckoutSession,
): Promise<CheckoutStanding> {
  const checkout =
    (await findCheckout(services.db.write, session.id)) ??
    (await recoverCheckout(services, session));
  if (!checkout) return "unknown";
  const { payment } = session;
  if (session.isPaid && session.status === "complete") return book(services, session, checkout.id);
  if (session.status === "open") return "open";
  if (session.status === "expired") return endCheckout(services, checkout.id, "expired");
  if (!payment || payment.hasFailed) return endCheckout(services, checkout.id, "failed");
  await services.db.write
    .updateTable("payments")
    .set({ paymentIntentId: payment.id, updatedAt: services.clock.now() })
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
  const verdict = await findVerdict(services, session);
  const now = clock.now();
  const { standing, problem } = await db.transaction(async (trx) => {
    await lockId(db, trx, id);
    const checkout = await trx
      .selectFrom("payments")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const before = finalStanding(checkout);
    if (before) return { standing: before, problem: null };
    await lockEnrollment(db, trx, checkout);
    // Money that was returned before the payment was booked opens nothing.
    const { status = "paid", refundedCents = 0, dispute = null } = verdict ?? {};
    const isPaid = status === "paid";
    const bookingReason = isPaid ? await enrollPaid(trx, { checkout, session, now }) : null;
    const { userId } = checkout;
    const payer = userId === null ? null : { now, to: { userId } };
    await trx
      .updateTable("payments")
      .set({
        ...{ status, refundedCents, dispute, bookingReason, endedAt: isPaid ? null : now },
        ...{ paymentIntentId: session.payment?.id ?? null, paidAt: paidAt(checkout, session, now) },
        receiptAt: isPaid && payer ? now : null,
        // The amount actually paid: if it differs from the price, it is what can be refunded.
        ...{ amountCents: session.amountCents, currency: session.currency, updatedAt: now },
      })
      .where("id", "=", id)
      .execute();
    await recordRefundWithin(trx, { paymentId: id, cents: refundedCents, now });
    if (payer && isPaid) await enqueue(trx, receiptEmail, { paymentId: id }, payer);
    // Of one that did not open its course, the payment issue tells.
    if (isPaid && !bookingReason) await enqueueToAdmins(trx, saleEmail, { paymentId: id }, now);
    if (payer && refundedCents > 0) {
      const email = { paymentId: id, cents: refundedCents, isRest: status === "refunded" };
      await enqueue(trx, refundedEmail, email, payer);
    }
    const isLeaving = isPaid && (await isDeletionScheduled(trx, userId));
    const reason = bookingReason ?? (isLeaving ? "deletion_scheduled" : null);
    if (reason) await raiseIssueWithin(trx, { paymentId: id, reason, cause: id, now });
    if (verdict) await syncIssuesWithin(trx, { paymentId: id, verdict, now });
    return { standing: finalStanding({ status, bookingReason }), problem: bookingReason };
  });
  if (problem) log.warn({ payment: id, problem }, "a payment did not open its course");
  services.wakeWorker();
  return standing ?? "enrolled";
}

// Null without refunds and disputes, which costs no request. The charge only says that there was a
// dispute, not whether it was won or only an inquiry.
async function findVerdict(services: Services, { payment }: CheckoutSession) {
  if (!payment || !(payment.isDisputed || payment.refundedCents > 0)) return null;
  return verdictOf(await readPayment(services, payment.id));
}

// The time of the charge, even when heard of days later; a delayed payment counts on arrival.
function paidAt({ paymentIntentId }: Checkout, { payment }: CheckoutSession, now: Date): Date {
  const wasSlow = paymentIntentId !== null;
  return wasSlow || !payment?.chargedAt || payment.chargedAt > now ? now : payment.chargedAt;
}

async function isDeletionScheduled(trx: Query, userId: string | null): Promise<boolean> {
  return isAny(
    trx
      .selectFrom("profiles")
      .where("id", "=", userId ?? "")
      .where("deletionDueAt", "is not", null),
  );
}

// @returns why this payment did not open the course, or null
async function enrollPaid(
  trx: Query,
  { checkout, session, now }: { checkout: Checkout; session: CheckoutSession; now: Date },
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
