import { describe, expect, test, vi } from "vitest";
import { patient } from "../../support/patient.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { mainOf, readable, toastOf } from "../../support/responses.ts";
import { type Bought, shopOfFile } from "../../support/stripe/shop.ts";

const shop = shopOfFile();

/** What somebody who comes back from Stripe's page gets. */
async function back(as: Person | null, sessionId: string) {
  const path = `/enrollment-success?session_id=${encodeURIComponent(sessionId)}`;
  const answer = await shop.ask(path, { as });
  return {
    ...{ status: answer.status, to: answer.headers.get("location") },
    title: toastOf(answer)?.title ?? null,
    main: answer.status === 200 ? mainOf(readable(await answer.text())) : "",
  };
}
const processed = "Your payment is being processed.";
const byHand = "I am looking at it by hand";

describe("GET /enrollment-success, back from Stripe", () => {
  test("opens the course before the webhook does, and leads to it", async () => {
    const begun = await shop.begin();
    const { buyer, course, sessionId } = begun;
    const event = shop.account.pay(sessionId);
    const { status, main } = await back(buyer, sessionId);
    expect(status).toBe(200);
    for (const words of [
      "Welcome to Your Course!",
      "“A course” is open for you.",
      `href="/courses/${course.slug}/learn"`,
    ])
      expect(main).toContain(words);
    expect(await shop.enrollmentOf(begun)).toBeDefined();
    await shop.tell(event);
    expect(await shop.queued("payments.receipt", buyer)).toBe(1);
  });

  test("books once, many times at once with the webhook", async () => {
    const begun = await shop.begin();
    const { buyer, sessionId } = begun;
    const event = shop.account.pay(sessionId);
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 ? back(buyer, sessionId) : shop.tell(event))),
    );
    expect(await shop.enrollmentOf(begun)).toBeDefined();
    expect(await shop.queued("payments.receipt", buyer)).toBe(1);
  });

  test("says that a slow payment is on its way, and that it failed", async () => {
    const { buyer, course, sessionId } = await shop.begin();
    shop.account.pay(sessionId, { slowly: true });
    const { main } = await back(buyer, sessionId);
    expect(main).toContain(processed);
    expect(main).not.toContain("Check your email for access details");
    expect(main).toContain(`href="/courses/${course.slug}"`);
    expect(main).not.toContain("/learn");
    shop.account.settle(sessionId, false);
    const failed = await back(buyer, sessionId);
    expect([failed.status, failed.to]).toEqual([303, `/courses/${course.slug}`]);
  });

  test("says the same while Stripe fails; the course opens later", async () => {
    const { buyer, sessionId } = await shop.begin();
    const event = shop.account.pay(sessionId);
    shop.stripe.faults.plan(500, { path: /^GET .*sessions/ });
    expect((await back(buyer, sessionId)).main).toContain(processed);
    await shop.tell(event);
    expect((await back(buyer, sessionId)).main).toContain("is open for you.");
  });

  test("says the same of a checkout that ended here, until Stripe confirms the end", async () => {
    const begun = await shop.begin();
    shop.account.expire(begun.sessionId);
    await shop.tell("checkout.session.expired");
    expect((await shop.paymentOf(begun)).status).toBe("expired");
    shop.stripe.faults.plan(500, { path: /^GET .*sessions/ });
    expect((await back(begun.buyer, begun.sessionId)).main).toContain(processed);
    expect((await back(begun.buyer, begun.sessionId)).status).toBe(303);
  });

  test("does not wait long for a silent Stripe, and the booking goes on", async () => {
    const begun = await shop.begin();
    shop.account.pay(begun.sessionId);
    shop.stripe.faults.plan("hang", { times: 2, path: /^GET .*sessions/ });
    expect((await back(begun.buyer, begun.sessionId)).main).toContain(processed);
    shop.stripe.faults.release();
    await vi.waitFor(async () => expect(await shop.enrollmentOf(begun)).toBeDefined(), patient);
  });

  test("says that the coach looks at the payment, also after the bank asked in vain", async () => {
    const begun = await shop.begin();
    Object.assign(shop.account.session(begun.sessionId), { currency: "eur" });
    shop.account.pay(begun.sessionId);
    expect((await back(begun.buyer, begun.sessionId)).main).toContain(byHand);
    await shop.closeDispute(await shop.dispute({ intent: shop.intentOf(begun) }), "won");
    expect((await shop.paymentOf(begun)).status).toBe("paid");
    expect((await back(begun.buyer, begun.sessionId)).main).toContain(byHand);
  });

  test("is the page for everybody, without a call to Stripe, for what is not the user's checkout", async () => {
    const begun = await shop.begin();
    const { buyer, sessionId } = begun;
    shop.account.pay(sessionId);
    const stranger = await createPerson(shop.services);
    const calls = shop.stripe.calls.length;
    const plain = await back(stranger, "");
    for (const [as, id] of [
      [stranger, sessionId],
      [null, sessionId],
      [null, ""],
      [buyer, "cs_test_of_nobody"],
      [buyer, "'; drop table payments"],
      [buyer, "a".repeat(3000)],
      [buyer, "\0"],
    ] as const)
      expect(await back(as, id)).toEqual(plain);
    expect(shop.stripe.calls.length).toBe(calls);
    expect(plain.main).toContain("Welcome to Your Course!");
    expect(plain.main).toContain('href="/auth"');
    expect(plain.main).not.toMatch(/you are enrolled|your course is there|is open for you/i);
    expect(await shop.enrollmentOf(begun)).toBeUndefined();
  });
});

describe("GET /enrollment-success, opened again later", () => {
  const goneBack = "The money for this course has gone back";
  test.each([
    ["refunded", goneBack, (bought) => shop.refund(bought)],
    ["disputed", "Your bank is asking about this payment", (bought) => shop.dispute(bought)],
    [
      "lost to a bank",
      goneBack,
      async (bought) => shop.closeDispute(await shop.dispute(bought), "lost"),
    ],
    [
      "refunded in vain",
      "Your refund has not reached you",
      async (bought) => shop.tell(shop.account.failRefund(await shop.refund(bought))),
    ],
    [
      "paid, with the access ended by hand",
      "This course is not open to you",
      async (bought) => {
        const { id } = (await shop.enrollmentOf(bought)) ?? {};
        await shop.ask(`/admin/enrollments/${id}`, { as: shop.coach, form: { intent: "remove" } });
      },
    ],
  ] satisfies [string, string, (bought: Bought) => Promise<unknown>][])(
    "leads to the course's page, which says what is true: %s",
    async (_, title, happens) => {
      const bought = await shop.buy();
      await happens(bought);
      const to = `/courses/${bought.course.slug}`;
      const answer = await back(bought.buyer, bought.sessionId);
      expect(answer).toMatchObject({ status: 303, to, title });
    },
  );

  test("says that the course is open where another payment opened it", async () => {
    const bought = await shop.buy();
    await shop.refund(bought);
    await shop.buy(bought);
    expect((await back(bought.buyer, bought.sessionId)).main).toContain("is open for you.");
  });
});
