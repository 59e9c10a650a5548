import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { syncMissedEvents } from "~/features/payments/reconciliation.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { openedJournal } from "../../support/opened.ts";
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

const rows = () => shop.services.db.write;
const seat = ({ buyer }: Pick<Bought, "buyer">) =>
  rows().selectFrom("enrollments").selectAll().where("userId", "=", buyer.id).executeTakeFirst();
const formerOf = ({ buyer }: Pick<Bought, "buyer">) =>
  rows().selectFrom("formerEnrollments").selectAll().where("userId", "=", buyer.id).execute();
const outboxOf = (kind: string, { id }: { id: string }) =>
  rows()
    .selectFrom("outbox")
    .select("id")
    .where("kind", "=", kind)
    .where("userId", "=", id)
    .execute();
/** How often the coach was written to since the test began. */
let toldBefore = 0;
const told = async () => (await outboxOf("payments.attention", coach)).length - toldBefore;
beforeEach(async () => {
  toldBefore = 0;
  toldBefore = await told();
});
const refundAtStripe = (bought: Bought, amount?: number) => {
  shop.stripe.account.refund({
    payment_intent: bought.intent,
    ...(amount ? { amount: String(amount) } : {}),
  });
  return lastEvent(shop, "charge.refunded");
};
const tell = async (event: Parameters<Shop["tell"]>[0]) => {
  const { status } = await shop.tell(event);
  expect(status).toBe(200);
};

describe("refunded at Stripe", () => {
  test("in full: the access ends with its reason, what was done stays, one letter goes out", async () => {
    const bought = await buy(shop);
    const before = await seat(bought);
    const lessonId = bought.course.modules[0]?.lessons[0]?.id ?? "";
    const answers = [{ question: "How was it?", answer: "Words of the journal." }];
    await completeLesson(shop.services, { userId: bought.buyer.id, lessonId, answers, drafts: [] });
    const event = refundAtStripe(bought);
    await tell(event);
    expect(await seat(bought)).toBeUndefined();
    expect(await formerOf(bought)).toMatchObject([
      { ...before, removedBy: "stripe", reason: "refunded", stripePaymentId: bought.intent },
    ]);
    expect(await shop.paymentOf(bought.sessionId)).toMatchObject({
      status: "refunded",
      refundedCents: 19700,
      open: [],
    });
    const progress = await openedJournal(shop.services, bought.buyer.id);
    expect(progress[0]?.journalAnswer).toContain("Words of the journal.");
    const player = await shop.ask(`/courses/${bought.course.slug}/learn`, { as: bought.buyer });
    expect(player.status).toBe(303);
    expect(await outboxOf("payments.refunded", bought.buyer)).toHaveLength(1);

    await Promise.all(Array.from({ length: 10 }, () => tell(event)));
    expect(await formerOf(bought)).toHaveLength(1);
    expect(await outboxOf("payments.refunded", bought.buyer)).toHaveLength(1);
  });

  test("by two of its events at once, it is once", async () => {
    const bought = await buy(shop);
    const charge = refundAtStripe(bought);
    const refund = { ...lastEvent(shop, "refund.created"), type: "refund.updated" as const };
    await Promise.all([tell(charge), tell(refund as typeof charge)]);
    expect(await formerOf(bought)).toHaveLength(1);
    expect(await outboxOf("payments.refunded", bought.buyer)).toHaveLength(1);
  });

  test("a part of it: noted with its amount, and the access stays; the rest later ends it", async () => {
    const bought = await buy(shop);
    await tell(refundAtStripe(bought, 5000));
    expect(await seat(bought)).toMatchObject({ stripePaymentId: bought.intent });
    expect(await shop.paymentOf(bought.sessionId)).toMatchObject({
      status: "paid",
      refundedCents: 5000,
      endedAt: null,
      open: [],
    });
    expect(await outboxOf("payments.refunded", bought.buyer)).toEqual([]);
    await tell(refundAtStripe(bought));
    expect(await seat(bought)).toBeUndefined();
    expect((await shop.paymentOf(bought.sessionId)).refundedCents).toBe(19700);
  });

  test("won after she has bought the course once more: two payments are kept, and the coach is told", async () => {
    const bought = await buy(shop);
    const { id } = shop.stripe.account.dispute(bought.intent);
    await tell(lastEvent(shop, "charge.dispute.created"));
    // A checkout that was open before can still be paid.
    const again = await payOnceMore(shop, bought);
    expect(await seat(again)).toMatchObject({ stripePaymentId: again.intent });
    await tell(shop.stripe.account.closeDispute(id, "won"));
    expect(await seat(again)).toMatchObject({ stripePaymentId: again.intent });
    expect(await shop.paymentOf(bought.sessionId)).toMatchObject({
      ...{ status: "paid", open: ["already_enrolled"] },
    });
  });

  test("told before the payment itself: nothing opens, and she is written to once", async () => {
    const begun = await shop.begin();
    const completed = shop.stripe.account.pay(begun.sessionId);
    const intent = String(shop.stripe.account.session(begun.sessionId).payment_intent);
    shop.stripe.account.refund({ payment_intent: intent });
    await tell(lastEvent(shop, "charge.refunded"));
    expect(await shop.paymentOf(begun.sessionId)).toMatchObject({
      status: "refunded",
      paymentIntentId: intent,
    });
    await tell(completed);
    expect(await seat(begun)).toBeUndefined();
    expect(await formerOf(begun)).toEqual([]);
    expect(await outboxOf("payments.refunded", begun.buyer)).toHaveLength(1);
    expect(await shop.receiptsOf(begun.buyer)).toEqual([]);
  });

  test("of somebody else's payment on the same account: no matter here", async () => {
    const { account } = shop.stripe;
    const price = { currency: "usd", unit_amount: 900, product_data: { name: "A candle" } };
    const { id } = account.createSession(
      {
        mode: "payment",
        line_items: [{ quantity: 1, price_data: price }],
        success_url: "http://x",
      },
      shop.stripe.url,
    );
    account.pay(id);
    account.refund({ payment_intent: account.session(id).payment_intent });
    const everything = () => rows().selectFrom("payments").selectAll().orderBy("id").execute();
    const before = await everything();
    expect(before.length).toBeGreaterThan(0);
    await tell(lastEvent(shop, "charge.refunded"));
    expect(await everything()).toEqual(before);
  });

  test("Stripe cannot be asked: the event comes again, and then it is done", async () => {
    const bought = await buy(shop);
    const event = refundAtStripe(bought);
    for (const path of [/charges/, /payment_intents/, /GET .*\/refunds$/, /disputes/]) {
      shop.stripe.faults.plan("reset", { times: Number.POSITIVE_INFINITY, path });
      expect((await shop.tell(event)).status).toBe(500);
      expect(await seat(bought)).toBeDefined();
      shop.stripe.faults.forget();
    }
    await tell(event);
    expect(await seat(bought)).toBeUndefined();
  });

  test("nobody told: the hourly comparison finds it", async () => {
    const bought = await buy(shop);
    refundAtStripe(bought);
    await syncMissedEvents.run(shop.services);
    expect(await seat(bought)).toBeUndefined();
    expect((await shop.paymentOf(bought.sessionId)).status).toBe("refunded");
  });

  test("a refund that does not arrive brings the coach in, and opens nothing by itself", async () => {
    const bought = await buy(shop);
    const refund = shop.stripe.account.refund({ payment_intent: bought.intent });
    await tell(lastEvent(shop, "charge.refunded"));
    const failed = shop.stripe.account.failRefund(refund.id);
    await tell(failed);
    await tell(failed);
    expect(await shop.paymentOf(bought.sessionId)).toMatchObject({
      status: "paid",
      refundedCents: 0,
      open: ["refund_failed"],
    });
    expect(await told()).toBe(1);
    expect(await seat(bought)).toBeUndefined();
  });
});

describe("a dispute", () => {
  const disputed = async (status?: string) => {
    const bought = await buy(shop);
    const { id } = shop.stripe.account.dispute(bought.intent, status ? { status } : {});
    await tell(lastEvent(shop, "charge.dispute.created"));
    return { ...bought, disputeId: id };
  };

  test("ends the access and is told to the coach once; won, she is in again as before", async () => {
    const bought = await buy(shop);
    const before = await seat(bought);
    const { id } = shop.stripe.account.dispute(bought.intent);
    const created = lastEvent(shop, "charge.dispute.created");
    shop.clock.forwardDays(1);
    await tell(created);
    await tell({ ...created, id: `${created.id}-again` });
    expect(await seat(bought)).toBeUndefined();
    expect(await formerOf(bought)).toMatchObject([{ reason: "disputed", removedBy: "stripe" }]);
    expect(await shop.paymentOf(bought.sessionId)).toMatchObject({
      status: "disputed",
      open: ["disputed"],
    });
    expect(await told()).toBe(1);
    shop.clock.forwardDays(30);
    await tell(shop.stripe.account.closeDispute(id, "won"));
    expect(await seat(bought)).toEqual(before);
    expect(await formerOf(bought)).toEqual([]);
    expect(await shop.paymentOf(bought.sessionId)).toMatchObject({
      status: "paid",
      endedAt: null,
      open: ["dispute_won"],
    });
    expect(await told()).toBe(2);
    expect(await outboxOf("payments.refunded", bought.buyer)).toEqual([]);
  });

  test("lost, it stays ended", async () => {
    const bought = await disputed();
    const closed = shop.stripe.account.closeDispute(bought.disputeId, "lost");
    await tell(closed);
    await tell({ ...closed, id: `${closed.id}-again` });
    expect(await seat(bought)).toBeUndefined();
    expect(await shop.paymentOf(bought.sessionId)).toMatchObject({
      status: "disputed",
      open: ["dispute_lost"],
    });
    expect(await told()).toBe(2);
  });

  test("the end told before the beginning comes to the same", async () => {
    const bought = await buy(shop);
    const { id } = shop.stripe.account.dispute(bought.intent);
    const created = lastEvent(shop, "charge.dispute.created");
    const closed = shop.stripe.account.closeDispute(id, "won");
    await tell(closed);
    await tell(created);
    expect(await seat(bought)).toBeDefined();
    expect((await shop.paymentOf(bought.sessionId)).status).toBe("paid");
  });

  test("told before the payment itself: nothing opens, the coach is told; won, she can enroll her", async () => {
    const begun = await shop.begin();
    const completed = shop.stripe.account.pay(begun.sessionId);
    const intent = String(shop.stripe.account.session(begun.sessionId).payment_intent);
    const { id: disputeId } = shop.stripe.account.dispute(intent);
    await tell(lastEvent(shop, "charge.dispute.created"));
    await tell(completed);
    expect(await seat(begun)).toBeUndefined();
    const payment = await shop.paymentOf(begun.sessionId);
    expect(payment).toMatchObject({ status: "disputed", open: ["disputed"] });
    await tell(shop.stripe.account.closeDispute(disputeId, "won"));
    const form = { intent: "enroll" };
    await shop.ask(`/admin/payments/${payment.id}`, { as: coach, form });
    expect(await seat(begun)).toMatchObject({ stripePaymentId: intent });
    expect((await shop.paymentOf(begun.sessionId)).open).toEqual([]);
  });

  test("a question of the bank closes nothing, and is off the list when it is closed", async () => {
    const bought = await disputed("warning_needs_response");
    expect(await seat(bought)).toBeDefined();
    expect(await shop.paymentOf(bought.sessionId)).toMatchObject({
      status: "paid",
      open: ["inquiry"],
    });
    await tell(shop.stripe.account.closeDispute(bought.disputeId, "warning_closed"));
    expect((await shop.paymentOf(bought.sessionId)).open).toEqual([]);
    expect(await told()).toBe(1);
  });

  test("won does not bring back whom the coach had removed by hand before", async () => {
    const bought = await buy(shop);
    const { id } = (await seat(bought)) ?? { id: "" };
    await shop.ask(`/admin/enrollments/${id}`, { as: coach, form: {} });
    const { id: disputeId } = shop.stripe.account.dispute(bought.intent);
    await tell(lastEvent(shop, "charge.dispute.created"));
    await tell(shop.stripe.account.closeDispute(disputeId, "won"));
    expect(await seat(bought)).toBeUndefined();
  });

  test("won leaves whom the coach enrolled by hand meanwhile as she is", async () => {
    const bought = await disputed();
    await enroll(shop.services, { userId: bought.buyer.id, productId: bought.course.id });
    const byHand = await seat(bought);
    await tell(shop.stripe.account.closeDispute(bought.disputeId, "won"));
    expect(await seat(bought)).toEqual(byHand);
  });
});

describe("another way in", () => {
  test("a second paid payment takes the enrollment over, and is off the coach's list", async () => {
    const first = await buy(shop);
    const before = await seat(first);
    const second = await payOnceMore(shop, first);
    expect((await shop.paymentOf(second.sessionId)).open).toEqual(["already_enrolled"]);
    expect(await told()).toBe(1);
    await tell(refundAtStripe(first));
    expect(await seat(first)).toEqual({ ...before, stripePaymentId: second.intent });
    expect(await formerOf(first)).toEqual([]);
    expect((await shop.paymentOf(second.sessionId)).open).toEqual([]);
    await tell(refundAtStripe(second));
    expect(await seat(first)).toBeUndefined();
  });

  test("the second one's refund leaves the first in place", async () => {
    const first = await buy(shop);
    const second = await payOnceMore(shop, first);
    await tell(refundAtStripe(second));
    expect(await seat(first)).toMatchObject({ stripePaymentId: first.intent });
    expect(await shop.paymentOf(second.sessionId)).toMatchObject({ status: "refunded" });
    expect((await shop.paymentOf(second.sessionId)).open).toEqual([]);
  });

  test("an enrollment given by hand before is not ended by the refund of a later payment", async () => {
    const begun = await shop.begin();
    await enroll(shop.services, { userId: begun.buyer.id, productId: begun.course.id });
    await tell(shop.stripe.account.pay(begun.sessionId));
    const { id, paymentIntentId } = await shop.paymentOf(begun.sessionId);
    const bought = { ...begun, id, intent: String(paymentIntentId) };
    await tell(refundAtStripe(bought));
    expect(await seat(bought)).toMatchObject({ stripePaymentId: null });
  });

  test("both refunded at once: nothing is left open", async () => {
    const first = await buy(shop);
    const second = await payOnceMore(shop, first);
    const events = [refundAtStripe(first), refundAtStripe(second)];
    await Promise.all(events.map(tell));
    expect(await seat(first)).toBeUndefined();
    expect(await formerOf(first)).toHaveLength(1);
  });

  test("one paid while the other is refunded: she is in", async () => {
    for (let round = 0; round < 5; round++) {
      const first = await buy(shop);
      const event = refundAtStripe(first);
      const [second] = await Promise.all([payOnceMore(shop, first), tell(event)]);
      expect(await seat(first)).toMatchObject({ stripePaymentId: second.intent });
    }
  });

  test("bought again after a refund: in again, with what was done before, and days from today", async () => {
    const first = await buy(shop);
    const lessonId = first.course.modules[0]?.lessons[0]?.id ?? "";
    const answers = [{ question: "How was it?", answer: "Before the refund." }];
    await completeLesson(shop.services, { userId: first.buyer.id, lessonId, answers, drafts: [] });
    await tell(refundAtStripe(first));
    shop.clock.forwardDays(40);
    const again = await buy(shop, first);
    const { createdAt } = (await seat(again)) ?? { createdAt: new Date(0) };
    expect(shop.clock.now().getTime() - createdAt.getTime()).toBeLessThan(60_000);
    const page = await shop.ask(`/courses/${first.course.slug}/learn?lesson=lesson-1-1`, {
      as: first.buyer,
    });
    expect(await page.text()).toContain("Before the refund.");
    await tell({ ...lastEvent(shop, "charge.refunded"), id: "evt_again" });
    expect(await seat(again)).toMatchObject({ stripePaymentId: again.intent });
  });

  test("removed by hand stays removed, however often Stripe tells of the payment", async () => {
    const bought = await buy(shop);
    const { id } = (await seat(bought)) ?? { id: "" };
    await shop.ask(`/admin/enrollments/${id}`, { as: coach, form: {} });
    const completed = lastEvent(shop, "checkout.session.completed");
    await tell({ ...completed, id: `${completed.id}-again` });
    expect(await seat(bought)).toBeUndefined();
    expect((await shop.paymentOf(bought.sessionId)).status).toBe("paid");
  });
});
