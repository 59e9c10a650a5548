import { enrollWithin } from "~/features/enrollments/enrollments.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { recordAttention } from "../../support/payments.ts";
import { createPerson } from "../../support/people.ts";
import { type StripeServer, startStripe } from "../../support/stripe/server.ts";
import { test as base } from "./test.ts";

/** A site that sells: what stands for Stripe runs beside it. */
export const test = base.extend<{ stripe: StripeServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: the first argument names what it needs
  stripe: async ({}, use) => {
    const stripe = await startStripe();
    await use(stripe);
    await stripe.close();
  },
  settings: async ({ stripe }, use) => use(stripe.env),
});

type Buying = { name: string; slug: string; attention?: string };

/** Somebody who has paid at Stripe, and whom the site has enrolled for it, unless `attention` says why not. */
export async function purchase(
  { services, stripe }: { services: Services; stripe: StripeServer },
  { name, slug, attention }: Buying,
) {
  const { db, clock } = services;
  const buyer = await createPerson(services, { name });
  const { id: productId } = await db.read
    .selectFrom("products")
    .select("id")
    .where("slug", "=", slug)
    .executeTakeFirstOrThrow();
  const isLost = attention === "dispute_lost";
  const standing = isLost
    ? { status: "disputed" as const, dispute: "lost" as const }
    : { status: "paid" as const };
  const [id, now] = [newId(), clock.now()];
  const price = { currency: "usd", unit_amount: 19700, product_data: { name: slug } };
  const session = stripe.account.createSession(
    {
      mode: "payment",
      line_items: [{ quantity: 1, price_data: price }],
      metadata: { payment: id, user: buyer.id, product: productId },
      success_url: "http://localhost/enrollment-success",
    },
    stripe.url,
  );
  stripe.account.pay(session.id);
  const paymentIntentId = String(session.payment_intent);
  await db.transaction(async (trx) => {
    const ids = { id, userId: buyer.id, productId, checkoutSessionId: session.id, paymentIntentId };
    const times = { paidAt: now, createdAt: now, updatedAt: now };
    await trx
      .insertInto("payments")
      .values({ ...ids, ...times, ...standing, amountCents: 19700, currency: "usd" })
      .execute();
    const seat = { userId: buyer.id, productId, stripePaymentId: paymentIntentId, now };
    if (!attention) await enrollWithin(trx, seat);
  });
  if (attention) await recordAttention(services, id, attention);
  return { ...buyer, paymentId: id, productId, intent: paymentIntentId };
}
