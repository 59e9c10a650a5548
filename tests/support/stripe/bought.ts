import { newId } from "~/platform/db/ids.ts";
import { createCourse, type TestCourse } from "../courses.ts";
import type { Person } from "../people.ts";
import type { Shop } from "./shop.ts";

export type Bought = Awaited<ReturnType<typeof buy>>;

/** Somebody who has paid for a course, and is in it if she could be: Stripe has told the site. */
export async function buy(shop: Shop, more: { buyer?: Person; course?: TestCourse } = {}) {
  const course =
    more.course ??
    (await createCourse(shop.services, [
      [{}, {}],
      [{}, {}],
    ]));
  const { buyer, sessionId } = await shop.begin({ ...more, course });
  await shop.tell(shop.stripe.account.pay(sessionId));
  const { id, paymentIntentId } = await shop.paymentOf(sessionId);
  return { buyer, course, sessionId, id, intent: String(paymentIntentId) };
}

/** One more payment of the same person for the same course, as when two tabs were open at Stripe. */
export async function payOnceMore(shop: Shop, { buyer, course }: Pick<Bought, "buyer" | "course">) {
  const price = { currency: "usd", unit_amount: 19700, product_data: { name: "A course" } };
  const params = {
    mode: "payment",
    line_items: [{ quantity: 1, price_data: price }],
    metadata: { payment: newId(), user: buyer.id, product: course.id },
    success_url: `${shop.url}/enrollment-success`,
  };
  const { id: sessionId } = shop.stripe.account.createSession(params, shop.stripe.url);
  await shop.tell(shop.stripe.account.pay(sessionId));
  const { id, paymentIntentId } = await shop.paymentOf(sessionId);
  return { buyer, course, sessionId, id, intent: String(paymentIntentId) };
}

/** The last thing of this kind that happened at Stripe. */
export function lastEvent(shop: Shop, type: string) {
  const event = shop.stripe.account.events.findLast((one) => one.type === type);
  if (!event) throw new Error(`no ${type} has happened`);
  return event;
}
