import {
  endEnrollmentWithin,
  restoreDisputedWithin,
} from "~/features/enrollments/commands.server.ts";
import type { Database, Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { Services } from "~/platform/services.ts";
import { attendWithin, raiseWithin } from "../attention/commands.server.ts";
import { findPayment } from "../refunds/gateway.server.ts";
import { refundedMail } from "../refunds/jobs.server.ts";
import type { AttentionReason } from "../schema.ts";
import { type Verdict, verdictOf } from "./rules.ts";

/** Reading Stripe and writing it down is begun anew so often where somebody else was faster. */
const mostTries = 20;

/**
 * Brings a payment to what Stripe says of it now: whoever asks, in whatever order, as often as
 * they like. What ends it (refunded in full, disputed) ends the enrollment it opened, unless
 * another paid payment can hold it; a dispute that was won gives it back.
 * @param by who ends the enrollment, if it comes to that: an administrator's id, or 'stripe'
 * @returns false when no payment of ours is known under this id, or not yet as paid
 * @throws {StripeTrouble}
 */
export async function settlePayment(
  services: Services,
  paymentIntentId: string,
  by = "stripe",
): Promise<boolean> {
  const { db, clock } = services;
  for (let tries = 0; tries < mostTries; tries++) {
    const seen = await findRow(db.read, paymentIntentId);
    if (!seen?.paidAt) return false;
    const truth = await findPayment(services, paymentIntentId);
    if (!truth) return false;
    const settling = { seen, verdict: verdictOf(truth), by, now: clock.now() };
    const isDone = await db.transaction((trx) => settleWithin(db, trx, settling));
    if (!isDone) continue;
    services.wakeWorker();
    return true;
  }
  throw new Error("a payment kept changing while Stripe was asked about it");
}

const columns = [
  "id",
  "userId",
  "productId",
  "paymentIntentId",
  "status",
  "refundedCents",
  "refundsFailed",
  "answers",
  "attention",
  "waiting",
  "attendedAt",
  "paidAt",
] as const;

async function findRow(db: Query, paymentIntentId: string) {
  return db
    .selectFrom("payments")
    .select(columns)
    .where("paymentIntentId", "=", paymentIntentId)
    .executeTakeFirst();
}

type Row = NonNullable<Awaited<ReturnType<typeof findRow>>>;
type Settling = { seen: Row; verdict: Verdict; by: string; now: Date };

/** Two about the same person's place in the same course go one after the other. */
export async function lockSeat(
  db: Database,
  trx: Query,
  { userId, productId }: { userId: string | null; productId: string },
): Promise<void> {
  await lockId(db, trx, `seat:${userId}:${productId}`);
}

/** @returns false when another answer was written down since Stripe was asked for this one */
async function settleWithin(
  db: Database,
  trx: Query,
  { seen, verdict, by, now }: Settling,
): Promise<boolean> {
  await lockSeat(db, trx, seen);
  const row = await findRow(trx, seen.paymentIntentId ?? "");
  if (row?.answers !== seen.answers) return false;
  const { status, refundedCents, refundsFailed } = verdict;
  const isNew = status !== row.status;
  const reason = reasonFor(row, verdict);
  // One that the coach is not told of now, since a dispute goes before it, is told after that.
  const isToldOf = reason === "refund_failed" || status === "refunded";
  await trx
    .updateTable("payments")
    .set({ status, refundedCents, updatedAt: now })
    .set((eb) => ({ answers: eb("answers", "+", 1) }))
    .$if(isNew, (update) => update.set({ endedAt: status === "paid" ? null : now }))
    .$if(isToldOf, (update) => update.set({ refundsFailed }))
    .where("id", "=", row.id)
    .execute();
  if (isNew && status !== "paid") await leaveSeat(trx, { row, reason: status, by, now });
  const { userId, productId, paymentIntentId } = row;
  if (isNew && row.status === "disputed" && status === "paid" && userId && paymentIntentId)
    await restoreDisputedWithin(trx, { userId, productId, stripePaymentId: paymentIntentId });
  if (reason)
    await raiseWithin(trx, { paymentId: row.id, reason: await asItIs(trx, row, reason), now });
  // Given back in full, or no longer asked about: what the coach was to see is dealt with.
  else if (isNew && status === "refunded") await attendWithin(trx, { paymentId: row.id, now });
  else if (verdict.dispute === "none")
    await attendWithin(trx, { paymentId: row.id, reasons: ["inquiry"], now });
  if (isNew && status === "refunded" && userId)
    await enqueue(trx, refundedMail, { paymentId: row.id }, { now, to: { userId } });
  return true;
}

type Leaving = { row: Row; reason: "refunded" | "disputed"; by: string; now: Date };

/**
 * The enrollment that a payment opened ends with it, unless she has paid for it once more. One
 * that was given, or that another payment holds, stays as it is.
 */
async function leaveSeat(trx: Query, { row, reason, by, now }: Leaving): Promise<void> {
  const { userId, productId, paymentIntentId } = row;
  if (!userId || !paymentIntentId) return;
  const seat = await trx
    .selectFrom("enrollments")
    .select("id")
    .where("userId", "=", userId)
    .where("productId", "=", productId)
    .where("stripePaymentId", "=", paymentIntentId)
    .executeTakeFirst();
  if (!seat) return;
  const other = await trx
    .selectFrom("payments")
    .select(["id", "paymentIntentId"])
    .where("userId", "=", userId)
    .where("productId", "=", productId)
    .where("status", "=", "paid")
    .where("id", "!=", row.id)
    .where("paymentIntentId", "is not", null)
    .orderBy("paidAt")
    .orderBy("id")
    .executeTakeFirst();
  if (!other) {
    await endEnrollmentWithin(trx, seat.id, { removedBy: by, reason, now });
    return;
  }
  await trx
    .updateTable("enrollments")
    .set({ stripePaymentId: other.paymentIntentId })
    .where("id", "=", seat.id)
    .execute();
  // She paid twice, and now it is once.
  await attendWithin(trx, { paymentId: other.id, reasons: ["already_enrolled"], now });
}

/** Why the coach has to look at it now; null where she was told already, or there is nothing to tell. */
function reasonFor(row: Row, { status, dispute, refundsFailed }: Verdict): AttentionReason | null {
  const { attention, waiting } = row;
  const isNews = (reason: AttentionReason) =>
    attention === reason || waiting === reason ? null : reason;
  if (status === "refunded") return null;
  if (dispute === "lost") return isNews("dispute_lost");
  if (dispute === "open") return isNews("disputed");
  if (row.status === "disputed") return "dispute_won";
  if (refundsFailed > row.refundsFailed) return "refund_failed";
  return dispute === "inquiry" ? isNews("inquiry") : null;
}

/** A dispute that was won opens only what it had closed: the coach is told what came of it. */
async function asItIs(
  trx: Query,
  { userId, productId }: Row,
  reason: AttentionReason,
): Promise<AttentionReason> {
  if (reason !== "dispute_won") return reason;
  if (!userId) return "dispute_won_closed";
  const seat = await trx
    .selectFrom("enrollments")
    .select("id")
    .where("userId", "=", userId)
    .where("productId", "=", productId)
    .executeTakeFirst();
  return seat ? reason : "dispute_won_closed";
}
