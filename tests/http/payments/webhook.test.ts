import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openShop, type Shop } from "../../support/stripe/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterEach(() => shop.stripe.faults.forget());
afterAll(() => shop.close());

/** Somebody has paid, and the site does not know yet. */
async function paid() {
  const begun = await shop.begin();
  const event = shop.stripe.account.pay(begun.sessionId);
  const { payment_intent: intent } = shop.stripe.account.session(begun.sessionId);
  return { ...begun, event, intent: String(intent) };
}

describe("a webhook that Stripe did not sign changes nothing", () => {
  test.each([
    ["without a signature", { signature: null }],
    ["with a signature of something else", { signature: "t=1,v1=00" }],
    ["signed with another secret", { secret: "whsec_other" }],
    ["signed for another body", { body: '{"id":"evt_1","type":"checkout.session.completed"}' }],
    ["signed more than five minutes ago", { age: 301 }],
    ["empty", { body: "" }],
  ])("%s", async (_, altered) => {
    const { event, buyer, sessionId } = await paid();
    const calls = shop.stripe.calls.length;
    const answer = await shop.tell(event, altered);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: "invalid" } });
    expect(await shop.enrollmentsOf(buyer)).toEqual([]);
    expect((await shop.paymentOf(sessionId)).status).toBe("started");
    expect(shop.stripe.calls.length).toBe(calls);
  });

  test("more than any event of Stripe's is not even read", async () => {
    const { event } = await paid();
    expect((await shop.tell(event, { body: "a".repeat(300_000) })).status).toBe(413);
  });
});

test("a signature of five minutes ago is good, by the site's own clock", async () => {
  const { event, buyer } = await paid();
  expect((await shop.tell(event, { age: 295 })).status).toBe(200);
  expect(await shop.enrollmentsOf(buyer)).toHaveLength(1);
});

test("a paid session opens the course, once, with the payment's id and one receipt", async () => {
  const { event, buyer, course, sessionId, intent } = await paid();
  const answer = await shop.tell(event);
  expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
  expect(await shop.enrollmentsOf(buyer)).toEqual([
    { productId: course.id, stripePaymentId: intent },
  ]);
  expect(await shop.paymentOf(sessionId)).toMatchObject({
    status: "paid",
    paymentIntentId: intent,
    amountCents: 19700,
    open: [],
  });
  expect(await shop.receiptsOf(buyer)).toHaveLength(1);
});

test("the same event a hundred times, ten at a time, is once; most do not even ask Stripe", async () => {
  const { event, buyer } = await paid();
  const calls = shop.stripe.calls.length;
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.tell(event)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  }
  expect(await shop.enrollmentsOf(buyer)).toHaveLength(1);
  expect(await shop.receiptsOf(buyer)).toHaveLength(1);
  expect(shop.stripe.calls.length - calls).toBeLessThanOrEqual(10);
});

test("a replayed webhook is taken while its signature is fresh, and does nothing", async () => {
  const { event, buyer } = await paid();
  await shop.tell(event);
  await shop.services.db.write.deleteFrom("enrollments").where("userId", "=", buyer.id).execute();
  expect((await shop.tell(event)).status).toBe(200);
  expect(await shop.enrollmentsOf(buyer)).toEqual([]);
});

test("events out of order come to the same: the truth is asked for, not read from them", async () => {
  const { buyer, sessionId } = await shop.begin();
  const { account } = shop.stripe;
  const completed = account.pay(sessionId, { slowly: true });
  const succeeded = account.settle(sessionId, true);
  expect((await shop.tell(succeeded)).status).toBe(200);
  expect((await shop.tell(completed)).status).toBe(200);
  expect(await shop.enrollmentsOf(buyer)).toHaveLength(1);
  expect(await shop.receiptsOf(buyer)).toHaveLength(1);
  expect((await shop.paymentOf(sessionId)).status).toBe("paid");
});

describe("a slow payment", () => {
  test("waits, and opens the course when the money is there", async () => {
    const { buyer, course, sessionId } = await shop.begin();
    const { account } = shop.stripe;
    expect((await shop.tell(account.pay(sessionId, { slowly: true }))).status).toBe(200);
    expect(await shop.enrollmentsOf(buyer)).toEqual([]);
    expect(await shop.paymentOf(sessionId)).toMatchObject({ status: "started", paidAt: null });
    expect(await shop.checkout(buyer, course.id)).toMatchObject({ status: 409, code: "conflict" });
    await shop.tell(account.settle(sessionId, true));
    expect(await shop.enrollmentsOf(buyer)).toHaveLength(1);
  });

  test("that fails is noted, opens nothing, and she may try again", async () => {
    const { buyer, course, sessionId } = await shop.begin();
    const { account } = shop.stripe;
    await shop.tell(account.pay(sessionId, { slowly: true }));
    await shop.tell(account.settle(sessionId, false));
    expect(await shop.enrollmentsOf(buyer)).toEqual([]);
    expect(await shop.paymentOf(sessionId)).toMatchObject({ status: "failed" });
    const again = await shop.checkout(buyer, course.id);
    expect(again.status).toBe(200);
    expect(again.sessionId).not.toBe(sessionId);
  });
});

test("an expired session is closed", async () => {
  const { sessionId } = await shop.begin();
  shop.stripe.account.expire(sessionId);
  const event = shop.stripe.account.events.at(-1);
  if (event) expect((await shop.tell(event)).status).toBe(200);
  expect((await shop.paymentOf(sessionId)).status).toBe("expired");
});

describe("what is no matter here is answered with 200, and nothing is done", () => {
  test("kinds of events that nobody here knows", async () => {
    const { account } = shop.stripe;
    for (const type of ["customer.created", "constructor", "__proto__"]) {
      const event = account.emit(type, { id: "cus_1", object: "customer" });
      expect((await shop.tell(event)).status).toBe(200);
    }
  });

  test("sessions of others on the same account", async () => {
    const { account, url } = shop.stripe;
    const price_data = { currency: "usd", unit_amount: "5000", product_data: { name: "A mug" } };
    const line_items = [{ price_data, quantity: "1" }];
    const params = { mode: "payment", success_url: "https://mugs.example", line_items };
    const before = await shop.services.db.write.selectFrom("payments").selectAll().execute();
    for (const metadata of [{}, { payment: "1", user: "2", product: "3" }]) {
      const { id } = account.createSession({ ...params, metadata }, url);
      expect((await shop.tell(account.pay(id))).status).toBe(200);
    }
    expect(await shop.services.db.write.selectFrom("payments").selectAll().execute()).toEqual(
      before,
    );
  });

  test("sessions that Stripe itself does not know", async () => {
    const event = shop.stripe.account.emit("checkout.session.completed", {
      id: "cs_test_gone",
      object: "checkout.session",
    });
    expect((await shop.tell(event)).status).toBe(200);
  });
});

describe("when it cannot be handled, Stripe is asked to tell it again", () => {
  test("Stripe cannot be asked", async () => {
    const { event, buyer } = await paid();
    shop.stripe.faults.plan("reset", { times: Number.POSITIVE_INFINITY });
    const answer = await shop.tell(event);
    expect(answer.status).toBe(500);
    expect(await shop.enrollmentsOf(buyer)).toEqual([]);
    shop.stripe.faults.forget();
    expect((await shop.tell(event)).status).toBe(200);
    expect(await shop.enrollmentsOf(buyer)).toHaveLength(1);
  });

  test("the database fails in the middle: nothing of it stays", async () => {
    const { event, buyer, sessionId } = await paid();
    await shop.services.db.write.schema.alterTable("outbox").renameTo("outbox_away").execute();
    try {
      expect((await shop.tell(event)).status).toBe(500);
    } finally {
      await shop.services.db.write.schema.alterTable("outbox_away").renameTo("outbox").execute();
    }
    expect(await shop.enrollmentsOf(buyer)).toEqual([]);
    expect((await shop.paymentOf(sessionId)).status).toBe("started");
    expect((await shop.tell(event)).status).toBe(200);
    expect(await shop.enrollmentsOf(buyer)).toHaveLength(1);
    expect(await shop.receiptsOf(buyer)).toHaveLength(1);
  });
});
