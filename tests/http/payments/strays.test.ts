import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Person } from "../../support/people.ts";
import { openShop, type Shop } from "../../support/stripe/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterEach(() => shop.stripe.faults.forget());
afterAll(() => shop.close());

const account = () => shop.stripe.account;
const intentOf = (sessionId: string) => String(account().session(sessionId).payment_intent);
const rowsOf = ({ id }: Person) =>
  shop.services.db.write
    .selectFrom("payments")
    .select(["id", "status", "checkoutSessionId", "amountCents"])
    .where("userId", "=", id)
    .orderBy("createdAt")
    .orderBy("id")
    .execute();

test("the keys are others since she began (test keys before the real ones): her payment opens the course", async () => {
  const begun = await shop.begin();
  account().sessions.delete(begun.sessionId);
  const { sessionId } = await shop.begin(begun);
  expect(sessionId).not.toBe(begun.sessionId);
  expect(await rowsOf(begun.buyer)).toMatchObject([
    { checkoutSessionId: begun.sessionId, status: "expired" },
    { checkoutSessionId: sessionId, status: "started" },
  ]);
  expect((await shop.tell(account().pay(sessionId))).status).toBe(200);
  expect(await shop.enrollmentsOf(begun.buyer)).toEqual([
    { productId: begun.course.id, stripePaymentId: intentOf(sessionId) },
  ]);
  expect(await shop.receiptsOf(begun.buyer)).toHaveLength(1);
});

/** A second session of the same checkout, as of two presses with a new title between them. */
async function second({ course, sessionId }: { course: { id: string }; sessionId: string }) {
  const { metadata, success_url } = account().session(sessionId);
  const price = { currency: "usd", unit_amount: 19700, product_data: { name: "Its new title" } };
  return account().createSession(
    {
      mode: "payment",
      line_items: [{ quantity: 1, price_data: price }],
      metadata: { ...metadata, product: course.id },
      success_url,
    },
    shop.stripe.url,
  );
}

test("a second session of the same checkout opens the course as well as the first", async () => {
  const begun = await shop.begin();
  const { id } = await second(begun);
  const event = account().pay(id);
  const answers = await Promise.all(Array.from({ length: 5 }, () => shop.tell(event)));
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
  expect(await shop.enrollmentsOf(begun.buyer)).toEqual([
    { productId: begun.course.id, stripePaymentId: intentOf(id) },
  ]);
  expect(await rowsOf(begun.buyer)).toMatchObject([
    { checkoutSessionId: begun.sessionId, status: "started" },
    { checkoutSessionId: id, status: "paid", amountCents: 19700 },
  ]);
  expect((await shop.paymentOf(id)).open).toEqual([]);
  expect(await shop.receiptsOf(begun.buyer)).toHaveLength(1);
});

test("both sessions of one checkout paid: the second one waits for the coach", async () => {
  const begun = await shop.begin();
  const { id } = await second(begun);
  await shop.tell(account().pay(begun.sessionId));
  await shop.tell(account().pay(id));
  expect(await shop.enrollmentsOf(begun.buyer)).toHaveLength(1);
  expect(await shop.paymentOf(id)).toMatchObject({
    status: "paid",
    open: ["already_enrolled"],
  });
});

test("two presses with a new title between them: each session that is made is known here", async () => {
  const { buyer, course } = await shop.begin();
  const { db } = shop.services;
  await db.write
    .updateTable("payments")
    .set({ status: "expired" })
    .where("userId", "=", buyer.id)
    .execute();
  shop.stripe.faults.plan("hang-after", { path: /^POST/ });
  const slow = shop.checkout(buyer, course.id);
  while (shop.stripe.faults.hanging === 0) await new Promise(setImmediate);
  await db.write
    .updateTable("products")
    .set({ title: "Its new title" })
    .where("id", "=", course.id)
    .execute();
  const quick = await shop.checkout(buyer, course.id);
  shop.stripe.faults.release();
  const slowId = (await slow).sessionId;
  expect(slowId).not.toBe(quick.sessionId);
  expect((await rowsOf(buyer)).map(({ checkoutSessionId }) => checkoutSessionId)).toEqual(
    expect.arrayContaining([slowId, quick.sessionId]),
  );
});
