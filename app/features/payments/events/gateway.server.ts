import { z } from "zod";
import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { asking, dateOf } from "../gateway.server.ts";
import type { StripeEvent } from "../schema.ts";
import { messages } from "../texts.ts";

const pageSize = 100;
/** Beyond this many pages, what Stripe has to tell is cut off. */
const mostPages = 50;

/** How old a signature may be, in seconds (Stripe's own advice). */
const toleranceSeconds = 300;

/** What a webhook's body is read for; what is true now is asked for at Stripe. */
const signedEvent = z.object({
  id: z.string().min(1).max(255),
  type: z.string().max(255),
  created: z.int(),
  data: z.object({ object: z.object({ id: z.string().max(255).optional() }) }),
});

/**
 * The event in a webhook's body, exactly as it came. Null for one that is about nothing with an id.
 * @throws {Refused} unavailable without keys; invalid unless Stripe signed it, and lately
 */
export async function readWebhook(
  { stripe, config, clock }: Services,
  body: string,
  signature: string | undefined,
): Promise<StripeEvent | null> {
  if (!stripe || !config.stripe) throw new Refused("unavailable", messages.notConfigured);
  const { webhookSecret } = config.stripe;
  const now = clock.now().getTime();
  const event: unknown = await stripe.webhooks
    .constructEventAsync(body, signature ?? "", webhookSecret, toleranceSeconds, undefined, now)
    .catch(() => {
      throw new Refused("invalid", messages.badSignature);
    });
  const parsed = signedEvent.safeParse(event);
  if (!parsed.success) return null;
  const { id, type, created, data } = parsed.data;
  const { id: objectId } = data.object;
  return objectId ? { id, type, createdAt: dateOf(created), objectId } : null;
}

/**
 * What has happened at Stripe since then, oldest first; Stripe keeps 30 days. `isWhole` is false
 * when there was more than is read at once: then the oldest are left out.
 */
export function listEvents(
  services: Services,
  { since, types }: { since: Date; types: string[] },
): Promise<{ events: StripeEvent[]; isWhole: boolean }> {
  return asking(services, async (stripe) => {
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
