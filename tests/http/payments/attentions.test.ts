import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { readable } from "../../support/answers.ts";
import { lettersTo } from "../../support/mailbox.ts";
import { openIssues } from "../../support/payments.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { type Bought, buy, lastEvent, payOnceMore } from "../../support/stripe/bought.ts";
import { openShop, type Shop } from "../../support/stripe/shop.ts";

let shop: Shop;
let coach: Person;
beforeAll(async () => {
  shop = await openShop();
  coach = await createPerson(shop.services, { role: "admin", name: "Nora" });
});
afterEach(() => shop.stripe.faults.forget());
afterAll(() => shop.close());

const account = () => shop.stripe.account;
const tell = async (event: Parameters<Shop["tell"]>[0]) =>
  expect((await shop.tell(event)).status).toBe(200);
const openOf = async ({ sessionId }: Pick<Bought, "sessionId">) =>
  (await shop.paymentOf(sessionId)).open;
/** Opens a dispute about a payment, and Stripe tells of it. @returns its id */
async function dispute({ intent }: Pick<Bought, "intent">, status = "needs_response") {
  const { id } = account().dispute(intent, { status });
  await tell(lastEvent(shop, "charge.dispute.created"));
  return id;
}
/** A part is given back, Stripe tells of it, and then that it did not arrive. */
async function failPart({ intent }: Pick<Bought, "intent">, amount: number) {
  const { id } = account().refund({ payment_intent: intent, amount: String(amount) });
  await tell(lastEvent(shop, "charge.refunded"));
  return async () => tell(account().failRefund(id));
}
const page = async ({ id }: { id: string }) =>
  readable(await (await shop.ask(`/admin/payments/${id}`, { as: coach })).text());
const letters = async () =>
  (
    await shop.services.db.write
      .selectFrom("outbox")
      .select("id")
      .where("kind", "=", "payments.attention")
      .execute()
  ).length;

describe("of several things that need the coach none pushes another one off the list", () => {
  test("a second payment, disputed, then won: what to do with two payments is still asked", async () => {
    const first = await buy(shop);
    const second = await payOnceMore(shop, first);
    expect(await openOf(second)).toEqual(["already_enrolled"]);
    const id = await dispute(second);
    expect(await openOf(second)).toEqual(["already_enrolled", "disputed"]);
    const shown = await page(second);
    expect(shown).toContain("A payment for a course that was open already");
    expect(shown).toContain("A payment is disputed");
    expect(shown).toContain("Nothing can be returned or opened while the bank decides");
    await tell(account().closeDispute(id, "won"));
    expect(await openOf(second)).toEqual(["already_enrolled", "dispute_won"]);
    await dispute(second, "warning_needs_response");
    expect(await openOf(second)).toEqual(["already_enrolled", "dispute_won", "inquiry"]);
  });

  test("won again, after the other payment was given back and she bought a third time: told again", async () => {
    const first = await buy(shop);
    const second = await payOnceMore(shop, first);
    account().refund({ payment_intent: first.intent });
    await tell(lastEvent(shop, "charge.refunded"));
    expect(await openOf(second)).toEqual([]);
    const id = await dispute(second);
    await payOnceMore(shop, first);
    await tell(account().closeDispute(id, "won"));
    expect(await openOf(second)).toEqual(["already_enrolled"]);
  });

  test("a refund that fails while a dispute is open is told at once, and stays when that is lost", async () => {
    const bought = await buy(shop);
    const fail = await failPart(bought, 5000);
    const id = await dispute(bought);
    const before = await letters();
    await fail();
    expect(await openOf(bought)).toEqual(["disputed", "refund_failed"]);
    expect(await letters()).toBe(before + 1);
    await tell(account().closeDispute(id, "lost"));
    expect(await openOf(bought)).toEqual(["refund_failed", "dispute_lost"]);
    expect(await page(bought)).toContain("Stripe shows whether anything is left to return.");
  });

  test("two refunds that failed are two entries: the one she was not shown stays", async () => {
    const bought = await buy(shop);
    await (await failPart(bought, 1000))();
    const [seen] = await openIssues(shop.services, bought.id);
    await (await failPart(bought, 2000))();
    const form = { intent: "attend", matter: seen?.id ?? "" };
    await shop.ask(`/admin/payments/${bought.id}`, { as: coach, form });
    expect(await openOf(bought)).toEqual(["refund_failed"]);
    const [left] = await openIssues(shop.services, bought.id);
    expect(left?.id).not.toBe(seen?.id);
  });

  test("a bank takes the money of a payment that was given back before: she is told", async () => {
    const bought = await buy(shop);
    account().refund({ payment_intent: bought.intent });
    await tell(lastEvent(shop, "charge.refunded"));
    const id = await dispute(bought);
    expect(await openOf(bought)).toEqual(["disputed"]);
    await tell(account().closeDispute(id, "won"));
    expect(await openOf(bought)).toEqual([]);
  });
});

describe("a bank that asks a second time", () => {
  test("after its first question was closed is told again", async () => {
    const bought = await buy(shop);
    const id = await dispute(bought, "warning_needs_response");
    await tell(account().closeDispute(id, "warning_closed"));
    expect(await openOf(bought)).toEqual([]);
    const before = await letters();
    await dispute(bought, "warning_needs_response");
    expect(await openOf(bought)).toEqual(["inquiry"]);
    expect(await letters()).toBe(before + 1);
  });

  test("though nobody heard that the first was closed, and she had marked that as done", async () => {
    const bought = await buy(shop);
    const id = await dispute(bought, "warning_needs_response");
    const [seen] = await openIssues(shop.services, bought.id);
    const form = { intent: "attend", matter: seen?.id ?? "" };
    await shop.ask(`/admin/payments/${bought.id}`, { as: coach, form });
    account().closeDispute(id, "warning_closed");
    await dispute(bought, "warning_needs_response");
    const [open, ...others] = await openIssues(shop.services, bought.id);
    expect(open).toMatchObject({ reason: "inquiry" });
    expect(open?.cause).not.toBe(id);
    expect(others).toEqual([]);
  });
});

describe("what the coach reads of a dispute is true of the course", () => {
  test("another payment holds the place: it is open, and stays so when the dispute is lost", async () => {
    const first = await buy(shop);
    await payOnceMore(shop, first);
    const id = await dispute(first);
    const shown = await page(first);
    expect(shown).toContain("The course is open to Ada.");
    expect(shown).not.toContain("closed to");
    await tell(account().closeDispute(id, "lost"));
    expect(await page(first)).toContain(
      "went back. The course is open to Ada. Progress and journal",
    );
  });

  test("nothing else holds it: it is not open", async () => {
    const bought = await buy(shop);
    const id = await dispute(bought);
    expect(await page(bought)).toContain("back. The course is not open to Ada.");
    await tell(account().closeDispute(id, "won"));
    expect(await page(bought)).toContain("stays with you. The course is open to Ada.");
  });

  test("the account is gone: nothing is said of a course, a person or an email", async () => {
    const bought = await buy(shop);
    await (await failPart(bought, 1000))();
    await shop.services.db.write.deleteFrom("profiles").where("id", "=", bought.buyer.id).execute();
    const shown = await page(bought);
    expect(shown).toContain("A refund to somebody whose account is gone for “A course”");
    expect(shown).toContain("Stripe says why, and shows the email address it was paid with.");
    expect(shown).toContain("The account is gone, so no email is sent about it.");
    expect(shown).not.toContain("Whoever paid is ");
  });
});

test("while her bank decides, the course is not sold to her once more; when it has, it is", async () => {
  const bought = await buy(shop);
  const { buyer, course } = bought;
  const id = await dispute(bought);
  const refused = await shop.ask("/api/create-checkout", {
    as: buyer,
    json: { productId: course.id },
  });
  expect(refused.status).toBe(409);
  const { error } = (await refused.json()) as { error: { message: string } };
  expect(error.message).toContain("Your bank is still asking about your earlier payment");
  expect(error.message).toMatch(/write to me at \S+@\S+/);
  await tell(account().closeDispute(id, "lost"));
  expect(await shop.checkout(buyer, course.id)).toMatchObject({ status: 200 });
});

test("a payment that is known here and not at Stripe is an error, and nothing is changed by it", async () => {
  const bought = await buy(shop);
  account().refund({ payment_intent: bought.intent });
  const event = lastEvent(shop, "charge.refunded");
  const intent = account().intent(bought.intent);
  account().intents.delete(bought.intent);
  expect((await shop.tell(event)).status).toBe(500);
  expect(await shop.paymentOf(bought.sessionId)).toMatchObject({ status: "paid", open: [] });
  account().intents.set(bought.intent, intent);
  await tell(event);
  expect(await shop.paymentOf(bought.sessionId)).toMatchObject({ status: "refunded" });
});

test("each thing that happened is a letter of its own, and none about what is over", async () => {
  const { email } = await createPerson(shop.services, { role: "admin" });
  const first = await buy(shop);
  const second = await payOnceMore(shop, first);
  await dispute(second);
  const subjects = () => lettersTo(shop.services.config, email).map(({ subject }) => subject);
  await vi.waitFor(
    () =>
      expect(subjects().toSorted()).toEqual([
        "A payment for a course that was open already",
        "A payment is disputed",
      ]),
    { timeout: 25_000, interval: 20 },
  );
});
