import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  deleteOldEvents,
  listCheckoutsToCheck,
  syncMissedEvents,
  syncOpenCheckouts,
} from "~/features/payments/reconciliation.server.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { openShop, type Shop } from "../../support/stripe/shop.ts";

// Each test has a shop of its own: it counts all events and calls.
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

const always = { times: Number.POSITIVE_INFINITY };
/** A payment of which no webhook tells. */
async function payUnheard() {
  const begun = await shop.begin();
  shop.account.pay(begun.sessionId);
  return begun;
}
type Begun = Awaited<ReturnType<typeof payUnheard>>;
const sync = () => syncMissedEvents.run(shop.services);
const isEnrolled = async (begun: Begun) => (await shop.enrollmentOf(begun)) !== undefined;
const statusOf = async (begun: Begun) => (await shop.paymentOf(begun)).status;
async function expectBookedOnce(begun: Begun) {
  expect(await isEnrolled(begun)).toBe(true);
  expect(await shop.queued("payments.receipt", begun.buyer)).toBe(1);
}

describe("syncMissedEvents", () => {
  test("books payments that no webhook told of; what is known costs one call", async () => {
    const unheard = [await payUnheard(), await payUnheard()];
    shop.clock.forward(3600_000);
    await sync();
    for (const begun of unheard) await expectBookedOnce(begun);
    const events = shop.services.db.write.selectFrom("stripeEvents").selectAll();
    expect(await events.execute()).toHaveLength(2);
    const calls = shop.stripe.calls.length;
    await sync();
    expect(shop.stripe.calls.slice(calls).map(({ path }) => path)).toEqual(["/v1/events"]);
  });

  test.each(["before them", "after them"])(
    "reads events of ten days ago although a webhook came %s",
    async (when) => {
      const hear = async () => shop.pay(await shop.begin());
      if (when === "before them") await hear();
      const unheard = await payUnheard();
      shop.clock.forwardDays(10);
      if (when === "after them") await hear();
      await sync();
      expect(await isEnrolled(unheard)).toBe(true);
    },
  );

  test("goes on after an event that fails, and tries it again", async () => {
    const [first, second] = [await payUnheard(), await payUnheard()];
    shop.stripe.faults.plan(500, { path: new RegExp(first.sessionId) });
    await sync();
    expect([await isEnrolled(first), await isEnrolled(second)]).toEqual([false, true]);
    await sync();
    expect(await isEnrolled(first)).toBe(true);
  });

  test.each(["by a webhook", "only by the sync"])(
    "tries an event for longer than three days that was heard of %s",
    async (how) => {
      const bought = await shop.buy();
      shop.account.refund({ payment_intent: bought.intent });
      const { id: charge } = shop.account.chargeOf(bought.intent);
      shop.stripe.faults.plan(500, { ...always, path: new RegExp(charge) });
      if (how === "only by the sync") await sync();
      else expect((await shop.post(shop.lastEvent("charge.refunded"))).status).toBe(500);
      for (const days of [2, 3]) {
        shop.clock.forwardDays(days);
        // Others are heard of meanwhile.
        await shop.pay(await shop.begin());
        await sync();
      }
      shop.clock.forwardDays(60);
      await deleteOldEvents.run(shop.services);
      expect(await statusOf(bought)).toBe("paid");
      shop.stripe.faults.forget();
      await sync();
      expect(await statusOf(bought)).toBe("refunded");
    },
  );

  test("tries again when Stripe does not say whose payment was refunded", async () => {
    const begun = await payUnheard();
    shop.account.refund({ payment_intent: shop.intentOf(begun) });
    // The payment itself is not heard of before its refund.
    const { events } = shop.account;
    const isCompleted = ({ type }: { type: string }) => type === "checkout.session.completed";
    events.splice(events.findIndex(isCompleted), 1);
    shop.stripe.faults.plan(500, { path: /GET .*\/checkout\/sessions$/ });
    await sync();
    expect(await statusOf(begun)).toBe("started");
    await sync();
    expect(await statusOf(begun)).toBe("refunded");
    expect(await isEnrolled(begun)).toBe(false);
  });

  test("ends at once while Stripe is away", async () => {
    for (let n = 0; n < 3; n += 1) await payUnheard();
    shop.stripe.faults.plan("reset", { ...always, path: /sessions/ });
    const calls = shop.stripe.calls.length;
    await expect(sync()).rejects.toThrow("Stripe: StripeConnectionError");
    const paths = shop.stripe.calls.slice(calls).map(({ path }) => path);
    expect(new Set(paths.filter((path) => path.includes("sessions"))).size).toBe(1);
  });

  test("books each payment once on two machines at once", async () => {
    const unheard: Begun[] = [];
    for (let n = 0; n < 5; n += 1) unheard.push(await payUnheard());
    const { config } = shop.services;
    const other = config.databaseUrl ? await openServices(config, shop.clock) : null;
    await Promise.all([sync(), syncMissedEvents.run(other ?? shop.services)]);
    if (other) await closeServices(other);
    for (const begun of unheard) await expectBookedOnce(begun);
  });
});

test("syncOpenCheckouts: looks after paid, slow, expired, open and never begun checkouts", async () => {
  const { account } = shop;
  const paid = await payUnheard();
  const [slow, expired, open, lost] = [
    await shop.begin(),
    await shop.begin(),
    await shop.begin(),
    await shop.begin(),
  ];
  account.pay(slow.sessionId, { slowly: true });
  account.expire(expired.sessionId);
  const payments = shop.services.db.write.updateTable("payments").set({ checkoutSessionId: null });
  await payments.where("checkoutSessionId", "=", lost.sessionId).execute();
  shop.clock.forward(11 * 60_000);
  await syncOpenCheckouts.run(shop.services);
  expect(await isEnrolled(paid)).toBe(true);
  const statuses = [await statusOf(slow), await statusOf(expired), await statusOf(open)];
  expect(statuses).toEqual(["started", "expired", "started"]);
  // Each was looked at; none is again before some minutes have gone.
  expect(await listCheckoutsToCheck(shop.services)).toEqual([]);
  shop.clock.forward(25 * 3600_000);
  await syncOpenCheckouts.run(shop.services);
  expect(await statusOf(open)).toBe("expired");
  expect(await shop.paymentsOf(lost.buyer)).toMatchObject([{ status: "expired" }]);
  account.settle(slow.sessionId, true);
  shop.clock.forward(3600_000);
  await syncOpenCheckouts.run(shop.services);
  expect(await isEnrolled(slow)).toBe(true);
});
