import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { syncPayment } from "~/features/payments/refunds.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { openedJournal } from "../../support/opened-journal.ts";
import { patient } from "../../support/patient.ts";
import { type Bought, shopOfFile } from "../../support/stripe/shop.ts";

const shop = shopOfFile();

const refundEmails = ({ buyer }: Bought) => shop.queued("payments.refunded", buyer);
const isEnrolled = async (bought: Bought) => (await shop.enrollmentOf(bought)) !== undefined;
/** Refunds a payment of which the site has not heard yet. */
function refundUnheard({ intent }: { intent: string }) {
  shop.account.refund({ payment_intent: intent });
  return shop.lastEvent("charge.refunded");
}
const writeJournal = ({ buyer, course }: Bought, answer: string) =>
  completeLesson(shop.services, {
    userId: buyer.id,
    lessonId: course.modules[0]?.lessons[0]?.id ?? "",
    answers: [{ question: "How was it?", answer }],
    drafts: [],
  });

describe("a refund made at Stripe", () => {
  test("in full ends the access once, however often it is sent; what was written stays", async () => {
    const bought = await shop.buy();
    const before = await shop.enrollmentOf(bought);
    await writeJournal(bought, "Words of the journal.");
    const charge = refundUnheard(bought);
    const refund = { ...shop.lastEvent("refund.created"), type: "refund.updated" };
    for (let round = 0; round < 3; round += 1)
      await Promise.all([charge, refund as typeof charge, charge].map(shop.tell));
    expect(await shop.enrollmentOf(bought)).toBeUndefined();
    expect(await shop.formerEnrollmentsOf(bought)).toMatchObject([
      { ...before, removedBy: "stripe", reason: "refunded", stripePaymentId: bought.intent },
    ]);
    expect(await shop.paymentOf(bought)).toMatchObject({
      ...{ status: "refunded", refundedCents: 19700, open: [] },
    });
    const [entry] = await openedJournal(shop.services, bought.buyer.id);
    expect(entry?.journalAnswer).toContain("Words of the journal.");
    const player = await shop.ask(`/courses/${bought.course.slug}/learn`, { as: bought.buyer });
    expect(player.status).toBe(303);
    expect(await refundEmails(bought)).toBe(1);
  });

  test("in part leaves the access and sends one email; the rest ends it", async () => {
    const bought = await shop.buy();
    await shop.refund(bought, 5000);
    await Promise.all([1, 2, 3].map(() => shop.tellAgain(shop.lastEvent("charge.refunded"))));
    expect(await isEnrolled(bought)).toBe(true);
    expect(await shop.paymentOf(bought)).toMatchObject({
      ...{ status: "paid", refundedCents: 5000, endedAt: null, open: [] },
    });
    const first = await shop.emailAbout(bought.buyer, /^Your refund/, "$50.00");
    expect(first.text).toContain("I have refunded $50.00 of your payment of $197.00");
    expect(first.text).toContain("Your access to the course stays as it is.");
    await shop.refund(bought);
    expect(await isEnrolled(bought)).toBe(false);
    expect((await shop.paymentOf(bought)).refundedCents).toBe(19700);
    const last = await shop.emailAbout(bought.buyer, /^Your refund/, "$147.00");
    expect(last.text).toContain("With that, all of it has gone back.");
    expect(await refundEmails(bought)).toBe(2);
  });

  test("of a payment that had opened nothing says so in its email", async () => {
    const begun = await shop.begin();
    await shop.changeCourse(begun.course.id, { deletedAt: shop.clock.now() });
    await shop.refund(await shop.pay(begun));
    const { text } = await shop.emailAbout(begun.buyer, /^Your refund/);
    expect(text).toContain("The course had not opened with this payment.");
    expect(text).not.toContain("closed to you");
  });

  test("is over when the course is bought again, from that day and with what was written", async () => {
    const first = await shop.buy();
    await writeJournal(first, "Before the refund.");
    await shop.refund(first);
    shop.clock.forwardDays(40);
    const again = await shop.buy(first);
    const age = async () =>
      shop.clock.now().getTime() - ((await shop.enrollmentOf(again))?.createdAt.getTime() ?? 0);
    expect(await age()).toBeLessThan(60_000);
    const lesson = `/courses/${first.course.slug}/learn?lesson=lesson-1-1`;
    expect(await shop.read(lesson, first.buyer)).toContain("Before the refund.");
    await shop.tellAgain(shop.lastEvent("charge.refunded"));
    expect(await shop.enrollmentOf(again)).toMatchObject({ stripePaymentId: again.intent });
  });
});

describe("a refund that fails", () => {
  test.each([
    ["failed", { status: "failed", isCounted: false, isSeen: true }],
    ["failed, still counted by the charge", { status: "failed", isCounted: true, isSeen: true }],
    ["was canceled", { status: "canceled", isCounted: false, isSeen: true }],
    ["failed, never seen on its way", { status: "failed", isCounted: false, isSeen: false }],
  ] as const)("raises an issue each time, once, and opens nothing: %s", async (_, how) => {
    shop.account.countsFailedRefunds = how.isCounted;
    const bought = await shop.buy();
    for (const cents of [19700, 19700, 5000, 5000]) {
      const before = await shop.queued("payments.issue", shop.coach);
      const refund = { payment_intent: bought.intent, amount: String(cents) };
      const { id } = shop.account.refund(refund);
      if (how.isSeen) await shop.tell("charge.refunded");
      const failed = shop.account.failRefund(id, how.status);
      await shop.tell(failed);
      await shop.tellAgain(failed);
      expect(await shop.paymentOf(bought)).toMatchObject({
        ...{ status: "paid", refundedCents: 0, open: ["refund_failed"], endedAt: null },
      });
      expect(await shop.queued("payments.issue", shop.coach)).toBe(before + 1);
      await shop.resolve(bought, "refund_failed");
    }
    expect(await isEnrolled(bought)).toBe(!how.isSeen);
  });
});

describe("an older answer of Stripe's that is saved last", () => {
  /** Begins a sync whose answers are held back as they were then. */
  async function heldBack({ intent }: Bought) {
    const { faults } = shop.stripe;
    faults.plan("hang-after", { times: 3, path: /payment_intents|GET .*(refunds|disputes)$/ });
    const synced = syncPayment(shop.services, intent);
    await vi.waitFor(() => expect(faults.hanging).toBe(3), patient);
    faults.forget();
    return async () => {
      faults.release();
      expect(await synced).toBe(true);
    };
  }

  test.each(["refunded, which has failed since", "disputed, which was won since"])(
    "ends nothing: %s",
    async (what) => {
      const bought = await shop.buy();
      const isRefund = what.startsWith("refunded");
      const { id } = isRefund
        ? shop.account.refund({ payment_intent: bought.intent })
        : shop.account.dispute(bought.intent);
      const release = await heldBack(bought);
      if (isRefund) await shop.tell(shop.account.failRefund(id));
      else await shop.closeDispute(id, "won");
      await release();
      expect(await shop.enrollmentOf(bought)).toMatchObject({ stripePaymentId: bought.intent });
      const open = isRefund ? ["refund_failed"] : [];
      expect(await shop.paymentOf(bought)).toMatchObject({ status: "paid", open });
    },
  );
});

describe("an enrollment with two payments", () => {
  test("is taken over by the second when the first is refunded", async () => {
    const first = await shop.buy();
    const before = await shop.enrollmentOf(first);
    const second = await shop.payOnceMore(first);
    expect((await shop.paymentOf(second)).open).toEqual(["already_enrolled"]);
    const already = "The course was open to you already.";
    const { text } = await shop.emailAbout(first.buyer, /^Your receipt/, already);
    expect(text).not.toContain("Go to the lessons");
    await shop.refund(first);
    expect(await shop.enrollmentOf(first)).toEqual({ ...before, stripePaymentId: second.intent });
    expect(await shop.formerEnrollmentsOf(first)).toEqual([]);
    expect((await shop.paymentOf(second)).open).toEqual([]);
    await shop.refund(second);
    expect(await isEnrolled(first)).toBe(false);
  });

  test("stays with the first when the second is refunded", async () => {
    const first = await shop.buy();
    const second = await shop.payOnceMore(first);
    await shop.refund(second);
    expect(await shop.enrollmentOf(first)).toMatchObject({ stripePaymentId: first.intent });
    expect(await shop.paymentOf(second)).toMatchObject({ status: "refunded", open: [] });
  });

  test("ends when both are refunded at once", async () => {
    const first = await shop.buy();
    const second = await shop.payOnceMore(first);
    await Promise.all([refundUnheard(first), refundUnheard(second)].map(shop.tell));
    expect(await shop.formerEnrollmentsOf(first)).toHaveLength(1);
    expect(await isEnrolled(first)).toBe(false);
  });

  test("stays when one is paid while the other is refunded", async () => {
    for (let round = 0; round < 5; round++) {
      const first = await shop.buy();
      const event = refundUnheard(first);
      const [second] = await Promise.all([shop.payOnceMore(first), shop.tell(event)]);
      expect(await shop.enrollmentOf(first)).toMatchObject({ stripePaymentId: second.intent });
    }
  });

  // SQLite has one writer: two transactions are never open at once there.
  test.skipIf(!process.env.TEST_DATABASE_URL)(
    "stays when the first is refunded before the booking of the second is saved",
    async () => {
      const { db } = shop.services;
      /** How many connections to this database wait for a lock. */
      const waiting = async () => {
        const { rows } = await sql<{ n: string }>`select count(*) as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db.read);
        return Number(rows[0]?.n);
      };
      const first = await shop.buy();
      const { buyer, course } = first;
      const [id, now] = [newId(), shop.clock.now()];
      const sessionId = shop.createSession(first, id);
      await db.write
        .insertInto("payments")
        .values({
          ...{ id, userId: buyer.id, productId: course.id, checkoutSessionId: sessionId },
          ...{ status: "started", amountCents: 19700, currency: "usd" },
          ...{ createdAt: now, updatedAt: now },
        })
        .execute();
      const held = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      const holding = db.transaction(async (trx) => {
        const row = trx.selectFrom("payments").select("id").where("id", "=", id).forUpdate();
        await row.executeTakeFirstOrThrow();
        held.resolve();
        await release.promise;
      });
      await held.promise;
      // It has seen the enrollment by the first payment, and stops before saving so.
      const booked = shop.tell(shop.account.pay(sessionId));
      await vi.waitFor(async () => expect(await waiting()).toBe(1), patient);
      let isDone = false;
      const refunded = shop.tell(refundUnheard(first)).finally(() => {
        isDone = true;
      });
      await vi.waitFor(async () => expect(isDone || (await waiting()) > 1).toBe(true), patient);
      release.resolve();
      await Promise.all([holding, booked, refunded]);
      const { paymentIntentId } = await shop.paymentOf({ sessionId });
      expect(await shop.enrollmentOf(first)).toMatchObject({ stripePaymentId: paymentIntentId });
    },
  );
});

test("an enrollment made manually before is not ended by the refund of a later payment", async () => {
  const begun = await shop.begin();
  await enroll(shop.services, { userId: begun.buyer.id, productId: begun.course.id });
  await shop.refund(await shop.pay(begun));
  expect(await shop.enrollmentOf(begun)).toMatchObject({ stripePaymentId: null });
});

test("an enrollment that the coach ended stays ended, however often Stripe tells of the payment", async () => {
  const bought = await shop.buy();
  const { id } = (await shop.enrollmentOf(bought)) ?? {};
  await shop.ask(`/admin/enrollments/${id}`, { as: shop.coach, form: { intent: "remove" } });
  await shop.tellAgain(shop.lastEvent("checkout.session.completed"));
  expect(await isEnrolled(bought)).toBe(false);
  expect((await shop.paymentOf(bought)).status).toBe("paid");
});
