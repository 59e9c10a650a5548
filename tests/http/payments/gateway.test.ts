import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { CheckoutInput } from "~/features/payments/schema.ts";
import {
  createSession,
  expireSession,
  findCheckoutSession,
  findDispute,
  findPaymentOfCharge,
  findRefund,
  listEvents,
  readPayment,
  refundPayment,
} from "~/features/payments/stripe.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { openTestServices } from "../../support/services.ts";
import { type StripeServer, startStripe } from "../../support/stripe/server.ts";

let stripe: StripeServer;
let opened: Awaited<ReturnType<typeof openTestServices>>;

beforeAll(async () => {
  stripe = await startStripe();
  opened = await openTestServices(stripe.env);
});
afterEach(() => stripe.faults.forget());
afterAll(async () => {
  await opened?.close();
  await stripe?.close();
});

const services = () => opened.services;

function asked(more: Partial<CheckoutInput> = {}): CheckoutInput {
  return {
    title: "Blue Dot & “water”",
    amountCents: 19700,
    currency: "usd",
    reference: newId(),
    email: "ada@example.com",
    metadata: { user: "u1", product: "p1" },
    expiresAt: new Date(Date.now() + 3600_000),
    successUrl: "http://localhost/enrollment-success?session_id={CHECKOUT_SESSION_ID}",
    cancelUrl: "http://localhost/courses/x",
    ...more,
  };
}

const create = (more?: Partial<CheckoutInput>, key = newId()) =>
  createSession(services(), asked(more), key);

async function paid(more?: Partial<CheckoutInput>) {
  const { id } = await create(more);
  stripe.account.pay(id);
  return { sessionId: id, paymentIntentId: String(stripe.account.session(id).payment_intent) };
}

describe("a session", () => {
  test("is created with what was asked, and is open", async () => {
    const session = await create();
    expect(session).toMatchObject({
      status: "open",
      isPaid: false,
      amountCents: 19700,
      currency: "usd",
      metadata: { user: "u1", product: "p1" },
      payment: null,
    });
    expect(session.url).toBe(`${stripe.url}/c/pay/${session.id}`);
    expect(stripe.account.session(session.id)).toMatchObject({
      success_url: "http://localhost/enrollment-success?session_id={CHECKOUT_SESSION_ID}",
      cancel_url: "http://localhost/courses/x",
      customer_email: "ada@example.com",
    });
  });

  test("is read back with its payment, which carries the same words", async () => {
    const { sessionId, paymentIntentId } = await paid();
    expect(await findCheckoutSession(services(), sessionId)).toMatchObject({
      status: "complete",
      isPaid: true,
      url: null,
      payment: { id: paymentIntentId, hasFailed: false, refundedCents: 0, isDisputed: false },
    });
    expect(stripe.account.intent(paymentIntentId).metadata).toEqual({ user: "u1", product: "p1" });
  });

  test("that is paid slowly is complete, and not paid before the money is there", async () => {
    const { id } = await create();
    stripe.account.pay(id, { slowly: true });
    const waiting = await findCheckoutSession(services(), id);
    expect(waiting).toMatchObject({ status: "complete", isPaid: false });
    expect(waiting?.payment?.hasFailed).toBe(false);
    stripe.account.settle(id, true);
    expect(await findCheckoutSession(services(), id)).toMatchObject({ isPaid: true });
  });

  test("that nobody knows is null", async () => {
    expect(await findCheckoutSession(services(), "cs_test_nothing")).toBeNull();
  });

  test("is ended once, and then cannot be ended again", async () => {
    const { id } = await create();
    expect(await expireSession(services(), id)).toMatchObject({ status: "expired", url: null });
    await expect(expireSession(services(), id)).rejects.toThrow("Stripe: ");
  });

  test("asked for twice with one key is one; with other words it is refused", async () => {
    const key = newId();
    const words = asked();
    const [one, two] = [
      await createSession(services(), words, key),
      await createSession(services(), words, key),
    ];
    expect(two.id).toBe(one.id);
    const other = createSession(services(), { ...words, amountCents: 1 }, key);
    await expect(other).rejects.toMatchObject({ isTemporary: false });
  });
});

describe("a payment", () => {
  test("is given back in part, then whole, then no more", async () => {
    const { paymentIntentId } = await paid();
    const idempotencyKey = newId();
    const part = { paymentIntentId, amountCents: 700, idempotencyKey };
    const refund = await refundPayment(services(), part);
    expect(await refundPayment(services(), part)).toEqual(refund);
    expect(await findRefund(services(), refund.id)).toEqual(refund);
    expect(await readPayment(services(), paymentIntentId)).toMatchObject({
      receivedCents: 19700,
      refundedCents: 700,
      currency: "usd",
      refunds: [{ id: refund.id, amountCents: 700, status: "succeeded" }],
      disputes: [],
    });
    const rest = { paymentIntentId, idempotencyKey: newId() };
    expect(await refundPayment(services(), rest)).toMatchObject({ amountCents: 19000 });
    const more = refundPayment(services(), { paymentIntentId, idempotencyKey: newId() });
    await expect(more).rejects.toMatchObject({
      code: "charge_already_refunded",
      isTemporary: false,
    });
  });

  test("is found by its charge, and with its dispute", async () => {
    const { paymentIntentId } = await paid();
    const { id } = stripe.account.dispute(paymentIntentId);
    const charge = stripe.account.chargeOf(paymentIntentId);
    expect(await findPaymentOfCharge(services(), charge.id)).toBe(paymentIntentId);
    expect(await findDispute(services(), id)).toMatchObject({
      paymentIntentId,
      status: "needs_response",
    });
    stripe.account.closeDispute(id, "won");
    expect(await readPayment(services(), paymentIntentId)).toMatchObject({
      disputes: [{ id, status: "won", reason: "fraudulent" }],
    });
  });

  test("that nobody knows is an error, for it is known here; its parts are null", async () => {
    const read = readPayment(services(), "pi_x");
    await expect(read).rejects.toMatchObject({ code: "resource_missing", isAnswer: true });
    expect(await findPaymentOfCharge(services(), "ch_x")).toBeNull();
    expect(await findDispute(services(), "du_x")).toBeNull();
    expect(await findRefund(services(), "re_x")).toBeNull();
  });
});

describe("what has happened", () => {
  test("comes oldest first, over several pages, and only what was asked for", async () => {
    const since = new Date();
    const ids: string[] = [];
    for (let n = 0; n < 130; n += 1) ids.push((await paid()).sessionId);
    const { events, isWhole } = await listEvents(services(), {
      since: new Date(since.getTime() - 1000),
      types: ["checkout.session.completed"],
    });
    expect(isWhole).toBe(true);
    expect(events.map(({ objectId }) => objectId).slice(-130)).toEqual(ids);
    const later = { since: new Date(Date.now() + 60_000), types: ["checkout.session.completed"] };
    expect((await listEvents(services(), later)).events).toEqual([]);
  });
});

describe("when the way to Stripe is bad", () => {
  test.each(["reset", "reset-after", 503, 429] as const)(
    "%s once: it is asked again with the same key, and one session is made",
    async (fault) => {
      const before = stripe.account.sessions.size;
      const calls = stripe.calls.length;
      stripe.faults.plan(fault);
      expect(await create()).toMatchObject({ status: "open" });
      expect(stripe.account.sessions.size).toBe(before + 1);
      const keys = stripe.calls.slice(calls).map(({ key }) => key);
      expect(keys).toHaveLength(2);
      expect(new Set(keys).size).toBe(1);
    },
  );

  test("for good, it is said in words that name nobody", async () => {
    stripe.faults.plan("reset", { times: Number.POSITIVE_INFINITY });
    const failed = create().catch((error: unknown) => error);
    expect(await failed).toMatchObject({
      message: "Stripe: StripeConnectionError",
      isTemporary: true,
    });
    expect(Object.keys((await failed) as object).sort()).toEqual([
      "code",
      "isAnswer",
      "isRefusal",
      "isTemporary",
    ]);
  });

  test("wrong keys are said, without the keys", async () => {
    const wrong = await openTestServices({ ...stripe.env, STRIPE_SECRET_KEY: "sk_test_wrong" });
    const failed = findCheckoutSession(wrong.services, "cs_test_x");
    await expect(failed).rejects.toMatchObject({
      message: "Stripe: StripeAuthenticationError, 401",
      isTemporary: true,
    });
    await wrong.close();
  });

  test("what Stripe refuses is not asked again", async () => {
    const calls = stripe.calls.length;
    await expect(create({ email: "no address" })).rejects.toMatchObject({
      message: "Stripe: StripeInvalidRequestError, email_invalid, 400",
      isTemporary: false,
    });
    expect(stripe.calls.length).toBe(calls + 1);
  });
});

test("without keys nothing is asked", async () => {
  const { services: bare, close } = await openTestServices();
  await expect(findCheckoutSession(bare, "cs_test_x")).rejects.toMatchObject({
    code: "unavailable",
  });
  await close();
});
