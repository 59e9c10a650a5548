import { randomBytes } from "node:crypto";
import Stripe from "stripe";
import type { Params } from "./params.ts";

/** An id as Stripe makes them, e.g. 'cs_test_…'. */
export const stripeId = (prefix: string) =>
  `${prefix}_${randomBytes(18).toString("base64url").replace(/[-_]/g, "x")}`;

/** What every object here has: its own id and its kind. */
export type StripeObject = { id: string; object: string };

/** A Checkout Session just created, in the shape of the SDK's API version. */
export function newSession(params: Params, now: number, origin: string): Stripe.Checkout.Session {
  const id = stripeId("cs_test");
  const { price_data: price, quantity } = params.line_items[0];
  const total = Number(price.unit_amount) * Number(quantity);
  return {
    id,
    object: "checkout.session",
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency: price.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: null,
    customer_account: null,
    customer_creation: "if_required",
    customer_details: null,
    customer_email: params.customer_email ?? null,
    discounts: [],
    expires_at: params.expires_at ? Number(params.expires_at) : now + 24 * 3600,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: params.metadata ?? {},
    mode: "payment",
    origin_context: null,
    // Known once something is paid (since version 2022-08-01).
    payment_intent: null,
    payment_link: null,
    payment_method_collection: "if_required",
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_status: "unpaid",
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: "open",
    submit_type: null,
    subscription: null,
    success_url: params.success_url,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: "hosted_page",
    url: `${origin}/c/pay/${id}`,
    wallet_options: null,
  };
}

type Paying = { status: "processing" | "succeeded"; now: number; data: Params };

/** What paying a session makes; `data` is its payment_intent_data. */
export function newPaymentIntent(
  session: Stripe.Checkout.Session,
  { status, now, data }: Paying,
): Stripe.PaymentIntent {
  const amount = session.amount_total ?? 0;
  return {
    id: stripeId("pi"),
    object: "payment_intent",
    allowed_payment_method_types: null,
    amount,
    amount_capturable: 0,
    amount_details: {},
    amount_received: status === "succeeded" ? amount : 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic_async",
    client_secret: stripeId("pi_secret"),
    confirmation_method: "automatic",
    created: now,
    currency: session.currency ?? "usd",
    customer: null,
    customer_account: null,
    description: data.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: data.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: stripeId("pm"),
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ["card"],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status,
    transfer_data: null,
    transfer_group: null,
  };
}

/** An event, pinned to the SDK's API version. Its object is as it was then. */
export function newEvent(type: string, object: StripeObject, now: number): Stripe.Event {
  return {
    id: stripeId("evt"),
    object: "event",
    api_version: Stripe.API_VERSION,
    created: now,
    data: { object: structuredClone(object) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: stripeId("req"), idempotency_key: null },
    type,
  } as unknown as Stripe.Event;
}
