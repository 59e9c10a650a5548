import type Stripe from "stripe";
import { z } from "zod";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { paymentMessages, reads } from "./messages.ts";
import { hasRefundFailed } from "./rules.ts";
import type {
  CheckoutInput,
  CheckoutSession,
  StripeDispute,
  StripeEvent,
  StripePayment,
  StripeRefund,
} from "./schema.ts";

/** Stripe was unreachable or refused. Its message is not logged: it may name keys and people. */
export class StripeUnavailable extends Error {
  readonly code: string | null;
  /** Worth a retry: no connection, too busy, Stripe's fault, or keys that are being fixed. */
  readonly isTemporary: boolean;
  /** The key is rejected: rolled, mistyped, or without the permission. */
  readonly isRefusal: boolean;
  /** Stripe answered; otherwise it is unknown whether the request was carried out. */
  readonly isAnswer: boolean;
  constructor(error: unknown) {
    const { type, code = null, statusCode = 0 } = error as Partial<Stripe.errors.StripeError>;
    super(
      `Stripe: ${[type ?? (error as Error).name, code, statusCode || null].filter(Boolean).join(", ")}`,
    );
    this.code = code;
    this.isAnswer = statusCode !== 0;
    this.isRefusal = statusCode === 401 || statusCode === 403;
    this.isTemporary = ![400, 402, 404].includes(statusCode);
  }
}

/** @throws {Refused} unavailable without keys @throws {StripeUnavailable} */
export async function callStripe<T>(
  { stripe }: Services,
  ask: (stripe: Stripe) => Promise<T>,
): Promise<T> {
  if (!stripe) throw new Refused("unavailable", paymentMessages.notConfigured);
  try {
    return await ask(stripe);
  } catch (error) {
    throw isStripes(error) ? new StripeUnavailable(error) : error;
  }
}

// By name, because a process may hold the library twice.
const isStripes = (error: unknown) => /^Stripe/.test((error as { type?: string })?.type ?? "");

/** As {@link callStripe}; null when the object does not exist at Stripe. */
export async function findAtStripe<T>(
  services: Services,
  ask: (stripe: Stripe) => Promise<T>,
): Promise<T | null> {
  try {
    return await callStripe(services, ask);
  } catch (error) {
    if (error instanceof StripeUnavailable && error.code === "resource_missing") return null;
    throw error;
  }
}

/** From seconds since 1970, as Stripe writes times. */
export const dateOf = (seconds: number) => new Date(seconds * 1000);

/** The id of a reference, which Stripe returns as an id or, on request, expanded. */
export function idOf(named: string | { id: string } | null | undefined): string | null {
  return typeof named === "string" ? named : (named?.id ?? null);
}

/** Creates a Checkout Session. Idempotent: the same key and parameters return the first one. */
export function createSession(
  services: Services,
  asked: CheckoutInput,
  idempotencyKey: string,
): Promise<CheckoutSession> {
  const { metadata } = asked;
  return callStripe(services, async (stripe) => {
    const session = await stripe.checkout.sessions.create(
      {
        mode: "payment",
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: asked.currency,
              unit_amount: asked.amountCents,
              product_data: { name: asked.title },
            },
          },
        ],
        client_reference_id: asked.reference,
        ...(asked.email ? { customer_email: asked.email } : {}),
        metadata,
        payment_intent_data: { metadata, description: asked.title },
        expires_at: Math.floor(asked.expiresAt.getTime() / 1000),
        success_url: asked.successUrl,
        cancel_url: asked.cancelUrl,
      },
      { idempotencyKey },
    );
    return sessionOf(session);
  });
}

export function findCheckoutSession(
  services: Services,
  id: string,
): Promise<CheckoutSession | null> {
  return findAtStripe(services, async (stripe) => {
    const expand = ["payment_intent", "payment_intent.latest_charge"];
    return sessionOf(await stripe.checkout.sessions.retrieve(id, { expand }));
  });
}

/** The session that a payment was made in; null for one that was made elsewhere. */
export async function findSessionOfPayment(
  services: Services,
  paymentIntentId: string,
): Promise<CheckoutSession | null> {
  const id = await findAtStripe(services, async (stripe) => {
    const asked = { payment_intent: paymentIntentId, limit: 1 };
    return (await stripe.checkout.sessions.list(asked)).data[0]?.id ?? null;
  });
  return id ? findCheckoutSession(services, id) : null;
}

/** Expires a session, so that it cannot be paid. @throws {StripeUnavailable} when it is not open */
export function expireSession(services: Services, id: string): Promise<CheckoutSession> {
  return callStripe(services, async (stripe) =>
    sessionOf(await stripe.checkout.sessions.expire(id)),
  );
}

function sessionOf(session: Stripe.Checkout.Session): CheckoutSession {
  const { id, url, payment_intent: intent, payment_status: paid } = session;
  return {
    id,
    url,
    status: session.status as CheckoutSession["status"],
    isPaid: paid !== "unpaid",
    amountCents: session.amount_total ?? 0,
    currency: session.currency ?? "",
    metadata: session.metadata ?? {},
    payment: intent && typeof intent !== "string" ? madeOf(intent) : null,
  };
}

function madeOf({ id, status, latest_charge: charge }: Stripe.PaymentIntent) {
  const latest = typeof charge === "string" ? null : charge;
  return {
    id,
    // It waits for another payment method, or was canceled.
    hasFailed: status === "requires_payment_method" || status === "canceled",
    refundedCents: latest?.amount_refunded ?? 0,
    isDisputed: latest?.disputed ?? false,
    chargedAt: latest ? dateOf(latest.created) : null,
  };
}

const pageSize = 100;
const mostPages = 50;

// Maximum age of a signature, as Stripe advises.
const toleranceSeconds = 300;

const signedEvent = z.object({
  id: z.string().min(1).max(255),
  type: z.string().max(255),
  created: z.int(),
  data: z.object({ object: z.object({ id: z.string().max(255).optional() }) }),
});

/** The event in a webhook's raw body; null when its object has no id. @throws {Refused}
 * unavailable without keys; invalid without a recent signature of Stripe */
export async function readWebhook(
  { stripe, config, clock }: Services,
  body: string,
  signature: string | undefined,
): Promise<StripeEvent | null> {
  if (!stripe || !config.stripe) throw new Refused("unavailable", paymentMessages.notConfigured);
  const { webhookSecret } = config.stripe;
  const now = clock.now().getTime();
  const event: unknown = await stripe.webhooks
    .constructEventAsync(body, signature ?? "", webhookSecret, toleranceSeconds, undefined, now)
    .catch(() => {
      throw new Refused("invalid", paymentMessages.badSignature);
    });
  const parsed = signedEvent.safeParse(event);
  if (!parsed.success) return null;
  const { id, type, created, data } = parsed.data;
  const { id: objectId } = data.object;
  return objectId ? { id, type, createdAt: dateOf(created), objectId } : null;
}

/** The events since a time, oldest first; Stripe keeps 30 days. `isWhole` is false when there
 * were more than are read at once: then the oldest are missing. */
export function listEvents(
  services: Services,
  { since, types }: { since: Date; types: string[] },
): Promise<{ events: StripeEvent[]; isWhole: boolean }> {
  return callStripe(services, async (stripe) => {
    const events: StripeEvent[] = [];
    const listed = stripe.events.list({
      created: { gte: Math.floor(since.getTime() / 1000) },
      types,
      limit: pageSize,
    });
    for await (const { id, type, created, data } of listed) {
      if (events.length === mostPages * pageSize)
        return { events: events.reverse(), isWhole: false };
      const { id: objectId } = data.object as { id?: string };
      if (objectId) events.push({ id, type, createdAt: dateOf(created), objectId });
    }
    return { events: events.reverse(), isWhole: true };
  });
}

const most = 100;

/** A payment with its refunds and disputes, newest first. The refunded amount is summed here:
 * Stripe's own sum may include a failed refund. @throws {StripeUnavailable} 'resource_missing': a
 * payment that is known here must not silently vanish. */
export function readPayment(services: Services, paymentIntentId: string): Promise<StripePayment> {
  return callStripe(services, async (stripe) => {
    const [intent, refunds, disputes] = await Promise.all([
      stripe.paymentIntents.retrieve(paymentIntentId),
      stripe.refunds.list({ payment_intent: paymentIntentId, limit: most }),
      stripe.disputes.list({ payment_intent: paymentIntentId, limit: most }),
    ]);
    return paymentOf(intent, refunds.data, disputes.data);
  });
}

export function findPaymentOfCharge(services: Services, chargeId: string): Promise<string | null> {
  return findAtStripe(services, async (stripe) => {
    return idOf((await stripe.charges.retrieve(chargeId)).payment_intent);
  });
}

export function findDispute(services: Services, id: string): Promise<StripeDispute | null> {
  return findAtStripe(services, async (stripe) => disputeOf(await stripe.disputes.retrieve(id)));
}

export function findRefund(services: Services, id: string): Promise<StripeRefund | null> {
  return findAtStripe(services, async (stripe) => refundOf(await stripe.refunds.retrieve(id)));
}

type Refunding = {
  paymentIntentId: string;
  amountCents?: number;
  metadata?: Record<string, string>;
  idempotencyKey: string;
};

/** @throws {StripeUnavailable} 'charge_already_refunded' when nothing is left */
export function refundPayment(
  services: Services,
  { paymentIntentId, amountCents, metadata, idempotencyKey }: Refunding,
): Promise<StripeRefund> {
  return callStripe(services, async (stripe) => {
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
    .filter((refund) => !hasRefundFailed(refund))
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
  return { id, receivedCents, refundedCents, currency, refunds, disputes: disputes.map(disputeOf) };
}

function refundOf(refund: Stripe.Refund): StripeRefund {
  return {
    id: refund.id,
    paymentIntentId: idOf(refund.payment_intent),
    amountCents: refund.amount,
    // Null for some old payment methods, which refund at once.
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

// The coach's page waits this long for Stripe, without a retry.
const patience = { timeout: 1500, maxNetworkRetries: 0 };

const readings: Record<(typeof reads)[number], (stripe: Stripe) => Promise<unknown>> = {
  Events: (stripe) => stripe.events.list({ limit: 1 }, patience),
  "Checkout Sessions": (stripe) => stripe.checkout.sessions.list({ limit: 1 }, patience),
  PaymentIntents: (stripe) => stripe.paymentIntents.list({ limit: 1 }, patience),
  "Charges and Refunds": (stripe) => stripe.refunds.list({ limit: 1 }, patience),
  Disputes: (stripe) => stripe.disputes.list({ limit: 1 }, patience),
};

/** What the key may not read; empty if Stripe is away or slow. Write permissions show in use. */
export async function findRefusals(services: Services): Promise<string[]> {
  if (!services.stripe) return [];
  const asked = reads.map(async (name) => {
    try {
      await callStripe(services, readings[name]);
      return [];
    } catch (error) {
      if (!(error instanceof StripeUnavailable)) throw error;
      return error.isRefusal ? [name] : [];
    }
  });
  return (await Promise.all(asked)).flat();
}
