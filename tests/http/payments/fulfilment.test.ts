import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { mainOf, readable } from "../../support/answers.ts";
import { patient } from "../../support/patient.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { openShop, type Shop } from "../../support/stripe/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterEach(() => shop.stripe.faults.forget());
afterAll(() => shop.close());

const account = () => shop.stripe.account;
const intentOf = (sessionId: string) => String(account().session(sessionId).payment_intent);

describe("a payment that cannot open its course is never silent: it waits for the coach", () => {
  test("the course was deleted meanwhile", async () => {
    const { buyer, course, sessionId } = await shop.begin();
    await shop.services.db.write
      .updateTable("products")
      .set({ deletedAt: shop.clock.now() })
      .where("id", "=", course.id)
      .execute();
    expect((await shop.tell(account().pay(sessionId))).status).toBe(200);
    expect(await shop.enrollmentsOf(buyer)).toEqual([]);
    expect(await shop.paymentOf(sessionId)).toMatchObject({
      status: "paid",
      open: ["course_deleted"],
      paymentIntentId: intentOf(sessionId),
    });
    const letter = await vi.waitFor(() => {
      const [found] = shop.receiptLettersTo(buyer);
      if (!found) throw new Error("no receipt yet");
      return found;
    }, patient);
    expect(letter.text).toContain("has not opened by itself");
    expect(letter.text).not.toContain("/learn");
    // Restored before the coach has looked at the payment, it is not sold to her once more.
    expect(await shop.checkout(buyer, course.id)).toMatchObject({ status: 404 });
    await shop.services.db.write
      .updateTable("products")
      .set({ deletedAt: null })
      .where("id", "=", course.id)
      .execute();
    expect(await shop.checkout(buyer, course.id)).toMatchObject({ status: 409 });
  });

  test("the account was deleted meanwhile", async () => {
    const { buyer, sessionId } = await shop.begin();
    await shop.services.db.write.deleteFrom("profiles").where("id", "=", buyer.id).execute();
    expect((await shop.tell(account().pay(sessionId))).status).toBe(200);
    expect(await shop.paymentOf(sessionId)).toMatchObject({
      status: "paid",
      userId: null,
      open: ["account_deleted"],
    });
    expect(await shop.receiptsOf(buyer)).toEqual([]);
  });

  test("she was enrolled by hand meanwhile", async () => {
    const { buyer, course, sessionId } = await shop.begin();
    await enroll(shop.services, { userId: buyer.id, productId: course.id });
    await shop.tell(account().pay(sessionId));
    expect(await shop.paymentOf(sessionId)).toMatchObject({ open: ["already_enrolled"] });
    expect(await shop.enrollmentsOf(buyer)).toEqual([
      { productId: course.id, stripePaymentId: null },
    ]);
    expect(await shop.receiptsOf(buyer)).toHaveLength(1);
  });

  test("she paid twice: the first one opened it, the second one waits", async () => {
    const { buyer, course, sessionId: first } = await shop.begin();
    account().pay(first);
    // A second checkout that was open beside it, as from before a price changed.
    const other = await shop.begin({ buyer: await createPerson(shop.services), course });
    await shop.services.db.write
      .updateTable("payments")
      .set({ userId: buyer.id })
      .where("checkoutSessionId", "=", other.sessionId)
      .execute();
    const events = [account().events.at(-1), account().pay(other.sessionId)];
    for (const event of events.reverse()) if (event) await shop.tell(event);
    expect(await shop.enrollmentsOf(buyer)).toEqual([
      { productId: course.id, stripePaymentId: intentOf(other.sessionId) },
    ]);
    expect((await shop.paymentOf(first)).open).toEqual(["already_enrolled"]);
    expect((await shop.paymentOf(other.sessionId)).open).toEqual([]);
    expect(await shop.receiptsOf(buyer)).toHaveLength(2);
  });

  test.each([
    ["amount", { amount_total: 1 }],
    ["currency", { currency: "eur" }],
  ])("Stripe says another %s than was asked for", async (_, change) => {
    const { buyer, course, sessionId } = await shop.begin();
    Object.assign(account().session(sessionId), change);
    await shop.tell(account().pay(sessionId));
    expect(await shop.enrollmentsOf(buyer)).toEqual([]);
    expect(await shop.paymentOf(sessionId)).toMatchObject({
      status: "paid",
      open: ["amount_differs"],
    });
    // She is not asked to pay a second time while nobody has looked at the first.
    expect(await shop.checkout(buyer, course.id)).toMatchObject({ status: 409 });
  });
});

describe("what does open the course all the same", () => {
  test("the price was changed since: she pays what she was shown", async () => {
    const { buyer, course, sessionId } = await shop.begin();
    await shop.services.db.write
      .updateTable("products")
      .set({ priceCents: 29700 })
      .where("id", "=", course.id)
      .execute();
    await shop.tell(account().pay(sessionId));
    expect(await shop.enrollmentsOf(buyer)).toHaveLength(1);
  });

  test("the course was taken from sale since", async () => {
    const { buyer, course, sessionId } = await shop.begin();
    await shop.services.db.write
      .updateTable("products")
      .set({ active: false })
      .where("id", "=", course.id)
      .execute();
    await shop.tell(account().pay(sessionId));
    expect(await shop.enrollmentsOf(buyer)).toHaveLength(1);
  });

  test("an expired checkout that was paid all the same: the truth is Stripe's", async () => {
    const { buyer, sessionId } = await shop.begin();
    await shop.services.db.write
      .updateTable("payments")
      .set({ status: "expired", endedAt: shop.clock.now() })
      .where("checkoutSessionId", "=", sessionId)
      .execute();
    await shop.tell(account().pay(sessionId));
    expect(await shop.enrollmentsOf(buyer)).toHaveLength(1);
    expect(await shop.paymentOf(sessionId)).toMatchObject({ status: "paid", endedAt: null });
  });

  test.each([
    ["the id of the session was never written down", "checkoutSessionId"],
    ["nothing of the checkout is here (a backup from before)", "row"],
  ])("%s: it is found by what is written on it", async (_, lost) => {
    const { buyer, course, sessionId } = await shop.begin();
    const { db } = shop.services;
    const { id } = await shop.paymentOf(sessionId);
    if (lost === "row") await db.write.deleteFrom("payments").where("id", "=", id).execute();
    else
      await db.write
        .updateTable("payments")
        .set({ checkoutSessionId: null })
        .where("id", "=", id)
        .execute();
    const event = account().pay(sessionId);
    await Promise.all([shop.tell(event), shop.tell(event)]);
    expect(await shop.enrollmentsOf(buyer)).toEqual([
      { productId: course.id, stripePaymentId: intentOf(sessionId) },
    ]);
    expect(await shop.paymentOf(sessionId)).toMatchObject({ id, status: "paid" });
  });
});

describe("money that went back before anybody looked opens nothing", () => {
  test.each(["refunded", "disputed"] as const)("%s", async (status) => {
    const { buyer, sessionId } = await shop.begin();
    const event = account().pay(sessionId);
    if (status === "refunded") account().refund({ payment_intent: intentOf(sessionId) });
    else account().dispute(intentOf(sessionId));
    await shop.tell(event);
    expect(await shop.enrollmentsOf(buyer)).toEqual([]);
    expect(await shop.receiptsOf(buyer)).toEqual([]);
    expect((await shop.paymentOf(sessionId)).status).toBe(status);
  });
});

test("the receipt says what was paid, when and for what, once, as a letter that cannot be declined", async () => {
  const { buyer, course, sessionId } = await shop.begin();
  const now = shop.clock.now();
  const event = account().pay(sessionId);
  await Promise.all(Array.from({ length: 5 }, () => shop.tell(event)));
  const [letter] = await vi.waitFor(() => {
    const found = shop.receiptLettersTo(buyer);
    if (found.length === 0) throw new Error("no receipt yet");
    return found;
  }, patient);
  const month = now.toLocaleString("en-US", { month: "long", timeZone: "UTC" });
  for (const words of [
    "Hello Ada,",
    "Course: A course",
    "Paid: $197.00",
    `Date: ${month} ${now.getUTCDate()}, ${now.getUTCFullYear()}`,
    `Payment reference: ${intentOf(sessionId)}`,
    "within 14 days",
    `/courses/${course.slug}/learn`,
  ])
    expect(letter?.text).toContain(words);
  expect(letter?.source).not.toContain("List-Unsubscribe");
  expect(letter?.subject).toBe("Your receipt for “A course”");
  expect(shop.receiptLettersTo(buyer)).toHaveLength(1);
});

describe("coming back from Stripe's page", () => {
  async function back(as: Person | null, sessionId: string) {
    const path = `/enrollment-success?session_id=${encodeURIComponent(sessionId)}`;
    const answer = await shop.ask(path, { as });
    return { status: answer.status, main: mainOf(readable(await answer.text())) };
  }

  test("opens the course, if the webhook was not quicker, and leads to it", async () => {
    const { buyer, course, sessionId } = await shop.begin();
    account().pay(sessionId);
    const { status, main } = await back(buyer, sessionId);
    expect(status).toBe(200);
    expect(main).toContain("Welcome to Your Course!");
    expect(main).toContain("“A course” is open for you.");
    expect(main).toContain(`href="/courses/${course.slug}/learn"`);
    expect(await shop.enrollmentsOf(buyer)).toHaveLength(1);
    const event = account().events.at(-1);
    if (event) await shop.tell(event);
    expect(await shop.receiptsOf(buyer)).toHaveLength(1);
  });

  test("at once with the webhook, many times: one enrollment, one receipt", async () => {
    const { buyer, sessionId } = await shop.begin();
    const event = account().pay(sessionId);
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 ? back(buyer, sessionId) : shop.tell(event))),
    );
    expect(await shop.enrollmentsOf(buyer)).toHaveLength(1);
    expect(await shop.receiptsOf(buyer)).toHaveLength(1);
  });

  test("before a slow payment has arrived: it is on its way", async () => {
    const { buyer, course, sessionId } = await shop.begin();
    account().pay(sessionId, { slowly: true });
    const { main } = await back(buyer, sessionId);
    expect(main).toContain("Your payment is being processed.");
    expect(main).not.toContain("Check your email for access details");
    expect(main).toContain(`href="/courses/${course.slug}"`);
    expect(main).not.toContain("/learn");
  });

  test("while Stripe cannot be asked: the same, and the course opens later", async () => {
    const { buyer, sessionId } = await shop.begin();
    const event = account().pay(sessionId);
    shop.stripe.faults.plan("reset", { times: 4, path: /^GET .*sessions/ });
    const { status, main } = await back(buyer, sessionId);
    expect([status, main]).toEqual([
      200,
      expect.stringContaining("Your payment is being processed."),
    ]);
    shop.stripe.faults.forget();
    await shop.tell(event);
    expect((await back(buyer, sessionId)).main).toContain("is open for you.");
  });

  test("while Stripe says nothing at all: the page does not wait for long", async () => {
    const { buyer, sessionId } = await shop.begin();
    account().pay(sessionId);
    shop.stripe.faults.plan("hang", { path: /^GET .*sessions/ });
    expect((await back(buyer, sessionId)).main).toContain("Your payment is being processed.");
    shop.stripe.faults.release();
    await vi.waitFor(async () => expect(await shop.enrollmentsOf(buyer)).toHaveLength(1), patient);
  });

  test("with a payment that the coach has to look at", async () => {
    const { buyer, sessionId } = await shop.begin();
    Object.assign(account().session(sessionId), { currency: "eur" });
    account().pay(sessionId);
    expect((await back(buyer, sessionId)).main).toContain("I am looking at it by hand");
  });

  test("with a payment that failed: back to the course, which says so", async () => {
    const { buyer, course, sessionId } = await shop.begin();
    account().pay(sessionId, { slowly: true });
    account().settle(sessionId, false);
    const answer = await shop.ask(`/enrollment-success?session_id=${sessionId}`, { as: buyer });
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      `/courses/${course.slug}`,
    ]);
  });

  test("with what is no checkout of hers: the page as it is for everybody, and Stripe is not asked", async () => {
    const { buyer, sessionId } = await shop.begin();
    account().pay(sessionId);
    const stranger = await createPerson(shop.services);
    const calls = shop.stripe.calls.length;
    const plain = await back(stranger, "");
    for (const [as, id] of [
      [stranger, sessionId],
      [null, sessionId],
      [buyer, "cs_test_of_nobody"],
      [buyer, "'; drop table payments"],
      [buyer, "a".repeat(3000)],
      [buyer, "\0"],
    ] as const) {
      const { status, main } = await back(as, id);
      expect(status).toBe(200);
      expect(main).toBe(plain.main);
    }
    expect(shop.stripe.calls.length).toBe(calls);
    expect(plain.main).toContain('href="/auth"');
    expect(await shop.enrollmentsOf(buyer)).toEqual([]);
  });
});
