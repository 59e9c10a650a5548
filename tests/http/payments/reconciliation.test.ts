import { afterEach, expect, test } from "vitest";
import {
  deleteOldEvents,
  listCheckoutsToCheck,
  syncMissedEvents,
  syncOpenCheckouts,
} from "~/features/payments/reconciliation.server.ts";

import type { Services } from "~/platform/http/services.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { buy, lastEvent } from "../../support/stripe/bought.ts";
import { openShop, type Shop } from "../../support/stripe/shop.ts";

const open: Shop[] = [];
const others: Services[] = [];
afterEach(async () => {
  for (const services of others.splice(0)) await closeServices(services);
  for (const shop of open.splice(0)) await shop.close();
});

async function openQuiet() {
  const shop = await openShop();
  open.push(shop);
  return shop;
}

/** Somebody pays while nobody listens. */
async function payUnheard(shop: Shop) {
  const begun = await shop.begin();
  shop.stripe.account.pay(begun.sessionId);
  return begun;
}

const eventsIn = ({ services }: Shop) =>
  services.db.write.selectFrom("stripeEvents").selectAll().execute();

test("payments of which no webhook came are fulfilled; those that are known cost nothing", async () => {
  const shop = await openQuiet();
  const unheard = [await payUnheard(shop), await payUnheard(shop)];
  shop.clock.forward(3600_000);
  await syncMissedEvents.run(shop.services);
  for (const { buyer } of unheard) {
    expect(await shop.enrollmentsOf(buyer)).toHaveLength(1);
    expect(await shop.receiptsOf(buyer)).toHaveLength(1);
  }
  expect(await eventsIn(shop)).toHaveLength(2);
  const calls = shop.stripe.calls.length;
  await syncMissedEvents.run(shop.services);
  expect(shop.stripe.calls.slice(calls).map(({ path }) => path)).toEqual(["/v1/events"]);
});

test("after ten days away it is still asked for", async () => {
  const shop = await openQuiet();
  const heard = await shop.begin();
  await shop.tell(shop.stripe.account.pay(heard.sessionId));
  const { buyer } = await payUnheard(shop);
  shop.clock.forwardDays(10);
  await syncMissedEvents.run(shop.services);
  expect(await shop.enrollmentsOf(buyer)).toHaveLength(1);
});

test("after ten days away, what a webhook brings first keeps nothing of it back", async () => {
  const shop = await openQuiet();
  const { buyer } = await payUnheard(shop);
  shop.clock.forwardDays(10);
  const { sessionId } = await shop.begin();
  await shop.tell(shop.stripe.account.pay(sessionId));
  await syncMissedEvents.run(shop.services);
  expect(await shop.enrollmentsOf(buyer)).toHaveLength(1);
});

test("one that fails keeps none of the others back, and is tried again", async () => {
  const shop = await openQuiet();
  const [first, second] = [await payUnheard(shop), await payUnheard(shop)];
  const path = new RegExp(first.sessionId);
  shop.stripe.faults.plan(500, { times: 3, path });
  await syncMissedEvents.run(shop.services);
  expect(await shop.enrollmentsOf(first.buyer)).toEqual([]);
  expect(await shop.enrollmentsOf(second.buyer)).toHaveLength(1);
  await syncMissedEvents.run(shop.services);
  expect(await shop.enrollmentsOf(first.buyer)).toHaveLength(1);
});

/** Gives a payment back at Stripe, where every question about its charge fails. */
async function refundUnheard(shop: Shop) {
  const bought = await buy(shop);
  shop.stripe.account.refund({ payment_intent: bought.intent });
  return {
    ...bought,
    path: new RegExp(String(shop.stripe.account.intent(bought.intent).latest_charge)),
  };
}

test.each([
  ["the webhook was told", true],
  ["only the hourly comparison has heard", false],
])("what fails for longer than three days is asked for again all the same: %s", async (_, told) => {
  const shop = await openQuiet();
  const { sessionId, path } = await refundUnheard(shop);
  shop.stripe.faults.plan(500, { times: Number.POSITIVE_INFINITY, path });
  if (told) expect((await shop.tell(lastEvent(shop, "charge.refunded"))).status).toBe(500);
  else await syncMissedEvents.run(shop.services);
  for (let day = 0; day < 5; day += 1) {
    shop.clock.forwardDays(1);
    // Others are heard of meanwhile.
    const { sessionId: other } = await shop.begin();
    await shop.tell(shop.stripe.account.pay(other));
    await syncMissedEvents.run(shop.services);
  }
  shop.clock.forwardDays(60);
  await deleteOldEvents.run(shop.services);
  expect((await shop.paymentOf(sessionId)).status).toBe("paid");
  shop.stripe.faults.forget();
  await syncMissedEvents.run(shop.services);
  expect((await shop.paymentOf(sessionId)).status).toBe("refunded");
});

test("whose payment a refund was cannot be asked: nothing is lost, and it is asked again", async () => {
  const shop = await openQuiet();
  const { buyer, sessionId } = await payUnheard(shop);
  const { account } = shop.stripe;
  account.refund({ payment_intent: account.session(sessionId).payment_intent });
  // What the payment was for is not heard of before its refund.
  account.events.splice(
    account.events.findIndex(({ type }) => type === "checkout.session.completed"),
    1,
  );
  shop.stripe.faults.plan(500, { times: 3, path: /GET .*\/checkout\/sessions$/ });
  await syncMissedEvents.run(shop.services);
  expect((await shop.paymentOf(sessionId)).status).toBe("started");
  await syncMissedEvents.run(shop.services);
  expect((await shop.paymentOf(sessionId)).status).toBe("refunded");
  expect(await shop.enrollmentsOf(buyer)).toEqual([]);
});

test("Stripe away: the round ends at once instead of waiting for each", async () => {
  const shop = await openQuiet();
  for (let n = 0; n < 3; n += 1) await payUnheard(shop);
  shop.stripe.faults.plan("reset", { times: Number.POSITIVE_INFINITY, path: /sessions/ });
  const calls = shop.stripe.calls.length;
  await expect(syncMissedEvents.run(shop.services)).rejects.toThrow(
    "Stripe: StripeConnectionError",
  );
  const ofSessions = shop.stripe.calls.slice(calls).filter(({ path }) => /sessions/.test(path));
  expect(new Set(ofSessions.map(({ path }) => path)).size).toBe(1);
});

test("two machines at once make one enrollment and one receipt each", async () => {
  const shop = await openQuiet();
  const unheard = [];
  for (let n = 0; n < 5; n += 1) unheard.push(await payUnheard(shop));
  const services = shop.services.config.databaseUrl
    ? await openServices(shop.services.config, shop.clock)
    : shop.services;
  if (services !== shop.services) others.push(services);
  await Promise.all([syncMissedEvents.run(shop.services), syncMissedEvents.run(services)]);
  for (const { buyer } of unheard) {
    expect(await shop.enrollmentsOf(buyer)).toHaveLength(1);
    expect(await shop.receiptsOf(buyer)).toHaveLength(1);
  }
});

test("checkouts without an end are looked after: paid, expired, slow, and never begun", async () => {
  const shop = await openQuiet();
  const { account } = shop.stripe;
  const paid = await payUnheard(shop);
  const slow = await shop.begin();
  account.pay(slow.sessionId, { slowly: true });
  const expired = await shop.begin();
  account.expire(expired.sessionId);
  const open = await shop.begin();
  const lost = await shop.begin();
  const { id: lostId } = await shop.paymentOf(lost.sessionId);
  const { db } = shop.services;
  await db.write
    .updateTable("payments")
    .set({ checkoutSessionId: null })
    .where("id", "=", lostId)
    .execute();
  shop.clock.forward(11 * 60_000);
  await syncOpenCheckouts.run(shop.services);
  const statusOf = async ({ sessionId }: { sessionId: string }) =>
    (await shop.paymentOf(sessionId)).status;
  expect(await shop.enrollmentsOf(paid.buyer)).toHaveLength(1);
  expect(await statusOf(slow)).toBe("started");
  expect(await statusOf(expired)).toBe("expired");
  expect(await statusOf(open)).toBe("started");
  // Each was looked at; none is again before some minutes have gone.
  expect(await listCheckoutsToCheck(shop.services, { idleMs: 600_000, most: 100 })).toEqual([]);
  shop.clock.forward(25 * 3600_000);
  await syncOpenCheckouts.run(shop.services);
  expect(await statusOf(open)).toBe("expired");
  const [row] = await db.write
    .selectFrom("payments")
    .select("status")
    .where("id", "=", lostId)
    .execute();
  expect(row?.status).toBe("expired");
  account.settle(slow.sessionId, true);
  shop.clock.forward(3600_000);
  await syncOpenCheckouts.run(shop.services);
  expect(await shop.enrollmentsOf(slow.buyer)).toHaveLength(1);
});
