import { randomBytes } from "node:crypto";
import Stripe from "stripe";

// Objects in the shape of the SDK's API version, with the fields that are used here or that the
// stand-in itself needs; of Stripe's many other fields each would be null.

/** What Stripe's clients send: nested, its leaves text. */
// biome-ignore lint/suspicious/noExplicitAny: as loose as what arrives.
export type Params = Record<string, any>;

/** An id as Stripe makes them, e.g. 'cs_test_…'. */
export const stripeId = (prefix: string) =>
  `${prefix}_${randomBytes(18).toString("base64url").replace(/[-_]/g, "x")}`;

/** An error in Stripe's shape. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;
  constructor(
    status: number,
    message: string,
    more: Partial<Record<"type" | "code" | "param", string>> = {},
  ) {
    super(message);
    this.status = status;
    this.body = { error: { type: "invalid_request_error", message, ...more } };
  }
}

export const missing = (what: string, id: string) =>
  new ApiError(404, `No such ${what}: '${id}'`, { code: "resource_missing", param: "id" });

const invalid = (param: string, code = "parameter_invalid") =>
  new ApiError(400, `Invalid ${param}`, { code, param });

const sessionParams = new Set(
  "mode line_items client_reference_id customer_email metadata payment_intent_data expires_at success_url cancel_url expand".split(
    " ",
  ),
);

/** A Checkout Session just created. @throws {ApiError} for what Stripe does not accept */
export function newSession(params: Params, now: number, origin: string) {
  for (const name of Object.keys(params))
    if (!sessionParams.has(name)) throw invalid(name, "parameter_unknown");
  const { price_data: price, quantity } = params.line_items?.[0] ?? {};
  const amount = Number(price?.unit_amount) * Number(quantity);
  const expiresAt = Number(params.expires_at ?? now + 24 * 3600);
  const email = params.customer_email;
  const isWrong = {
    mode: params.mode !== "payment",
    success_url: !params.success_url,
    currency: !price?.currency,
    name: !price?.product_data?.name,
    unit_amount: !(Number.isInteger(amount) && amount >= 50),
    // Between 30 minutes and 24 hours, by clocks that differ a little.
    expires_at: expiresAt - now < 29 * 60 || expiresAt - now > 24 * 3600,
    metadata: Object.values({ ...params.metadata }).some((value) => String(value).length > 500),
    client_reference_id: (params.client_reference_id ?? "").length > 200,
  };
  for (const [name, is] of Object.entries(isWrong)) if (is) throw invalid(name);
  if (email !== undefined && !/^\S+@\S+$/.test(email))
    throw invalid("customer_email", "email_invalid");
  const id = stripeId("cs_test");
  return {
    ...{ id, object: "checkout.session", created: now, livemode: false, mode: "payment" },
    ...{ amount_total: amount, currency: price.currency, expires_at: expiresAt },
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    customer_email: email ?? null,
    metadata: params.metadata ?? {},
    // Known once something is paid (since version 2022-08-01).
    payment_intent: null,
    ...{ payment_status: "unpaid", status: "open", success_url: params.success_url },
    url: `${origin}/c/pay/${id}`,
  } as unknown as Stripe.Checkout.Session;
}

type Paying = { status: "processing" | "succeeded"; now: number; data: Params };

/** What paying a session makes; `data` is its payment_intent_data. */
export function newPaymentIntent(
  { amount_total, currency }: Stripe.Checkout.Session,
  { status, now, data }: Paying,
) {
  const amount = amount_total ?? 0;
  return {
    ...{ id: stripeId("pi"), object: "payment_intent", created: now, livemode: false },
    ...{ amount, amount_received: status === "succeeded" ? amount : 0, currency, status },
    ...{ description: data.description ?? null, metadata: data.metadata ?? {} },
    latest_charge: null,
  } as unknown as Stripe.PaymentIntent;
}

export function newCharge(
  { id, amount, currency, description, metadata, created }: Stripe.PaymentIntent,
  paid: boolean,
) {
  return {
    ...{ id: stripeId("ch"), object: "charge", created, livemode: false, payment_intent: id },
    ...{ amount, amount_captured: paid ? amount : 0, amount_refunded: 0, currency, description },
    ...{ captured: paid, disputed: false, paid, refunded: false, metadata: { ...metadata } },
    status: paid ? "succeeded" : "failed",
  } as unknown as Stripe.Charge;
}

/** Of all or a part of a charge, at once. */
export function newRefund(
  { id, currency, payment_intent }: Stripe.Charge,
  { amount, now, params }: { amount: number; now: number; params: Params },
) {
  return {
    ...{ id: stripeId("re"), object: "refund", created: now, status: "succeeded" },
    ...{ amount, currency, charge: id, payment_intent },
    ...{ metadata: params.metadata ?? {}, reason: params.reason ?? null },
  } as unknown as Stripe.Refund;
}

export function newDispute(
  { id, amount, currency, payment_intent }: Stripe.Charge,
  { now, status }: { now: number; status: string },
) {
  return {
    ...{ id: stripeId("du"), object: "dispute", created: now, livemode: false },
    ...{ amount, currency, charge: id, payment_intent, reason: "fraudulent", status },
  } as unknown as Stripe.Dispute;
}

/** An event, pinned to the SDK's API version. Its object is as it was then. */
export function newEvent(type: string, object: { id: string; object: string }, now: number) {
  return {
    ...{ id: stripeId("evt"), object: "event", api_version: Stripe.API_VERSION, created: now },
    ...{ data: { object: structuredClone(object) }, livemode: false, pending_webhooks: 1, type },
    request: { id: stripeId("req"), idempotency_key: null },
  } as unknown as Stripe.Event;
}
