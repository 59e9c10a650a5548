import type Stripe from "stripe";
import type { Services } from "~/platform/services.ts";
import { asking, StripeTrouble } from "../gateway.server.ts";
import { reads } from "./texts.ts";

/** How long the coach's page waits for Stripe, without trying again. */
const patience = { timeout: 1500, maxNetworkRetries: 0 };

const readings: Record<(typeof reads)[number], (stripe: Stripe) => Promise<unknown>> = {
  Events: (stripe) => stripe.events.list({ limit: 1 }, patience),
  "Checkout Sessions": (stripe) => stripe.checkout.sessions.list({ limit: 1 }, patience),
  PaymentIntents: (stripe) => stripe.paymentIntents.list({ limit: 1 }, patience),
  "Charges and Refunds": (stripe) => stripe.refunds.list({ limit: 1 }, patience),
  Disputes: (stripe) => stripe.disputes.list({ limit: 1 }, patience),
};

/**
 * What Stripe does not let the site's key read now: nothing, for a key that it takes, and where it
 * cannot be reached or is slow. Whether the key may write is only known when it does.
 */
export async function findRefusals(services: Services): Promise<string[]> {
  if (!services.stripe) return [];
  const asked = reads.map(async (name) => {
    try {
      await asking(services, readings[name]);
      return [];
    } catch (error) {
      if (!(error instanceof StripeTrouble)) throw error;
      return error.isRefusal ? [name] : [];
    }
  });
  return (await Promise.all(asked)).flat();
}
