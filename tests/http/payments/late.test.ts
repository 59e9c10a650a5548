import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { lettersTo } from "../../support/mailbox.ts";
import { patient } from "../../support/patient.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { lastEvent } from "../../support/stripe/bought.ts";
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

/** The letters that the coach was sent about a payment for this course. */
const toldOf = (title: string) =>
  lettersTo(shop.services.config, coach.email).filter(({ text }) => text.includes(title));

/** Somebody pays and her bank asks or takes it back, before the site hears of either. */
async function unheard(status: string) {
  const { buyer, course, sessionId } = await shop.begin();
  const title = `A course of ${sessionId.slice(-8)}`;
  await shop.services.db.write
    .updateTable("products")
    .set({ title })
    .where("id", "=", course.id)
    .execute();
  const completed = account().pay(sessionId);
  const intent = String(account().session(sessionId).payment_intent);
  const { id: disputeId } = account().dispute(intent, { status });
  const created = lastEvent(shop, "charge.dispute.created");
  return { buyer, course, title, sessionId, completed, intent, disputeId, created };
}

describe("a payment that is heard of late is booked by what is true of it then", () => {
  test.each(["won", "warning_closed"] as const)(
    "a dispute that ended as %s: the course opens, and the coach is not bothered",
    async (end) => {
      const late = await unheard(end === "won" ? "needs_response" : "warning_needs_response");
      const closed = account().closeDispute(late.disputeId, end);
      await tell(late.completed);
      const booked = { status: "paid", endedAt: null, open: [] };
      expect(await shop.paymentOf(late.sessionId)).toMatchObject(booked);
      expect(await shop.enrollmentsOf(late.buyer)).toEqual([
        { productId: late.course.id, stripePaymentId: late.intent },
      ]);
      expect(await shop.receiptsOf(late.buyer)).toHaveLength(1);
      await tell(late.created);
      await tell(closed);
      expect(await shop.paymentOf(late.sessionId)).toMatchObject(booked);
    },
  );

  test("a bank that only asks has taken nothing: the course opens, and the coach is told so", async () => {
    const late = await unheard("warning_needs_response");
    await tell(late.completed);
    expect(await shop.enrollmentsOf(late.buyer)).toHaveLength(1);
    await vi.waitFor(
      () =>
        expect(shop.receiptLettersTo(late.buyer)).toEqual([
          expect.objectContaining({ text: expect.stringContaining("/learn") }),
        ]),
      patient,
    );
    await tell(late.created);
    expect(await shop.paymentOf(late.sessionId)).toMatchObject({
      status: "paid",
      open: ["inquiry"],
    });
    const [letter] = await vi.waitFor(() => {
      expect(toldOf(late.title)).toHaveLength(1);
      return toldOf(late.title);
    }, patient);
    expect(letter?.text.replace(/\s+/g, " ")).toContain(
      "No money was taken, and nothing was closed by it.",
    );
  });

  test("a dispute that is open: nothing opens; won, the coach reads that it is not open, and opens it", async () => {
    const late = await unheard("needs_response");
    await tell(late.completed);
    expect(await shop.enrollmentsOf(late.buyer)).toEqual([]);
    expect(await shop.receiptsOf(late.buyer)).toEqual([]);
    expect(await shop.paymentOf(late.sessionId)).toMatchObject({
      status: "disputed",
      open: ["disputed"],
    });
    await tell(late.created);
    await vi.waitFor(() => expect(toldOf(late.title)).toHaveLength(1), patient);
    await tell(account().closeDispute(late.disputeId, "won"));
    const letter = await vi.waitFor(() => {
      const found = toldOf(late.title).find(({ subject }) => subject.includes("decided for you"));
      if (!found) throw new Error("she was not told yet");
      return found.text.replace(/\s+/g, " ");
    }, patient);
    expect(letter).toContain(`is not open to Ada`);
    expect(letter).not.toContain("open to Ada again");
    // The money is here after all: she has its receipt, once.
    expect(await shop.receiptsOf(late.buyer)).toHaveLength(1);
    const [receipt] = await vi.waitFor(
      () => {
        expect(shop.receiptLettersTo(late.buyer)).toHaveLength(1);
        return shop.receiptLettersTo(late.buyer);
      },
      { timeout: 25_000, interval: 20 },
    );
    expect(receipt?.text).toContain("has not opened by itself");
    await tell({ ...late.created, id: `${late.created.id}-again` });
    expect(await shop.receiptsOf(late.buyer)).toHaveLength(1);
    const { id } = await shop.paymentOf(late.sessionId);
    await shop.ask(`/admin/payments/${id}`, { as: coach, form: { intent: "enroll" } });
    expect(await shop.enrollmentsOf(late.buyer)).toEqual([
      { productId: late.course.id, stripePaymentId: late.intent },
    ]);
    expect(await shop.paymentOf(late.sessionId)).toMatchObject({ open: [] });
  });

  test("given back before anybody looked, and that did not arrive: she has her receipt then", async () => {
    const { buyer, sessionId } = await shop.begin();
    const completed = account().pay(sessionId);
    const intent = String(account().session(sessionId).payment_intent);
    const { id } = account().refund({ payment_intent: intent });
    await tell(completed);
    expect(await shop.receiptsOf(buyer)).toEqual([]);
    await tell(account().failRefund(id));
    expect(await shop.paymentOf(sessionId)).toMatchObject({
      ...{ status: "paid", open: ["refund_failed"] },
    });
    expect(await shop.receiptsOf(buyer)).toHaveLength(1);
  });

  test("a dispute that was lost: nothing opens, and the coach is told how it ended", async () => {
    const late = await unheard("needs_response");
    account().closeDispute(late.disputeId, "lost");
    await tell(late.completed);
    expect(await shop.enrollmentsOf(late.buyer)).toEqual([]);
    expect(await shop.paymentOf(late.sessionId)).toMatchObject({
      status: "disputed",
      open: ["dispute_lost"],
    });
  });

  test("Stripe cannot be asked what became of the dispute: nothing is booked, and it comes again", async () => {
    const late = await unheard("warning_needs_response");
    shop.stripe.faults.plan("reset", { times: Number.POSITIVE_INFINITY, path: /disputes/ });
    expect((await shop.tell(late.completed)).status).toBe(500);
    expect((await shop.paymentOf(late.sessionId)).status).toBe("started");
    shop.stripe.faults.forget();
    await tell(late.completed);
    expect(await shop.enrollmentsOf(late.buyer)).toHaveLength(1);
  });
});

describe("a slow payment that fails", () => {
  const lettersOf = ({ email }: Person) =>
    lettersTo(shop.services.config, email).filter(({ subject }) =>
      subject.includes("did not go through"),
    );

  test("is told to whoever waits for it, once, with the way to try again", async () => {
    const { buyer, course, sessionId } = await shop.begin();
    await tell(account().pay(sessionId, { slowly: true }));
    const failed = account().settle(sessionId, false);
    await Promise.all(Array.from({ length: 5 }, () => tell(failed)));
    expect((await shop.paymentOf(sessionId)).status).toBe("failed");
    const [letter] = await vi.waitFor(() => {
      expect(lettersOf(buyer)).toHaveLength(1);
      return lettersOf(buyer);
    }, patient);
    expect(letter?.subject).toBe("Your payment for “A course” did not go through");
    expect(letter?.text).toContain("Hello Ada,");
    expect(letter?.text).toContain("nothing was taken");
    expect(letter?.text).toContain(`/courses/${course.slug}`);
    const rows = await shop.services.db.write
      .selectFrom("outbox")
      .select("id")
      .where("kind", "=", "payments.failed")
      .where("userId", "=", buyer.id)
      .execute();
    expect(rows).toHaveLength(1);
  });

  test("says nothing to whoever only let a checkout run out", async () => {
    const { buyer, sessionId } = await shop.begin();
    account().expire(sessionId);
    await tell(lastEvent(shop, "checkout.session.expired"));
    expect((await shop.paymentOf(sessionId)).status).toBe("expired");
    const rows = await shop.services.db.write
      .selectFrom("outbox")
      .select("kind")
      .where("userId", "=", buyer.id)
      .execute();
    expect(rows).toEqual([]);
  });
});
