import {
  endEnrollmentWithin,
  restoreDisputedWithin,
} from "~/features/enrollments/commands.server.ts";
import type { Database, Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { Services } from "~/platform/services.ts";
import { attendWithin, isOpen, raiseWithin, takeOverWithin } from "../attention/commands.server.ts";
import { receiptLetter } from "../receipts/jobs.server.ts";
import { readPayment } from "../refunds/gateway.server.ts";
import { refundedMail } from "../refunds/jobs.server.ts";
import { type Verdict, verdictOf } from "./rules.ts";

/** Reading Stripe and writing it down is begun anew so often where somebody else was faster. */
const mostTries = 20;

/**
 * Brings a payment to what Stripe says of it now: whoever asks, in whatever order, as often as
 * they like. What ends it (refunded in full, disputed) ends the enrollment it opened, unless
 * another paid payment can hold it; a dispute that was won gives it back.
 * @param by who ends the enrollment, if it comes to that: an administrator's id, or 'stripe'
 * @returns false when no payment of ours is known under this id, or not yet as paid
 * @throws {StripeTrouble} also where Stripe does not know a payment that is known here
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
    const truth = await readPayment(services, paymentIntentId);
    const dispute = truth.disputes[0]?.id ?? seen.id;
    const settling = { seen, verdict: verdictOf(truth), dispute, by, now: clock.now() };
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
  "answers",
  "receiptAt",
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
type Settling = {
  seen: Row;
  verdict: Verdict;
  /** The newest dispute about it. */
  dispute: string;
  by: string;
  now: Date;
};

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
  { seen, verdict, dispute, by, now }: Settling,
): Promise<boolean> {
  await lockSeat(db, trx, seen);
  const row = await findRow(trx, seen.paymentIntentId ?? "");
  if (row?.answers !== seen.answers) return false;
  const { id: paymentId, userId } = row;
  const { status, refundedCents } = verdict;
  const isNew = status !== row.status;
  // Of one whose money was gone before it was booked, she has none yet.
  const lacksReceipt = status === "paid" && row.receiptAt === null && userId !== null;
  await trx
    .updateTable("payments")
    .set({ status, refundedCents, dispute: verdict.dispute, updatedAt: now })
    .set((eb) => ({ answers: eb("answers", "+", 1) }))
    .$if(isNew, (update) => update.set({ endedAt: status === "paid" ? null : now }))
    .$if(lacksReceipt, (update) => update.set({ receiptAt: now }))
    .where("id", "=", paymentId)
    .execute();
  if (isNew && status !== "paid") await leaveSeat(trx, { row, reason: status, by, now });
  await takeOverWithin(trx, { paymentId, verdict, now });
  if (row.status === "disputed" && status === "paid") await returnSeat(trx, row, { dispute, now });
  if (lacksReceipt) await enqueue(trx, receiptLetter, { paymentId }, { now, to: { userId } });
  if (isNew && status === "refunded" && userId)
    await enqueue(trx, refundedMail, { paymentId }, { now, to: { userId } });
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

/**
 * A dispute was won: it opens again what it had closed, and the coach is told. Where another payment
 * holds the place meanwhile, there are two now, and one of them is hers to give back.
 */
async function returnSeat(
  trx: Query,
  { id: paymentId, userId, productId, paymentIntentId }: Row,
  { dispute, now }: { dispute: string; now: Date },
): Promise<void> {
  if (userId && paymentIntentId)
    await restoreDisputedWithin(trx, { userId, productId, stripePaymentId: paymentIntentId });
  const seat = await trx
    .selectFrom("enrollments")
    .select("stripePaymentId")
    .where("userId", "=", userId ?? "")
    .where("productId", "=", productId)
    .executeTakeFirst();
  const isTwice = seat?.stripePaymentId && seat.stripePaymentId !== paymentIntentId;
  const isKnown = await isOpen(trx, { paymentId, reason: "already_enrolled" });
  const reason = isTwice && !isKnown ? "already_enrolled" : "dispute_won";
  await raiseWithin(trx, { reason, cause: dispute, paymentId, now });
}
