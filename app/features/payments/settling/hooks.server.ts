import type { Services } from "~/platform/services.ts";
import { findSessionOfPayment } from "../checkout/gateway.server.ts";
import { settle } from "../fulfilment/commands.server.ts";
import { findDispute, findPaymentOfCharge, findRefund } from "../refunds/gateway.server.ts";
import { settlePayment } from "./commands.server.ts";

/** Something happened to a charge: money went back, all of it or a part. */
export async function settleCharge(services: Services, chargeId: string): Promise<void> {
  await settleAny(services, await findPaymentOfCharge(services, chargeId));
}

/** A bank asks, takes the money back, or has decided. */
export async function settleDispute(services: Services, disputeId: string): Promise<void> {
  const dispute = await findDispute(services, disputeId);
  await settleAny(services, dispute?.paymentIntentId ?? null);
}

/** A refund has got further, or did not arrive. */
export async function settleRefund(services: Services, refundId: string): Promise<void> {
  const refund = await findRefund(services, refundId);
  await settleAny(services, refund?.paymentIntentId ?? null);
}

/**
 * Brings a payment to what Stripe says. One that nobody has told us of yet is booked first: events
 * come in any order. What was paid to somebody else on the same account is none of ours.
 */
async function settleAny(services: Services, paymentIntentId: string | null): Promise<void> {
  if (!paymentIntentId || (await settlePayment(services, paymentIntentId))) return;
  const session = await findSessionOfPayment(services, paymentIntentId);
  if (!session) return;
  await settle(services, session);
  await settlePayment(services, paymentIntentId);
}
