import type { Selectable } from "kysely";
import {
  endEnrollmentWithin,
  enrollWithin,
  restoreDisputedWithin,
} from "~/features/enrollments/enrollments.server.ts";
import { removeEnrollmentWithin } from "~/features/enrollments/manual-enrollments.server.ts";
import type { Database, Query } from "~/platform/db/database.ts";
import { isId, newId } from "~/platform/db/ids.ts";
import { lockId } from "~/platform/db/locks.ts";
import type { Tables } from "~/platform/db/tables.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { Refused } from "~/platform/utils/errors.ts";
import {
  auditPayment,
  isIssueOpen,
  raiseIssueWithin,
  resolveIssuesWithin,
  syncIssuesWithin,
} from "./issues.server.ts";
import { receiptEmail, refundedEmail } from "./jobs.server.ts";
import { paymentIssueMessages, refundMessages } from "./messages.ts";
import { type Claim, claimRefund, releaseRefund } from "./refund-claim.server.ts";
import { closesAccess, hasFailed, type Verdict, verdictOf } from "./rules.ts";
import { bookingReasons, type StripePayment } from "./schema.ts";
import { readPayment, refundPayment, StripeUnavailable } from "./stripe.server.ts";

type Payment = Selectable<Tables["payments"]>;

// How often reading and saving start over when a concurrent sync was faster.
const mostTries = 20;

/** Brings a payment to its state at Stripe. Idempotent, in any order and concurrently. A full
 * refund or a dispute ends the enrollment that the payment opened, unless another paid payment can
 * hold it; a won dispute restores it; a new refund in part ends it if the coach wanted that.
 * `by`: who ends the enrollment, if so: an administrator's id, or 'stripe'; `endsAccess`: whether it
 * ends in any case. @returns false when this site knows no payment with this id, or not yet as paid.
 * @throws {StripeUnavailable} also when Stripe does not know a payment that is known here */
export async function syncPayment(
  services: Services,
  paymentIntentId: string,
  { by = "stripe", endsAccess = false } = {},
): Promise<boolean> {
  const { db, clock } = services;
  for (let tries = 0; tries < mostTries; tries++) {
    const seen = await findByIntent(db.read, paymentIntentId);
    if (!seen?.paidAt) return false;
    const stripes = await readPayment(services, paymentIntentId);
    const verdict = verdictOf(stripes);
    const dispute = stripes.disputes[0]?.id ?? seen.id;
    const isClosing = (newCents: number) => endsAccess || closesAccess(stripes, newCents);
    const syncing = { seen, verdict, dispute, by, now: clock.now(), isClosing };
    if (!(await db.transaction((trx) => syncWithin(services, trx, syncing)))) continue;
    services.wakeWorker();
    return true;
  }
  throw new Error("a payment kept changing while Stripe was asked about it");
}

const findByIntent = (db: Query, paymentIntentId: string) =>
  db
    .selectFrom("payments")
    .selectAll()
    .where("paymentIntentId", "=", paymentIntentId)
    .executeTakeFirst();

/** Serializes changes to one user's enrollment in one course. */
export async function lockEnrollment(
  db: Database,
  trx: Query,
  { userId, productId }: { userId: string | null; productId: string },
): Promise<void> {
  await lockId(db, trx, `enrollment:${userId}:${productId}`);
}

type Syncing = {
  seen: Payment;
  verdict: Verdict;
  dispute: string;
  by: string;
  now: Date;
  /** Whether the access ends with the refunds that are new, of so many cents. */
  isClosing: (newCents: number) => boolean;
};

// @returns false when a concurrent sync saved its result after Stripe was read for this one
async function syncWithin(
  services: Services,
  trx: Query,
  { seen, verdict, dispute, by, now, isClosing }: Syncing,
): Promise<boolean> {
  await lockEnrollment(services.db, trx, seen);
  const payment = await findByIntent(trx, seen.paymentIntentId ?? "");
  if (payment?.answers !== seen.answers) return false;
  const { id: paymentId, userId } = payment;
  const { status, refundedCents } = verdict;
  const isNew = status !== payment.status;
  // A payment whose money was gone before it was booked has no receipt yet.
  const lacksReceipt = status === "paid" && payment.receiptAt === null && userId !== null;
  await trx
    .updateTable("payments")
    .set((eb) => ({
      ...{ status, refundedCents, dispute: verdict.dispute, updatedAt: now },
      answers: eb("answers", "+", 1),
      ...(isNew && { endedAt: status === "paid" ? null : now }),
      ...(lacksReceipt && { receiptAt: now }),
    }))
    .where("id", "=", paymentId)
    .execute();
  const cents = refundedCents - payment.refundedCents;
  await recordRefundWithin(trx, { paymentId, cents, now });
  if (isClosing(cents)) {
    const enrollment = await findEnrollmentBy(trx, payment);
    if (enrollment)
      await removeEnrollmentWithin(trx, services, { ...enrollment, removedBy: by, now });
  }
  if (isNew && status !== "paid")
    await endEnrollmentOf(trx, payment, { reason: status, removedBy: by, now });
  await syncIssuesWithin(trx, { paymentId, verdict, now });
  if (payment.status === "disputed" && status === "paid")
    await restoreEnrollmentOf(trx, payment, { dispute, now });
  if (lacksReceipt) await enqueue(trx, receiptEmail, { paymentId }, { now, to: { userId } });
  if (cents > 0 && userId) {
    const email = { paymentId, cents, isRest: status === "refunded" };
    await enqueue(trx, refundedEmail, email, { now, to: { userId } });
  }
  return true;
}

/** What went back since the last time, for the sums of each week; less than nothing where a refund
 * failed. */
export async function recordRefundWithin(
  trx: Query,
  { paymentId, cents, now }: { paymentId: string; cents: number; now: Date },
): Promise<void> {
  if (cents === 0) return;
  const refunded = { id: newId(), paymentId, cents, createdAt: now };
  await trx.insertInto("paymentRefunds").values(refunded).execute();
}

const findEnrollmentBy = (trx: Query, { userId, productId, paymentIntentId }: Payment) =>
  trx
    .selectFrom("enrollments")
    .select("id")
    .where("userId", "=", userId ?? "")
    .where("productId", "=", productId)
    .where("stripePaymentId", "=", paymentIntentId)
    .executeTakeFirst();

// Another paid payment takes the enrollment over; one that is held otherwise stays as it is.
async function endEnrollmentOf(
  trx: Query,
  payment: Payment,
  ending: { reason: "refunded" | "disputed"; removedBy: string; now: Date },
): Promise<void> {
  const { id, userId, productId } = payment;
  const enrollment = await findEnrollmentBy(trx, payment);
  if (!enrollment) return;
  const other = await trx
    .selectFrom("payments")
    .select(["id", "paymentIntentId"])
    .where("userId", "=", userId)
    .where("productId", "=", productId)
    .where("status", "=", "paid")
    .where("id", "!=", id)
    .where("paymentIntentId", "is not", null)
    .orderBy("paidAt")
    .orderBy("id")
    .executeTakeFirst();
  if (!other) {
    await endEnrollmentWithin(trx, enrollment.id, ending);
    return;
  }
  await trx
    .updateTable("enrollments")
    .set({ stripePaymentId: other.paymentIntentId })
    .where("id", "=", enrollment.id)
    .execute();
  // The student had paid twice, and now once.
  const paidTwice = { paymentId: other.id, reasons: ["already_enrolled"] as const };
  await resolveIssuesWithin(trx, { ...paidTwice, now: ending.now });
}

// A won dispute restores the enrollment, and raises an issue. If another payment holds the
// enrollment by now, the student has paid twice, and the coach should refund one of them.
async function restoreEnrollmentOf(
  trx: Query,
  { id: paymentId, userId, productId, paymentIntentId }: Payment,
  { dispute, now }: { dispute: string; now: Date },
): Promise<void> {
  if (userId && paymentIntentId)
    await restoreDisputedWithin(trx, { userId, productId, stripePaymentId: paymentIntentId });
  const enrollment = await trx
    .selectFrom("enrollments")
    .select("stripePaymentId")
    .where("userId", "=", userId ?? "")
    .where("productId", "=", productId)
    .executeTakeFirst();
  const isTwice = enrollment?.stripePaymentId && enrollment.stripePaymentId !== paymentIntentId;
  const isKnown = await isIssueOpen(trx, { paymentId, reason: "already_enrolled" });
  const reason = isTwice && !isKnown ? "already_enrolled" : "dispute_won";
  await raiseIssueWithin(trx, { reason, cause: dispute, paymentId, now });
}

type Refunding = {
  paymentId: string;
  cents: number;
  /** What the page says is left, in cents: all of it is refunded when `cents` is the same. */
  left: number;
  /** Id of the refund: sent twice, also after an unclear answer, it is the same one. */
  attempt: string;
  /** Whether a refund in part ends the enrollment that the payment opened; in full it always does. */
  endsAccess?: boolean;
  by: string;
};

/** Refunds a payment, in full or in part; whether the terms require it is the coach's decision.
 * Stripe is read before and after, and what it says is saved; a page that shows another rest than
 * there is refunds nothing. If this stops in between, the webhook or the reconciliation completes
 * it. @returns 'already' when refunded before; 'sent' when Stripe took it but could not be read
 * again; 'sending' while another refund of the payment is under way. @throws {Refused} with a message for the coach */
export async function refund(
  services: Services,
  { by, ...asked }: Refunding,
): Promise<"done" | "already" | "sent" | "sending"> {
  const { paymentId, endsAccess = false } = asked;
  const attempt = isId(asked.attempt) ? asked.attempt : newId();
  const paymentIntentId = await paidIntentOf(services, paymentId);
  const claim = await claimRefund(services, { paymentId, attempt });
  if (!claim) return "sending";
  let isAlready: boolean;
  try {
    isAlready = await sendOnce(services, { ...asked, attempt, endsAccess, paymentIntentId, claim });
  } catch (error) {
    // Until it is known what became of it, only the same attempt can be repeated.
    if (!(error instanceof Unanswered)) await releaseRefund(services, claim);
    throw error;
  }
  await releaseRefund(services, claim);
  try {
    await syncPayment(services, paymentIntentId, { by, endsAccess });
  } catch (error) {
    if (!(error instanceof StripeUnavailable)) throw error;
    return isAlready ? "already" : "sent";
  }
  return isAlready ? "already" : "done";
}

// It is not known whether Stripe carried it out.
class Unanswered extends Refused {}

type Sending = Omit<Required<Refunding>, "by"> & { paymentIntentId: string; claim: Claim };

// @returns whether it was refunded before
async function sendOnce(
  services: Services,
  { paymentId, paymentIntentId, cents, left, attempt, endsAccess, claim }: Sending,
): Promise<boolean> {
  const before = await readPayment(services, paymentIntentId).catch(notAsked);
  const { status, dispute } = verdictOf(before);
  const isSame = before.refunds.some((one) => one.metadata?.attempt === attempt && !hasFailed(one));
  if (status === "refunded" || isSame) return true;
  if (dispute === "open" || dispute === "lost")
    throw new Refused("conflict", refundMessages.disputed);
  const isAmount = Number.isSafeInteger(cents) && cents > 0 && cents <= left;
  if (!isAmount || leftOf(before) !== left) throw await changed(services, paymentIntentId);
  const audit = { action: "payment.refund-asked", paymentId, cents } as const;
  // Before the request: a refund at Stripe must never lack its audit entry.
  await services.db.transaction((trx) => auditPayment(trx, services, audit));
  const idempotencyKey = `refund-${claim.value}`;
  const metadata = { attempt, ...(endsAccess && { access: "end" }) };
  const sending = { paymentIntentId, amountCents: cents, idempotencyKey, metadata };
  return (await send(services, sending, left)) === "already";
}

const leftOf = (payment: StripePayment) => payment.receivedCents - verdictOf(payment).refundedCents;

// Saves what Stripe says, so that the coach sees it.
async function changed(services: Services, paymentIntentId: string): Promise<Refused> {
  await syncPayment(services, paymentIntentId).catch(notAsked);
  return new Refused("conflict", refundMessages.changed);
}

async function paidIntentOf({ db }: Services, paymentId: string): Promise<string> {
  const row = await db.read
    .selectFrom("payments")
    .select(["paymentIntentId", "paidAt"])
    .where("id", "=", paymentId)
    .executeTakeFirst();
  if (!row) throw new Refused("not_found", refundMessages.missing);
  if (!row.paymentIntentId || !row.paidAt) throw new Refused("conflict", refundMessages.notPaid);
  return row.paymentIntentId;
}

// @returns 'already' when another administrator's refund was a moment faster
async function send(
  services: Services,
  refunding: Parameters<typeof refundPayment>[1],
  left: number,
): Promise<"done" | "already"> {
  const { paymentIntentId } = refunding;
  try {
    await refundPayment(services, refunding);
    return "done";
  } catch (error) {
    if (!(error instanceof StripeUnavailable)) throw error;
    if (error.code === "charge_already_refunded") return "already";
    services.log.warn({ code: error.code }, "Stripe did not take a refund");
    if (error.isRefusal) throw new Refused("conflict", refundMessages.keyRefused);
    // The key is in use while Stripe still works on the lost request.
    if (!error.isAnswer || error.code === "idempotency_key_in_use")
      throw new Unanswered("unavailable", refundMessages.unknown);
    if (error.isTemporary) throw new Refused("unavailable", refundMessages.unknown);
    const known = wordsFor[error.code ?? ""];
    if (known) throw new Refused("conflict", known);
    // Perhaps another refund was a moment faster, so that less is left.
    const now = await readPayment(services, paymentIntentId).catch(notAsked);
    if (leftOf(now) !== left) throw await changed(services, paymentIntentId);
    throw new Refused("conflict", refundMessages.refused);
  }
}

const wordsFor: Record<string, string> = {
  balance_insufficient: refundMessages.noMoney,
  insufficient_funds: refundMessages.noMoney,
  charge_disputed: refundMessages.disputed,
};

// Why Stripe could not be read, as a message for the coach; other errors are thrown as they are.
function notAsked(error: unknown): never {
  if (!(error instanceof StripeUnavailable)) throw error;
  if (error.code === "resource_missing") throw new Refused("conflict", refundMessages.notAtStripe);
  if (error.isRefusal) throw new Refused("conflict", refundMessages.keyRefused);
  throw new Refused("unavailable", refundMessages.notAsked);
}

// The issues that enrolling resolves: neither a bank's questions nor a failed refund.
const settledByEnrolling = [...bookingReasons, "dispute_won"] as const;

/** Enrolls the payer manually and resolves the issues. @throws {Refused} when that is impossible */
export async function enrollPayer(services: Services, paymentId: string): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  await db.transaction(async (trx) => {
    const asked = await paidFor(trx, paymentId);
    await lockEnrollment(db, trx, asked);
    const isNew = await enrollWithin(trx, { ...(await paidFor(trx, paymentId)), now });
    const isDealtWith = await resolveIssuesWithin(trx, {
      paymentId,
      reasons: settledByEnrolling,
      now,
    });
    const action = isNew ? "payment.enrolled" : "payment.issue-resolved";
    if (isNew || isDealtWith) await auditPayment(trx, services, { action, paymentId });
  });
}

// @throws {Refused} unless the payment is paid and its payer has an account
async function paidFor(db: Query, paymentId: string) {
  const row = await db
    .selectFrom("payments")
    .select(["userId", "productId", "paymentIntentId as stripePaymentId"])
    .where("id", "=", paymentId)
    .where("status", "=", "paid")
    .executeTakeFirst();
  if (!row?.userId) throw new Refused("conflict", paymentIssueMessages.cannotEnroll);
  return { ...row, userId: row.userId };
}
