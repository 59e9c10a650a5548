import { describe, expect, test } from "vitest";
import { findWebhookHeard } from "~/features/payments/webhook-heard.server.ts";
import { shopOfFile } from "../../support/stripe/shop.ts";

const shop = shopOfFile();

/** A payment that the site has not heard of. */
async function paid() {
  const begun = await shop.begin();
  const event = shop.account.pay(begun.sessionId);
  return { ...begun, event, intent: shop.intentOf(begun) };
}
type Paid = Awaited<ReturnType<typeof paid>>;
const expectBookedOnce = async ({ buyer, intent, ...begun }: Omit<Paid, "event">) => {
  expect(await shop.enrollmentOf({ buyer })).toMatchObject({ stripePaymentId: intent });
  expect(await shop.paymentOf(begun)).toMatchObject({
    ...{ status: "paid", paymentIntentId: intent, amountCents: 19700, open: [] },
  });
  expect(await shop.queued("payments.receipt", buyer)).toBe(1);
};
const expectUntouched = async ({ buyer, ...begun }: Pick<Paid, "buyer" | "sessionId">) => {
  expect(await shop.enrollmentOf({ buyer })).toBeUndefined();
  expect((await shop.paymentOf(begun)).status).toBe("started");
};
const always = { times: Number.POSITIVE_INFINITY };

describe("POST /api/webhooks/stripe, signatures", () => {
  test.each([
    ["no signature", { signature: null }],
    ["a signature of something else", { signature: "t=1,v1=00" }],
    ["a signature with another secret", { secret: "whsec_other" }],
    ["a signature of another body", { body: '{"id":"evt_1","type":"checkout.session.completed"}' }],
    ["a signature older than five minutes", { age: 301 }],
    ["an empty body", { body: "" }],
  ])("refuses %s and changes nothing", async (_, altered) => {
    const { event, ...begun } = await paid();
    const calls = shop.stripe.calls.length;
    const answer = await shop.post(event, altered);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: "invalid" } });
    await expectUntouched(begun);
    expect(shop.stripe.calls.length).toBe(calls);
  });

  test("does not read more than any event of Stripe's has", async () => {
    const { event } = await paid();
    expect((await shop.post(event, { body: "a".repeat(300_000) })).status).toBe(413);
  });

  test("accepts a signature of almost five minutes, by the site's own clock", async () => {
    const { event, buyer } = await paid();
    expect((await shop.post(event, { age: 295 })).status).toBe(200);
    expect(await shop.enrollmentOf({ buyer })).toBeDefined();
  });
});

describe("POST /api/webhooks/stripe, a paid session", () => {
  test("is booked once by a hundred deliveries, ten at a time; most do not ask Stripe", async () => {
    const { event, ...begun } = await paid();
    const calls = shop.stripe.calls.length;
    for (let round = 0; round < 10; round += 1)
      await Promise.all(Array.from({ length: 10 }, () => shop.tell(event)));
    await expectBookedOnce(begun);
    expect(shop.stripe.calls.length - calls).toBeLessThanOrEqual(10);
    expect(await (await shop.post(event)).json()).toEqual({ received: true });
  });

  test("comes to the same by events out of order: Stripe is asked what is true", async () => {
    const begun = await shop.begin();
    const completed = shop.account.pay(begun.sessionId, { slowly: true });
    const succeeded = shop.account.settle(begun.sessionId, true);
    await shop.tell(succeeded);
    await shop.tell(completed);
    await expectBookedOnce({ ...begun, intent: shop.intentOf(begun) });
  });
});

describe("POST /api/webhooks/stripe, a slow payment", () => {
  test("waits, is not sold again, and opens the course when the money is there", async () => {
    const { buyer, course, ...begun } = await shop.begin();
    await shop.tell(shop.account.pay(begun.sessionId, { slowly: true }));
    await expectUntouched({ ...begun, buyer });
    expect(await shop.checkout(buyer, course.id)).toMatchObject({ status: 409, code: "conflict" });
    await shop.tell(shop.account.settle(begun.sessionId, true));
    expect(await shop.enrollmentOf({ buyer })).toBeDefined();
  });

  test("that fails opens nothing, sends one email, and may be tried again", async () => {
    const { buyer, course, ...begun } = await shop.begin();
    await shop.tell(shop.account.pay(begun.sessionId, { slowly: true }));
    const failed = shop.account.settle(begun.sessionId, false);
    await Promise.all(Array.from({ length: 5 }, () => shop.tell(failed)));
    expect(await shop.enrollmentOf({ buyer })).toBeUndefined();
    expect(await shop.paymentOf(begun)).toMatchObject({ status: "failed" });
    expect(await shop.queued("payments.failed", buyer)).toBe(1);
    const { subject, text } = await shop.emailAbout(buyer, /did not go through/);
    expect(subject).toBe("Your payment for “A course” did not go through");
    for (const words of ["Hello Ada,", "nothing was taken", `/courses/${course.slug}`])
      expect(text).toContain(words);
    const again = await shop.checkout(buyer, course.id);
    expect(again.status).toBe(200);
    expect(again.sessionId).not.toBe(begun.sessionId);
  });
});

test("POST /api/webhooks/stripe: an expired session is closed without an email", async () => {
  const begun = await shop.begin();
  shop.account.expire(begun.sessionId);
  await shop.tell("checkout.session.expired");
  expect((await shop.paymentOf(begun)).status).toBe("expired");
  expect(await shop.queued("payments.failed", begun.buyer)).toBe(0);
});

test("POST /api/webhooks/stripe: 200 without an effect for what is not of this site", async () => {
  const { account, url } = shop.stripe;
  const payments = () => shop.services.db.write.selectFrom("payments").selectAll().execute();
  const before = await payments();
  for (const type of ["customer.created", "constructor", "__proto__"])
    await shop.tell(account.emit(type, { id: "cus_1", object: "customer" }));
  const gone = { id: "cs_test_gone", object: "checkout.session" };
  await shop.tell(account.emit("checkout.session.completed", gone));
  const price_data = { currency: "usd", unit_amount: "5000", product_data: { name: "A mug" } };
  const line_items = [{ price_data, quantity: "1" }];
  const params = { mode: "payment", success_url: "https://mugs.example", line_items };
  for (const metadata of [{}, { payment: "1", user: "2", product: "3" }]) {
    const { id } = account.createSession({ ...params, metadata }, url);
    await shop.tell(account.pay(id));
    account.refund({ payment_intent: account.session(id).payment_intent });
    await shop.tell("charge.refunded");
  }
  expect(await payments()).toEqual(before);
});

describe("POST /api/webhooks/stripe, what cannot be handled now", () => {
  test("is answered with 500 while Stripe is away, and handled later", async () => {
    const { event, ...begun } = await paid();
    shop.stripe.faults.plan("reset", always);
    expect((await shop.post(event)).status).toBe(500);
    await expectUntouched(begun);
    shop.stripe.faults.forget();
    await shop.tell(event);
    await expectBookedOnce(begun);
  });

  test("leaves nothing behind when the database fails in the middle", async () => {
    const { event, ...begun } = await paid();
    const { schema } = shop.services.db.write;
    await schema.alterTable("outbox").renameTo("outbox_away").execute();
    try {
      expect((await shop.post(event)).status).toBe(500);
    } finally {
      await schema.alterTable("outbox_away").renameTo("outbox").execute();
    }
    await expectUntouched(begun);
    await shop.tell(event);
    await expectBookedOnce(begun);
  });

  test.each(["charges", "payment_intents", "GET .*/refunds$", "disputes"])(
    "a refund waits while Stripe does not answer about %s",
    async (path) => {
      const bought = await shop.buy();
      shop.account.refund({ payment_intent: bought.intent });
      const event = shop.lastEvent("charge.refunded");
      shop.stripe.faults.plan(500, { ...always, path: new RegExp(path) });
      expect((await shop.post(event)).status).toBe(500);
      expect(await shop.enrollmentOf(bought)).toBeDefined();
      shop.stripe.faults.forget();
      await shop.tell(event);
      expect(await shop.enrollmentOf(bought)).toBeUndefined();
    },
  );

  test("is not booked while Stripe does not say what became of a dispute", async () => {
    const { event, intent, ...begun } = await paid();
    shop.account.dispute(intent, { status: "warning_needs_response" });
    shop.stripe.faults.plan(500, { path: /disputes/ });
    expect((await shop.post(event)).status).toBe(500);
    await expectUntouched(begun);
    shop.stripe.faults.forget();
    await shop.tell(event);
    expect(await shop.enrollmentOf(begun)).toBeDefined();
  });

  test("is an error when Stripe does not know a payment of this site, which stays as it is", async () => {
    const bought = await shop.buy();
    shop.account.refund({ payment_intent: bought.intent });
    const event = shop.lastEvent("charge.refunded");
    const intent = shop.account.intent(bought.intent);
    shop.account.intents.delete(bought.intent);
    expect((await shop.post(event)).status).toBe(500);
    expect(await shop.paymentOf(bought)).toMatchObject({ status: "paid", open: [] });
    shop.account.intents.set(bought.intent, intent);
    await shop.tell(event);
    expect(await shop.paymentOf(bought)).toMatchObject({ status: "refunded" });
  });
});

test("POST /api/webhooks/stripe: that it came is noted to the hour, for its signing secret alone", async () => {
  const { services, clock } = shop;
  const rows = services.db.write.deleteFrom("settings");
  await rows.where("name", "=", "stripe.webhook-heard").execute();
  const { event } = await paid();
  await shop.post(event, { secret: "whsec_other" });
  expect(await findWebhookHeard(services)).toBeNull();
  await shop.post(event);
  const first = await findWebhookHeard(services);
  clock.forward(59 * 60_000);
  await shop.post(event);
  expect(await findWebhookHeard(services)).toEqual(first);
  clock.forward(60_000);
  await shop.post(event);
  const next = await findWebhookHeard(services);
  expect((next?.getTime() ?? 0) - (first?.getTime() ?? 0)).toBeGreaterThanOrEqual(3600_000);
  const stripe = { ...services.config.stripe, webhookSecret: "whsec_new" };
  const config = { ...services.config, stripe } as typeof services.config;
  expect(await findWebhookHeard({ ...services, config })).toBeNull();
});
