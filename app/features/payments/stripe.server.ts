import type Stripe from "stripe";
import { z } from "zod";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { paymentMessages, reads } from "./messages.ts";
import type { StripePayment } from "./schema.ts";

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
async function call<T>({ stripe }: Services, ask: (stripe: Stripe) => Promise<T>): Promise<T> {
  if (!stripe) throw new Refused("unavailable", paymentMessages.notConfigured);
  try {
    return await ask(stripe);
  } catch (error) {
    // By name, because a process may hold the library twice.
    const isStripes = /^Stripe/.test((error as { type?: string })?.type ?? "");
    throw isStripes ? new StripeUnavailable(error) : error;
  }
}

/** As {@link call}; null when the object does not exist at Stripe. */
async function find<T>(services: Services, ask: (stripe: Stripe) => Promise<T>): Promise<T | null> {
  try {
    return await call(services, ask);
  } catch (error) {
    if (error instanceof StripeUnavailable && error.code === "resource_missing") return null;
    throw error;
  }
}

// Stripe writes times in seconds since 1970.
const dateOf = (seconds: number) => new Date(seconds * 1000);

/** Creates a Checkout Session. Idempotent: the same key and parameters return the first one. */
export function createSession(
  services: Services,
  params: Stripe.Checkout.SessionCreateParams,
  idempotencyKey: string,
): Promise<CheckoutSession> {
  return call(services, async (stripe) =>
    sessionOf(await stripe.checkout.sessions.create(params, { idempotencyKey })),
  );
}

export function findCheckoutSession(
  services: Services,
  id: string,
): Promise<CheckoutSession | null> {
  return find(services, async (stripe) => {
    const expand = ["payment_intent", "payment_intent.latest_charge"];
    return sessionOf(await stripe.checkout.sessions.retrieve(id, { expand }));
  });
}

/** The session that a payment was made in; null for one that was made elsewhere. */
export async function findSessionOfPayment(
  services: Services,
  paymentIntentId: string,
): Promise<CheckoutSession | null> {
  const id = await find(services, async (stripe) => {
    const asked = { payment_intent: paymentIntentId, limit: 1 };
    return (await stripe.checkout.sessions.list(asked)).data[0]?.id ?? null;
  });
  return id ? findCheckoutSession(services, id) : null;
}

/** Expires a session, so that it cannot be paid. @throws {StripeUnavailable} when it is not open */
export function expireSession(services: Services, id: string): Promise<CheckoutSession> {
  return call(services, async (stripe) => sessionOf(await stripe.checkout.sessions.expire(id)));
}

export type CheckoutSession = ReturnType<typeof sessionOf>;

function sessionOf(session: Stripe.Checkout.Session) {
  const { id, url, status, payment_intent: intent } = session;
  return {
    ...{ id, url, status },
    /** False while it is open, and while a delayed payment (bank debit, voucher) is on its way. */
    isPaid: session.payment_status !== "unpaid",
    /** In the smallest unit of `currency`, which is ISO 4217 in lower case. */
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
    // A delayed payment: it waits for another payment method, or was canceled.
    hasFailed: status === "requires_payment_method" || status === "canceled",
    refundedCents: latest?.amount_refunded ?? 0,
    isDisputed: latest?.disputed ?? false,
    chargedAt: latest ? dateOf(latest.created) : null,
  };
}

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
  const { data } = signedEvent.safeParse(event);
  return data ? eventOf(data) : null;
}

/** What is true now is read from Stripe by the object's id. */
export type StripeEvent = { id: string; type: string; createdAt: Date; objectId: string };

type Named = { id: string; type: string; created: number; data: { object: { id?: string } } };

function eventOf({ id, type, created, data }: Named): StripeEvent | null {
  const { id: objectId } = data.object;
  return objectId ? { id, type, createdAt: dateOf(created), objectId } : null;
}

const pageSize = 100;
const mostEvents = 50 * pageSize;

/** The events since a time, oldest first; Stripe lists 30 days. `isWhole` is false when there
 * were more than are read at once: then the oldest are missing. */
export function listEvents(
  services: Services,
  { since, types }: { since: Date; types: string[] },
): Promise<{ events: StripeEvent[]; isWhole: boolean }> {
  return call(services, async (stripe) => {
    const created = { gte: Math.floor(since.getTime() / 1000) };
    const listed = stripe.events.list({ created, types, limit: pageSize });
    const all = await listed.autoPagingToArray({ limit: mostEvents });
    const events = all.flatMap((event) => eventOf(event as unknown as Named) ?? []);
    return { events: events.reverse(), isWhole: all.length < mostEvents };
  });
}

/** A payment with its refunds and disputes. @throws {StripeUnavailable} 'resource_missing': a
 * payment that is known here must not silently vanish. */
export function readPayment(services: Services, paymentIntentId: string): Promise<StripePayment> {
  return call(services, async (stripe) => {
    const asked = { payment_intent: paymentIntentId, limit: 100 };
    const [intent, refunds, disputes] = await Promise.all([
      stripe.paymentIntents.retrieve(paymentIntentId),
      stripe.refunds.list(asked),
      stripe.disputes.list(asked),
    ]);
    const { amount_received: receivedCents } = intent;
    return { receivedCents, refunds: refunds.data, disputes: disputes.data };
  });
}

const retrievals = {
  charge: (stripe: Stripe, id: string) => stripe.charges.retrieve(id),
  refund: (stripe: Stripe, id: string) => stripe.refunds.retrieve(id),
  dispute: (stripe: Stripe, id: string) => stripe.disputes.retrieve(id),
};

/** The id of the payment that an object at Stripe belongs to; null if there is none. */
export function findPaymentIntentOf(
  services: Services,
  kind: keyof typeof retrievals,
  id: string,
): Promise<string | null> {
  return find(services, async (stripe) => {
    const { payment_intent: intent } = await retrievals[kind](stripe, id);
    return typeof intent === "string" ? intent : (intent?.id ?? null);
  });
}

type Refunding = {
  paymentIntentId: string;
  amountCents: number;
  idempotencyKey: string;
  metadata: Record<string, string>;
};

/** @throws {StripeUnavailable} 'charge_already_refunded' when nothing is left */
export async function refundPayment(
  services: Services,
  { paymentIntentId, amountCents, idempotencyKey, metadata }: Refunding,
): Promise<void> {
  await call(services, (stripe) =>
    stripe.refunds.create(
      {
        payment_intent: paymentIntentId,
        reason: "requested_by_customer",
        amount: amountCents,
        metadata,
      },
      { idempotencyKey },
    ),
  );
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
      await call(services, readings[name]);
      return [];
    } catch (error) {
      if (!(error instanceof StripeUnavailable)) throw error;
      return error.isRefusal ? [name] : [];
    }
  });
  return (await Promise.all(asked)).flat();
}
