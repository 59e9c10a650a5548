import type Stripe from "stripe";
import type { Services } from "~/platform/services.ts";
import { asking, dateOf, idOf, looking } from "../gateway.server.ts";
import type { StripeDispute, StripePayment, StripeRefund } from "../schema.ts";
import { isInVain } from "../settling/rules.ts";

/** At most so many refunds and disputes of a payment are read; nobody has more. */
const most = 100;

/**
 * A payment with its refunds and disputes, newest first. What went back is the sum of the refunds:
 * Stripe's own sum may still hold one that did not arrive.
 * @throws {StripeTrouble} 'resource_missing' when Stripe has none of this id: one that is known here
 *   is never silently nothing
 */
export function readPayment(services: Services, paymentIntentId: string): Promise<StripePayment> {
  return asking(services, async (stripe) => {
    const [intent, refunds, disputes] = await Promise.all([
      stripe.paymentIntents.retrieve(paymentIntentId),
      stripe.refunds.list({ payment_intent: paymentIntentId, limit: most }),
      stripe.disputes.list({ payment_intent: paymentIntentId, limit: most }),
    ]);
    return paymentOf(intent, refunds.data, disputes.data);
  });
}

/** Of which payment a charge is: its payment intent's id; null for a charge without one, or none. */
export function findPaymentOfCharge(services: Services, chargeId: string): Promise<string | null> {
  return looking(services, async (stripe) => {
    return idOf((await stripe.charges.retrieve(chargeId)).payment_intent);
  });
}

/** A dispute as it stands; null when there is none of this id. */
export function findDispute(services: Services, id: string): Promise<StripeDispute | null> {
  return looking(services, async (stripe) => disputeOf(await stripe.disputes.retrieve(id)));
}

/** A refund as it stands; null when there is none of this id. */
export function findRefund(services: Services, id: string): Promise<StripeRefund | null> {
  return looking(services, async (stripe) => refundOf(await stripe.refunds.retrieve(id)));
}

type Refunding = {
  paymentIntentId: string;
  /** All that is left, when absent. */
  amountCents?: number;
  metadata?: Record<string, string>;
  /** The same key is the same refund. */
  idempotencyKey: string;
};

/** Gives money back. @throws {StripeTrouble} 'charge_already_refunded' when nothing is left */
export function refundPayment(
  services: Services,
  { paymentIntentId, amountCents, metadata, idempotencyKey }: Refunding,
): Promise<StripeRefund> {
  return asking(services, async (stripe) => {
    const refund = await stripe.refunds.create(
      {
        payment_intent: paymentIntentId,
        reason: "requested_by_customer",
        ...(amountCents === undefined ? {} : { amount: amountCents }),
        ...(metadata ? { metadata } : {}),
      },
      { idempotencyKey },
    );
    return refundOf(refund);
  });
}

function paymentOf(
  { id, amount_received: receivedCents, currency }: Stripe.PaymentIntent,
  refundsMade: Stripe.Refund[],
  disputes: Stripe.Dispute[],
): StripePayment {
  const refunds = refundsMade.map(refundOf);
  const refundedCents = refunds
    .filter((refund) => !isInVain(refund))
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
  return { id, receivedCents, refundedCents, currency, refunds, disputes: disputes.map(disputeOf) };
}

function refundOf(refund: Stripe.Refund): StripeRefund {
  return {
    id: refund.id,
    paymentIntentId: idOf(refund.payment_intent),
    amountCents: refund.amount,
    // Null for some old ways of paying, which give back at once.
    status: (refund.status ?? "succeeded") as StripeRefund["status"],
    createdAt: dateOf(refund.created),
  };
}

function disputeOf(dispute: Stripe.Dispute): StripeDispute {
  return {
    id: dispute.id,
    paymentIntentId: idOf(dispute.payment_intent),
    amountCents: dispute.amount,
    status: dispute.status,
    reason: dispute.reason,
    createdAt: dateOf(dispute.created),
  };
}
