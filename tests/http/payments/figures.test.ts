import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { dateInWords } from "~/platform/time/words.ts";
import { readable } from "../../support/answers.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { openShop, type Shop } from "../../support/stripe/shop.ts";

let shop: Shop;
let coach: Person;
beforeAll(async () => {
  shop = await openShop();
  coach = await createPerson(shop.services, { role: "admin" });
});
afterAll(() => shop.close());

const account = () => shop.stripe.account;
const tell = async (event: Parameters<Shop["tell"]>[0]) =>
  expect((await shop.tell(event)).status).toBe(200);

test("a payment in another currency is shown in that one", async () => {
  const { buyer, sessionId } = await shop.begin();
  account().session(sessionId).currency = "eur";
  await tell(account().pay(sessionId));
  const { id, currency, open } = await shop.paymentOf(sessionId);
  expect([currency, open]).toEqual(["eur", ["amount_differs"]]);
  for (const path of ["/admin/payments", `/admin/payments/${id}`]) {
    const shown = readable(await (await shop.ask(path, { as: coach })).text());
    expect(shown).toContain(`The payment of ${buyer.name} for “A course” was €197.00.`);
    expect(shown).not.toContain("$197.00");
  }
  await vi.waitFor(
    () => expect(shop.receiptLettersTo(buyer)[0]?.text).toContain("Paid: €197.00, once"),
    { timeout: 25_000, interval: 20 },
  );
});

describe("what was paid, was paid", () => {
  const paidAt = async (sessionId: string) =>
    (await shop.paymentOf(sessionId)).paidAt?.getTime() ?? 0;
  /** When Stripe took the money, in its whole seconds. */
  const takenAt = (sessionId: string) => {
    const intent = String(account().session(sessionId).payment_intent);
    return new Date(account().chargeOf(intent).created * 1000);
  };

  test("when she paid, though the site heard of it ten days later: so says the receipt", async () => {
    const { buyer, sessionId, course } = await shop.begin();
    const completed = account().pay(sessionId);
    const then = takenAt(sessionId);
    shop.clock.forwardDays(10);
    await tell(completed);
    expect(await paidAt(sessionId)).toBe(then.getTime());
    await vi.waitFor(
      () =>
        expect(shop.receiptLettersTo(buyer)[0]?.text).toContain(
          `Date: ${dateInWords(then, "UTC")}`,
        ),
      { timeout: 25_000, interval: 20 },
    );
    const hers = async () => (await shop.ask(`/courses/${course.slug}`, { as: buyer })).text();
    expect(readable(await hers())).toContain("You can have your $197.00 back until ");
    shop.clock.forwardDays(4.01);
    expect(readable(await hers())).not.toContain("You can have your");
  });

  test("when the money arrived, where it came slowly: she could not begin before", async () => {
    const { sessionId } = await shop.begin();
    await tell(account().pay(sessionId, { slowly: true }));
    shop.clock.forwardDays(5);
    const arrived = account().settle(sessionId, true);
    const then = shop.clock.now();
    await tell(arrived);
    expect(await paidAt(sessionId)).toBeGreaterThanOrEqual(then.getTime());
  });
});
