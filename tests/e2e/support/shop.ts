import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { createPerson } from "../../support/people.ts";
import { type StripeServer, startStripe } from "../../support/stripe/server.ts";
import { test as base } from "./test.ts";

/** A site that sells both courses: what stands for Stripe runs beside it. */
export const test = base.extend<{ stripe: StripeServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: the first argument names what it needs
  stripe: async ({}, use) => {
    const stripe = await startStripe();
    await use(stripe);
    await stripe.close();
  },
  settings: async ({ stripe }, use) => use({ ...stripe.env }),
  site: async ({ site }, use) => {
    await site.services.db.write.updateTable("products").set({ comingSoon: false }).execute();
    await use(site);
  },
});

type Shop = { site: { services: Services; url: string }; stripe: StripeServer };

/** Tells the site of the last event of this type at Stripe. */
export async function deliverLast({ site, stripe }: Shop, type: string): Promise<void> {
  const event = stripe.account.events.findLast((one) => one.type === type);
  if (!event) throw new Error(`no ${type} has happened`);
  await stripe.deliver(event, site.url);
}

/** A new user has paid for a course at Stripe, and the site has heard of it. @returns the payment intent */
export async function purchase(shop: Shop, name: string, courseId: string): Promise<string> {
  const { id: user } = await createPerson(shop.site.services, { name });
  const { account, url } = shop.stripe;
  const price = { currency: "usd", unit_amount: 19700, product_data: { name: "A course" } };
  const session = account.createSession(
    {
      mode: "payment",
      line_items: [{ quantity: 1, price_data: price }],
      metadata: { payment: newId(), user, product: courseId },
      success_url: "http://localhost/enrollment-success",
    },
    url,
  );
  account.pay(session.id);
  await deliverLast(shop, "checkout.session.completed");
  return String(session.payment_intent);
}
