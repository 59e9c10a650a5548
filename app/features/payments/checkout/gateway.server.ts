import type Stripe from "stripe";
import type { Services } from "~/platform/services.ts";
import { asking, dateOf, looking } from "../gateway.server.ts";
import type { Asked, CheckoutSession } from "../schema.ts";

/**
 * Creates a Checkout Session for one course. Asked again with the same key and the same words,
 * Stripe answers with the session it made before.
 */
export function createSession(
  services: Services,
  asked: Asked,
  idempotencyKey: string,
): Promise<CheckoutSession> {
  const { metadata } = asked;
  return asking(services, async (stripe) => {
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

/** A session as it stands at Stripe, with its payment; null when there is none of this id. */
export function findSession(services: Services, id: string): Promise<CheckoutSession | null> {
  return looking(services, async (stripe) => {
    const expand = ["payment_intent", "payment_intent.latest_charge"];
    return sessionOf(await stripe.checkout.sessions.retrieve(id, { expand }));
  });
}

/** The session that a payment was made in; null for one that was made elsewhere. */
export async function findSessionOfPayment(
  services: Services,
  paymentIntentId: string,
): Promise<CheckoutSession | null> {
  const id = await looking(services, async (stripe) => {
    const asked = { payment_intent: paymentIntentId, limit: 1 };
    return (await stripe.checkout.sessions.list(asked)).data[0]?.id ?? null;
  });
  return id ? findSession(services, id) : null;
}

/** Ends an open session: nobody can pay it any more. @throws {StripeTrouble} when it is not open */
export function expireSession(services: Services, id: string): Promise<CheckoutSession> {
  return asking(services, async (stripe) => sessionOf(await stripe.checkout.sessions.expire(id)));
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
    // Where it then waits for another way to pay, or was given up.
    hasFailed: status === "requires_payment_method" || status === "canceled",
    refundedCents: latest?.amount_refunded ?? 0,
    isDisputed: latest?.disputed ?? false,
    chargedAt: latest ? dateOf(latest.created) : null,
  };
}
