import { enrollWithin } from "~/features/enrollments/commands.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { attendWithin } from "../attention/commands.server.ts";
import { attentionMessages } from "../attention/texts.ts";
import { auditPayment } from "../audit/commands.server.ts";
import { bookingReasons } from "../schema.ts";
import { lockSeat } from "../settling/commands.server.ts";

/** What is dealt with when she is in: not what a bank asks, nor money that came back. */
const enteredReasons = [...bookingReasons, "dispute_won"];

/**
 * Opens the course to whoever paid for it and is not in it, by the coach's hand: the payment is
 * dealt with then.
 * @throws {Refused} where the payment does not stand for a place any more, or the course is gone
 */
export async function enrollPayer(services: Services, paymentId: string): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  await db.transaction(async (trx) => {
    const asked = await paidFor(trx, paymentId);
    await lockSeat(db, trx, asked);
    const isNew = await enrollWithin(trx, { ...(await paidFor(trx, paymentId)), now });
    const isDealtWith = await attendWithin(trx, { paymentId, reasons: enteredReasons, now });
    const action = isNew ? "payment.enrolled" : "payment.attended";
    if (isNew || isDealtWith) await auditPayment(trx, services, { action, paymentId });
  });
}

/** Whom a payment can enroll, and in what. @throws {Refused} unless it is paid and she has an account */
async function paidFor(db: Query, paymentId: string) {
  const row = await db
    .selectFrom("payments")
    .select(["userId", "productId", "paymentIntentId as stripePaymentId"])
    .where("id", "=", paymentId)
    .where("status", "=", "paid")
    .executeTakeFirst();
  if (!row?.userId) throw new Refused("conflict", attentionMessages.cannotEnroll);
  return { ...row, userId: row.userId };
}
