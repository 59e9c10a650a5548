import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readable } from "../../support/answers.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { openShop, type Shop } from "../../support/stripe/shop.ts";

let shop: Shop;
let coach: Person;
beforeAll(async () => {
  shop = await openShop();
  coach = await createPerson(shop.services, { role: "admin" });
});
afterEach(() => {
  shop.stripe.faults.release();
  shop.stripe.faults.forget();
});
afterAll(() => shop.close());

const always = Number.POSITIVE_INFINITY;
const desk = async () => {
  const answer = await shop.ask("/admin/payments", { as: coach });
  expect(answer.status).toBe(200);
  return readable(await answer.text());
};
const words = "Stripe does not accept this site’s key";

test("a key that Stripe takes is no matter", async () => {
  const before = shop.stripe.calls.length;
  expect(await desk()).not.toContain(words);
  const calls = shop.stripe.calls.slice(before);
  const read = ["events", "checkout/sessions", "payment_intents", "refunds", "disputes"];
  const paths = read.map((name) => `/v1/${name}`);
  expect(calls.map(({ path }) => path)).toEqual(expect.arrayContaining(paths));
  expect(new Set(calls.map(({ went }) => went))).toEqual(new Set([200]));
});

test("the coach reads that her key was rolled, and what a restricted one lacks", async () => {
  shop.stripe.faults.plan(401, { times: always });
  const rolled = await desk();
  expect(rolled).toContain(words);
  expect(rolled).toContain("No payments yet");
  shop.stripe.faults.forget();
  shop.stripe.faults.plan(403, { times: always, path: /disputes/ });
  const restricted = await desk();
  expect(restricted).toContain("This key may not read: Disputes.");
  expect(restricted).not.toContain(words);
});

test.each(["reset", "hang", 500, 503] as const)("%s: that is not the key", async (fault) => {
  shop.stripe.faults.plan(fault, { times: always });
  const shown = await desk();
  expect(shown).not.toContain(words);
  expect(shown).toContain("No payments yet");
});
