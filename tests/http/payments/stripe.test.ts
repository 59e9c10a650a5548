import { describe, expect, test } from "vitest";
import {
  createSession,
  findCheckoutSession,
  listEvents,
} from "~/features/payments/stripe.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { openTestServices } from "../../support/services.ts";
import { shopOfFile } from "../../support/stripe/shop.ts";

const shop = shopOfFile();
const always = { times: Number.POSITIVE_INFINITY };

const create = (more: { customer_email?: string } = {}) => {
  const price = {
    currency: "usd",
    unit_amount: 19700,
    product_data: { name: "Blue Dot & “water”" },
  };
  const params = {
    mode: "payment",
    line_items: [{ quantity: 1, price_data: price }],
    success_url: "http://localhost/enrollment-success",
    ...more,
  } as const;
  return createSession(shop.services, { ...params, line_items: [...params.line_items] }, newId());
};
const callsSince = (count: number) => shop.stripe.calls.slice(count);

describe("a call to Stripe", () => {
  test.each(["reset", "reset-after", 503, 429] as const)(
    "that fails once by %s is repeated with the same key: one session is made",
    async (fault) => {
      const [before, calls] = [shop.account.sessions.size, shop.stripe.calls.length];
      shop.stripe.faults.plan(fault);
      expect(await create()).toMatchObject({ status: "open" });
      expect(shop.account.sessions.size).toBe(before + 1);
      const keys = callsSince(calls).map(({ key }) => key);
      expect(keys).toHaveLength(2);
      expect(new Set(keys).size).toBe(1);
    },
  );

  test("that fails permanently names neither people nor keys", async () => {
    shop.stripe.faults.plan("reset", always);
    const failed = await create().catch((error: unknown) => error);
    const message = "Stripe: StripeConnectionError";
    expect(failed).toMatchObject({ message, isTemporary: true });
    const flags = ["code", "isAnswer", "isRefusal", "isTemporary"];
    expect(Object.keys(failed as object).sort()).toEqual(flags);
    shop.stripe.faults.forget();
    const wrong = await openTestServices({
      ...shop.stripe.env,
      STRIPE_SECRET_KEY: "sk_test_wrong",
    });
    await expect(findCheckoutSession(wrong.services, "cs_test_x")).rejects.toMatchObject({
      ...{ message: "Stripe: StripeAuthenticationError, 401", isTemporary: true },
    });
    await wrong.close();
  });

  test("that Stripe refuses is not repeated", async () => {
    const calls = shop.stripe.calls.length;
    await expect(create({ customer_email: "no address" })).rejects.toMatchObject({
      message: "Stripe: StripeInvalidRequestError, email_invalid, 400",
      isTemporary: false,
    });
    expect(callsSince(calls)).toHaveLength(1);
  });
});

test("listEvents: oldest first, over several pages, only the types that are asked for", async () => {
  const ids: string[] = [];
  const types = ["checkout.session.completed"];
  for (let n = 0; n < 130; n += 1) {
    const { id } = await create();
    shop.account.pay(id);
    ids.push(id);
  }
  const now = shop.clock.now().getTime();
  const { events, isWhole } = await listEvents(shop.services, {
    ...{ since: new Date(now - 3600_000), types },
  });
  expect(isWhole).toBe(true);
  expect(events.map(({ objectId }) => objectId)).toEqual(ids);
  const later = { since: new Date(now + 60_000), types };
  expect((await listEvents(shop.services, later)).events).toEqual([]);
});

describe("GET /admin/payments, the Stripe key", () => {
  const refused = "Stripe does not accept this site’s key";
  const page = async () => {
    const shown = await shop.read("/admin/payments");
    expect(shown).toContain("No payments yet");
    return shown;
  };

  test("is tried on everything that the site reads", async () => {
    const before = shop.stripe.calls.length;
    expect(await page()).not.toContain(refused);
    const calls = callsSince(before);
    const read = ["events", "checkout/sessions", "payment_intents", "refunds", "disputes"];
    const paths = read.map((name) => `/v1/${name}`);
    expect(calls.map(({ path }) => path)).toEqual(expect.arrayContaining(paths));
    expect(new Set(calls.map(({ went }) => went))).toEqual(new Set([200]));
  });

  test("is said to be refused, or what a restricted one may not read", async () => {
    shop.stripe.faults.plan(401, always);
    expect(await page()).toContain(refused);
    shop.stripe.faults.forget();
    shop.stripe.faults.plan(403, { ...always, path: /disputes/ });
    const restricted = await page();
    expect(restricted).toContain("This key may not read: Disputes.");
    expect(restricted).not.toContain(refused);
  });

  test.each(["reset", "hang", 500, 503] as const)("is not blamed for %s", async (fault) => {
    shop.stripe.faults.plan(fault, always);
    expect(await page()).not.toContain(refused);
  });
});
