import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { syncPayment } from "~/features/payments/refunds.server.ts";
import { readable } from "../../support/answers.ts";
import { lettersTo, letterTo } from "../../support/mailbox.ts";
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
afterEach(() => {
  shop.stripe.faults.release();
  shop.stripe.faults.forget();
  shop.stripe.account.countsFailedRefunds = false;
});
afterAll(() => shop.close());

const account = () => shop.stripe.account;
const write = () => shop.services.db.write;
const tell = async (event: Parameters<Shop["tell"]>[0]) =>
  expect((await shop.tell(event)).status).toBe(200);
const paymentOf = ({ sessionId }: Pick<Bought, "sessionId">) => shop.paymentOf(sessionId);
const seat = ({ buyer }: Pick<Bought, "buyer">) =>
  write().selectFrom("enrollments").selectAll().where("userId", "=", buyer.id).executeTakeFirst();
const letters = () =>
  write().selectFrom("outbox").select("id").where("kind", "=", "payments.attention").execute();
/** The coach marks the oldest entry of this reason as done. */
async function mark({ id }: { id: string }, reason: string) {
  const open = await openIssues(shop.services, id);
  const matter = open.find((one) => one.reason === reason)?.id ?? "";
  await shop.ask(`/admin/payments/${id}`, { as: coach, form: { intent: "attend", matter } });
}
const desk = async () => readable(await (await shop.ask("/admin/payments", { as: coach })).text());
const refundTold = async ({ intent }: Bought, amount?: number) => {
  const part = amount ? { amount: String(amount) } : {};
  const refund = account().refund({ payment_intent: intent, ...part });
  await tell(lastEvent(shop, "charge.refunded"));
  return refund;
};
const setDeleted = (productId: string, deletedAt: Date | null) =>
  write().updateTable("products").set({ deletedAt }).where("id", "=", productId).execute();

/** A payment whose course was deleted before the money came. */
async function paidInVain() {
  const begun = await shop.begin();
  await setDeleted(begun.course.id, shop.clock.now());
  await tell(account().pay(begun.sessionId));
  const { id, paymentIntentId } = await paymentOf(begun);
  return { ...begun, id, intent: String(paymentIntentId) };
}

describe("a refund that does not arrive", () => {
  test.each([
    ["fails", "failed", false],
    ["fails, while the charge still counts it", "failed", true],
    ["is called off", "canceled", false],
  ] as const)("%s: told each time that it happens, once", async (_, status, counts) => {
    account().countsFailedRefunds = counts;
    const bought = await buy(shop);
    for (const [cents, round] of [
      [19700, 1],
      [19700, 2],
      [5000, 3],
      [5000, 4],
    ] as const) {
      const before = (await letters()).length;
      const { id } = await refundTold(bought, cents);
      const failed = account().failRefund(id, status);
      await tell(failed);
      await tell({ ...failed, id: `${failed.id}-again` });
      expect(await paymentOf(bought), `round ${round}`).toMatchObject({
        ...{ status: "paid", refundedCents: 0 },
        ...{ open: ["refund_failed"], endedAt: null },
      });
      expect((await letters()).length, `round ${round}`).toBe(before + 1);
      await mark(bought, "refund_failed");
    }
  });

  test("and was never seen on its way is told as well", async () => {
    const bought = await buy(shop);
    for (const round of [1, 2]) {
      const { id } = account().refund({ payment_intent: bought.intent });
      await tell(account().failRefund(id));
      expect(await paymentOf(bought), `round ${round}`).toMatchObject({
        ...{ status: "paid", open: ["refund_failed"] },
      });
      await mark(bought, "refund_failed");
    }
  });
});

describe("what is not finished is not forgotten over something newer", () => {
  test("a bank asks about a payment whose course was deleted: both are on the list", async () => {
    const bought = await paidInVain();
    const { id } = account().dispute(bought.intent, { status: "warning_needs_response" });
    await tell(lastEvent(shop, "charge.dispute.created"));
    const both = await desk();
    expect(both).toContain("A bank asks about a payment");
    expect(both).toContain("A payment for a course that was deleted");
    // Whoever comes back to her page of thanks is not told that the money is still on its way.
    const path = `/enrollment-success?session_id=${bought.sessionId}`;
    const thanks = readable(await (await shop.ask(path, { as: bought.buyer })).text());
    expect(thanks).not.toContain("on its way");
    await tell(account().closeDispute(id, "warning_closed"));
    expect(await paymentOf(bought)).toMatchObject({
      ...{ open: ["course_deleted"] },
    });
    const shown = await desk();
    expect(shown).toContain("A payment for a course that was deleted");
    expect(shown).not.toContain("A bank asks about a payment");
  });

  test("the same where the coach marks the question as done herself", async () => {
    const bought = await paidInVain();
    account().dispute(bought.intent, { status: "warning_needs_response" });
    await tell(lastEvent(shop, "charge.dispute.created"));
    await mark(bought, "inquiry");
    expect(await paymentOf(bought)).toMatchObject({
      ...{ open: ["course_deleted"] },
    });
    await mark(bought, "course_deleted");
    expect((await paymentOf(bought)).open).toEqual([]);
  });

  test("a bank that asked, and then takes the money, asks no more", async () => {
    const bought = await buy(shop);
    const dispute = account().dispute(bought.intent, { status: "warning_needs_response" });
    await tell(lastEvent(shop, "charge.dispute.created"));
    expect(await paymentOf(bought)).toMatchObject({ open: ["inquiry"] });
    dispute.status = "needs_response";
    await syncPayment(shop.services, bought.intent);
    expect(await paymentOf(bought)).toMatchObject({ open: ["disputed"] });
    await mark(bought, "disputed");
    expect((await paymentOf(bought)).open).toEqual([]);
  });

  test("what she had marked as done before does not come back", async () => {
    const bought = await paidInVain();
    await mark(bought, "course_deleted");
    const { id } = account().dispute(bought.intent, { status: "warning_needs_response" });
    await tell(lastEvent(shop, "charge.dispute.created"));
    await tell(account().closeDispute(id, "warning_closed"));
    expect((await paymentOf(bought)).open).toEqual([]);
  });

  test("enrolling her leaves what the bank asks on the list", async () => {
    const bought = await paidInVain();
    const { id } = account().dispute(bought.intent, { status: "warning_needs_response" });
    await tell(lastEvent(shop, "charge.dispute.created"));
    await setDeleted(bought.course.id, null);
    await shop.ask(`/admin/payments/${bought.id}`, { as: coach, form: { intent: "enroll" } });
    expect(await seat(bought)).toMatchObject({ stripePaymentId: bought.intent });
    expect(await paymentOf(bought)).toMatchObject({ open: ["inquiry"] });
    await tell(account().closeDispute(id, "warning_closed"));
    expect((await paymentOf(bought)).open).toEqual([]);
  });

  test("refunding the payment is dealing with all of it", async () => {
    const bought = await paidInVain();
    account().dispute(bought.intent, { status: "warning_needs_response" });
    await tell(lastEvent(shop, "charge.dispute.created"));
    account().chargeOf(bought.intent).disputed = false;
    await refundTold(bought);
    expect(await paymentOf(bought)).toMatchObject({ status: "refunded" });
    expect((await paymentOf(bought)).open).toEqual([]);
  });

  test("the first payment refunded: the question about the second one stays", async () => {
    const first = await buy(shop);
    const second = await payOnceMore(shop, first);
    const { id } = account().dispute(second.intent, { status: "warning_needs_response" });
    await tell(lastEvent(shop, "charge.dispute.created"));
    await refundTold(first);
    expect(await paymentOf(second)).toMatchObject({
      ...{ open: ["inquiry"] },
    });
    await tell(account().closeDispute(id, "warning_closed"));
    expect((await paymentOf(second)).open).toEqual([]);
  });

  test("the letter about it goes out, though something newer was quicker", async () => {
    const { email } = await createPerson(shop.services, { role: "admin" });
    const bought = await paidInVain();
    account().dispute(bought.intent, { status: "warning_needs_response" });
    await tell(lastEvent(shop, "charge.dispute.created"));
    const subjects = () => lettersTo(shop.services.config, email).map(({ subject }) => subject);
    await vi.waitFor(
      () =>
        expect(subjects()).toEqual(
          expect.arrayContaining([
            "A payment for a course that was deleted",
            "A bank asks about a payment",
          ]),
        ),
      { timeout: 25_000, interval: 20 },
    );
  });
});

describe("an older answer of Stripe's", () => {
  /** Begins a settle whose answer is held back, as it was when it asked. */
  async function heldBack({ intent }: Bought) {
    const { faults } = shop.stripe;
    const hanging = faults.hanging;
    faults.plan("hang-after", { times: 3, path: /payment_intents|GET .*(refunds|disputes)$/ });
    const settled = syncPayment(shop.services, intent);
    await vi.waitFor(() => expect(faults.hanging).toBe(hanging + 3), { timeout: 10_000 });
    faults.forget();
    return async () => {
      faults.release();
      expect(await settled).toBe(true);
    };
  }

  test("all refunded, which has failed since: ends nothing and writes to nobody", async () => {
    const bought = await buy(shop);
    const { id } = account().refund({ payment_intent: bought.intent });
    const release = await heldBack(bought);
    await tell(account().failRefund(id));
    await release();
    expect(await seat(bought)).toMatchObject({ stripePaymentId: bought.intent });
    expect(await paymentOf(bought)).toMatchObject({
      ...{ status: "paid", open: ["refund_failed"] },
    });
  });

  test("disputed, which is won since: ends nothing", async () => {
    const bought = await buy(shop);
    const { id } = account().dispute(bought.intent);
    const release = await heldBack(bought);
    await tell(account().closeDispute(id, "won"));
    await release();
    expect(await seat(bought)).toMatchObject({ stripePaymentId: bought.intent });
    expect(await paymentOf(bought)).toMatchObject({ status: "paid", open: [] });
  });
});

describe("a dispute that is won", () => {
  const disputed = async () => {
    const bought = await buy(shop);
    const { id } = account().dispute(bought.intent);
    await tell(lastEvent(shop, "charge.dispute.created"));
    return { ...bought, disputeId: id };
  };

  test("does not bring back whom the coach enrolled and removed by hand since", async () => {
    const bought = await disputed();
    await enroll(shop.services, { userId: bought.buyer.id, productId: bought.course.id });
    const { id } = (await seat(bought)) ?? { id: "" };
    shop.clock.forward(1000);
    await shop.ask(`/admin/enrollments/${id}`, { as: coach, form: {} });
    expect(await seat(bought)).toBeUndefined();
    await tell(account().closeDispute(bought.disputeId, "won"));
    expect(await seat(bought)).toBeUndefined();
  });

  test("brings her back where she had bought once more since, and that was refunded", async () => {
    const bought = await disputed();
    const again = await payOnceMore(shop, bought);
    shop.clock.forward(1000);
    await refundTold(again);
    expect(await seat(bought)).toBeUndefined();
    await tell(account().closeDispute(bought.disputeId, "won"));
    expect(await seat(bought)).toMatchObject({ stripePaymentId: bought.intent });
  });
});

describe("a letter says what is true of the course", () => {
  const letterAbout = async ({ buyer }: Pick<Bought, "buyer">, subject: RegExp) => {
    const of = () =>
      lettersTo(shop.services.config, buyer.email).filter((one) => subject.test(one.subject));
    await vi.waitFor(() => expect(of()).not.toEqual([]), { timeout: 20_000, interval: 20 });
    return readable(of().at(-1)?.text ?? "");
  };

  test("nothing had opened: the refund closes nothing", async () => {
    const bought = await paidInVain();
    await refundTold(bought);
    const text = await letterAbout(bought, /^Your refund/);
    expect(text).toContain("The course had not opened with this payment.");
    expect(text).not.toContain("closed to you");
  });

  test("it was open already: the receipt says so, and leads nowhere", async () => {
    const first = await buy(shop);
    await letterTo(shop.services.config, first.buyer.email, 2);
    const before = lettersTo(shop.services.config, first.buyer.email).length;
    await payOnceMore(shop, first);
    const last = await letterTo(shop.services.config, first.buyer.email, before + 1);
    expect(readable(last.text)).toContain("The course was open to you already.");
    expect(last.text).not.toContain("Go to the lessons");
  });
});
