import type Stripe from "stripe";
import { stripeId } from "./objects.ts";
import type { Params } from "./params.ts";

export function newCharge(
  intent: Stripe.PaymentIntent,
  { now, email, paid }: { now: number; email: string | null; paid: boolean },
): Stripe.Charge {
  return {
    id: stripeId("ch"),
    object: "charge",
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: paid ? stripeId("txn") : null,
    billing_details: { address: null, email, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: paid,
    created: now,
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: null,
    paid,
    payment_intent: intent.id,
    payment_method: stripeId("pm"),
    payment_method_details: { type: "card" },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: paid ? "succeeded" : "failed",
    transfer_data: null,
    transfer_group: null,
  };
}

type Refunding = { amount: number; now: number; status: string; params: Params };

export function newRefund(
  charge: Stripe.Charge,
  { amount, now, status, params }: Refunding,
): Stripe.Refund {
  return {
    id: stripeId("re"),
    object: "refund",
    amount,
    balance_transaction: stripeId("txn"),
    charge: charge.id,
    created: now,
    currency: charge.currency,
    customer: null,
    customer_account: null,
    destination_details: { type: "card" },
    metadata: params.metadata ?? {},
    payment_intent: charge.payment_intent,
    payment_method: null,
    reason: params.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
  };
}

/** What of a dispute is used here; its evidence, which is long and empty, is left out. */
export function newDispute(
  charge: Stripe.Charge,
  { now, reason, status }: { now: number; reason: string; status: string },
): Omit<Stripe.Dispute, "evidence" | "evidence_details"> {
  return {
    id: stripeId("du"),
    object: "dispute",
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status,
  };
}
