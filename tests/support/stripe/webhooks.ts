import Stripe from "stripe";

type Delivery = { url: string; secret: string; clock: () => Date };
export type Altered = {
  /** Signed so long ago, in seconds. */
  age?: number;
  /** Signed with another secret. */
  secret?: string;
  /** Sent instead of what was signed. */
  body?: string;
  /** No signature at all (null), or this one. */
  signature?: string | null;
};

/** Posts an event as Stripe does, signed with the SDK's own test helper; or not quite as Stripe does. */
export async function post(
  event: Stripe.Event,
  { url, secret, clock }: Delivery,
  altered: Altered = {},
): Promise<Response> {
  const payload = JSON.stringify(event, null, 2);
  const timestamp = Math.floor(clock().getTime() / 1000) - (altered.age ?? 0);
  const signature =
    altered.signature === undefined
      ? await Stripe.webhooks.generateTestHeaderStringAsync({
          payload,
          secret: altered.secret ?? secret,
          timestamp,
        })
      : altered.signature;
  return fetch(new URL("/api/webhooks/stripe", url), {
    method: "POST",
    headers: {
      "content-type": "application/json; charset=utf-8",
      "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
      ...(signature === null ? {} : { "stripe-signature": signature }),
    },
    body: altered.body ?? payload,
  });
}
