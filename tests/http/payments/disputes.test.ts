import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { lockEnrollment, syncPayment } from "~/features/payments/refunds.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { openIssues } from "../../support/payments.ts";
import { createPerson } from "../../support/people.ts";
import { toastOf } from "../../support/responses.ts";
import { type Bought, shopOfFile } from "../../support/stripe/shop.ts";

const shop = shopOfFile();

const issueEmails = () => shop.queued("payments.issue", shop.coach);
/** Whether a transaction waits for a lock on an id. */
const waiting = async (db: Query) => {
  const { rows } = await sql`select 1 from pg_locks
    where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.length > 0;
};
const page = ({ id }: Bought) => shop.read(`/admin/payments/${id}`);
async function endEnrollment(bought: Bought) {
  const { id } = (await shop.enrollmentOf(bought)) ?? {};
  await shop.ask(`/admin/enrollments/${id}`, { as: shop.coach, form: { intent: "remove" } });
  expect(await shop.enrollmentOf(bought)).toBeUndefined();
}
async function disputed(status?: string) {
  const bought = await shop.buy();
  return { ...bought, disputeId: await shop.dispute(bought, status) };
}
/** A payment whose course was deleted before the money came. */
async function paidInVain() {
  const begun = await shop.begin();
  await shop.changeCourse(begun.course.id, { deletedAt: shop.clock.now() });
  return shop.pay(begun);
}
const second = async () => shop.payOnceMore(await shop.buy());
const bought = () => shop.buy();

describe("a dispute", () => {
  test("ends the access and tells the coach once; won, the access is as before", async () => {
    const bought = await shop.buy();
    const [before, emails] = [await shop.enrollmentOf(bought), await issueEmails()];
    const { id } = shop.account.dispute(bought.intent);
    const created = shop.lastEvent("charge.dispute.created");
    shop.clock.forwardDays(1);
    await shop.tell(created);
    await shop.tellAgain(created);
    expect(await shop.enrollmentOf(bought)).toBeUndefined();
    expect(await shop.formerEnrollmentsOf(bought)).toMatchObject([
      { reason: "disputed", removedBy: "stripe" },
    ]);
    expect(await shop.paymentOf(bought)).toMatchObject({ status: "disputed", open: ["disputed"] });
    expect(await issueEmails()).toBe(emails + 1);
    shop.clock.forwardDays(30);
    await shop.closeDispute(id, "won");
    expect(await shop.enrollmentOf(bought)).toEqual(before);
    expect(await shop.formerEnrollmentsOf(bought)).toEqual([]);
    expect(await shop.paymentOf(bought)).toMatchObject({
      ...{ status: "paid", endedAt: null, open: ["dispute_won"] },
    });
    expect(await issueEmails()).toBe(emails + 2);
    expect(await shop.queued("payments.refunded", bought.buyer)).toBe(0);
  });

  test("that is lost leaves the access ended and tells the coach once", async () => {
    const emails = await issueEmails();
    const { disputeId, ...bought } = await disputed();
    const closed = shop.account.closeDispute(disputeId, "lost");
    await shop.tell(closed);
    await shop.tellAgain(closed);
    expect(await shop.enrollmentOf(bought)).toBeUndefined();
    expect(await shop.paymentOf(bought)).toMatchObject({
      ...{ status: "disputed", open: ["dispute_lost"] },
    });
    expect(await issueEmails()).toBe(emails + 2);
  });

  test("whose end is reported before its beginning has the same result", async () => {
    const bought = await shop.buy();
    const { id } = shop.account.dispute(bought.intent);
    const created = shop.lastEvent("charge.dispute.created");
    await shop.closeDispute(id, "won");
    await shop.tell(created);
    expect(await shop.enrollmentOf(bought)).toBeDefined();
    expect((await shop.paymentOf(bought)).status).toBe("paid");
  });

  test("that is only an inquiry ends nothing and is no issue once it is closed", async () => {
    const emails = await issueEmails();
    const { disputeId, ...bought } = await disputed("warning_needs_response");
    expect(await shop.enrollmentOf(bought)).toBeDefined();
    expect(await shop.paymentOf(bought)).toMatchObject({ status: "paid", open: ["inquiry"] });
    expect(await page(bought)).toContain("No money was taken, and nothing was closed by it.");
    await shop.closeDispute(disputeId, "warning_closed");
    expect((await shop.paymentOf(bought)).open).toEqual([]);
    expect(await issueEmails()).toBe(emails + 1);
  });

  test("is marked as done after a question, and is put back until the bank has decided", async () => {
    const { disputeId, ...bought } = await disputed();
    expect(await page(bought)).toContain("Mark as done while the bank decides?");
    const [issue] = await openIssues(shop.services, bought.id);
    const press = (intent: string, of = bought.id) =>
      shop.press({ id: of }, { intent, issue: issue?.id ?? "" });
    const done = await press("resolve");
    const left = `/admin/payments?done=${issue?.id}`;
    expect(done.headers.get("location")).toBe(left);
    for (const path of [left, `/admin/payments/${bought.id}`])
      expect(await shop.read(path)).toContain("Put it back on the list");
    expect(toastOf(await press("reopen", (await shop.buy()).id))?.title).toBe("Not put back");
    expect(toastOf(await press("reopen"))?.title).toBe("Back on the list");
    expect((await shop.paymentOf(bought)).open).toEqual(["disputed"]);
    expect(await shop.read("/admin/audit")).toContain("Put a payment back on the list");
    expect(await shop.read(left)).not.toContain("Put it back on the list");
    await press("resolve");
    await shop.closeDispute(disputeId, "won");
    expect(await page(bought)).not.toContain("Put it back on the list");
    expect(toastOf(await press("reopen"))?.title).toBe("Not put back");
    expect((await shop.paymentOf(bought)).open).toEqual(["dispute_won"]);
  });

  test.runIf(process.env.TEST_DATABASE_URL)(
    "is not put back by a press that waits for the news that settles it",
    async () => {
      const bought = await disputed();
      const { id, buyer, course } = bought;
      const [issue] = await openIssues(shop.services, id);
      const form = { issue: issue?.id ?? "" };
      await shop.press(bought, { intent: "resolve", ...form });
      const { db, clock } = shop.services;
      let answer: Promise<Response> | undefined;
      await db.transaction(async (trx) => {
        await lockEnrollment(db, trx, { userId: buyer.id, productId: course.id });
        let isAnswered = false;
        answer = shop.press(bought, { intent: "reopen", ...form }).finally(() => {
          isAnswered = true;
        });
        await expect
          .poll(async () => isAnswered || (await waiting(db.read)), { timeout: 10_000 })
          .toBe(true);
        const refunded = { status: "refunded", dispute: null, endedAt: clock.now() } as const;
        await trx.updateTable("payments").set(refunded).where("id", "=", id).execute();
      });
      expect(toastOf((await answer) as Response)?.title).toBe("Not put back");
      expect((await shop.paymentOf(bought)).open).toEqual([]);
    },
  );

  test("stops sales to the student until the bank has decided", async () => {
    const { buyer, course, disputeId } = await disputed();
    const json = { productId: course.id };
    const refused = await shop.ask("/api/create-checkout", { as: buyer, json });
    expect(refused.status).toBe(409);
    const { error } = (await refused.json()) as { error: { message: string } };
    expect(error.message).toContain("Your bank is still asking about your earlier payment");
    expect(error.message).toMatch(/write to me at \S+@\S+/);
    await shop.closeDispute(disputeId, "lost");
    expect(await shop.checkout(buyer, course.id)).toMatchObject({ status: 200 });
  });
});

describe("a dispute that is won", () => {
  test("does not bring back whom the coach had removed before", async () => {
    const bought = await shop.buy();
    await endEnrollment(bought);
    await shop.closeDispute(await shop.dispute(bought), "won");
    expect(await shop.enrollmentOf(bought)).toBeUndefined();
  });

  test.each(["leaves as they are", "does not bring back once removed"])(
    "%s whom the coach enrolled manually meanwhile",
    async (what) => {
      const { disputeId, ...bought } = await disputed();
      await enroll(shop.services, { userId: bought.buyer.id, productId: bought.course.id });
      shop.clock.forward(1000);
      if (what.startsWith("does not")) await endEnrollment(bought);
      const before = await shop.enrollmentOf(bought);
      await shop.closeDispute(disputeId, "won");
      expect(await shop.enrollmentOf(bought)).toEqual(before);
    },
  );

  test("brings back a student who had bought again and was refunded", async () => {
    const { disputeId, ...bought } = await disputed();
    const again = await shop.payOnceMore(bought);
    shop.clock.forward(1000);
    await shop.refund(again);
    expect(await shop.enrollmentOf(bought)).toBeUndefined();
    await shop.closeDispute(disputeId, "won");
    expect(await shop.enrollmentOf(bought)).toMatchObject({ stripePaymentId: bought.intent });
  });

  test("after the course was bought again leaves two payments for the coach", async () => {
    const { disputeId, ...bought } = await disputed();
    const again = await shop.payOnceMore(bought);
    await shop.closeDispute(disputeId, "won");
    expect(await shop.enrollmentOf(again)).toMatchObject({ stripePaymentId: again.intent });
    expect(await shop.paymentOf(bought)).toMatchObject({
      ...{ status: "paid", open: ["already_enrolled"] },
    });
  });
});

describe("the open issues of a payment", () => {
  type Payment = Bought & { disputeId?: string; refundId?: string };
  const happenings = {
    dispute: async (payment: Payment) => {
      payment.disputeId = await shop.dispute(payment);
    },
    inquiry: async (payment: Payment) => {
      payment.disputeId = await shop.dispute(payment, "warning_needs_response");
    },
    "inquiry closed": ({ disputeId = "" }: Payment) =>
      shop.closeDispute(disputeId, "warning_closed"),
    "inquiry closed, unheard": async ({ disputeId = "" }: Payment) =>
      void shop.account.closeDispute(disputeId, "warning_closed"),
    "inquiry becomes a dispute": async ({ disputeId = "", intent }: Payment) => {
      const dispute = shop.account.disputes.get(disputeId);
      if (dispute) dispute.status = "needs_response";
      await syncPayment(shop.services, intent);
    },
    won: ({ disputeId = "" }: Payment) => shop.closeDispute(disputeId, "won"),
    lost: ({ disputeId = "" }: Payment) => shop.closeDispute(disputeId, "lost"),
    refund: async (payment: Payment) => {
      // Stripe refunds while a bank only asks.
      shop.account.chargeOf(payment.intent).disputed = false;
      await shop.refund(payment);
    },
    "part refunded": async (payment: Payment) => {
      payment.refundId = await shop.refund(payment, 5000);
    },
    "refund failed": ({ refundId = "" }: Payment) => shop.tell(shop.account.failRefund(refundId)),
    "other payment refunded": async ({ buyer, intent }: Payment) => {
      const all = await shop.paymentsOf(buyer);
      const other = all.find((one) => one.paymentIntentId !== intent)?.paymentIntentId;
      await shop.refund({ intent: String(other) });
    },
    "bought again": async (payment: Payment) => void (await shop.payOnceMore(payment)),
    "restored and enrolled": async (payment: Payment) => {
      await shop.changeCourse(payment.course.id, { deletedAt: null });
      await shop.press(payment, { intent: "enroll" });
      expect(await shop.enrollmentOf(payment)).toMatchObject({ stripePaymentId: payment.intent });
    },
    "course_deleted resolved": (payment: Payment) => shop.resolve(payment, "course_deleted"),
    "inquiry resolved": (payment: Payment) => shop.resolve(payment, "inquiry"),
    "disputed resolved": (payment: Payment) => shop.resolve(payment, "disputed"),
    "refund_failed resolved": (payment: Payment) => shop.resolve(payment, "refund_failed"),
  };
  const short: Record<string, string> = { vain: "course_deleted", twice: "already_enrolled" };

  /** Each step: what happens, and the open issues after it. */
  test.each<[string, () => Promise<Payment>, string]>([
    ["an inquiry", paidInVain, "inquiry: vain, inquiry; inquiry closed: vain"],
    [
      "an inquiry that the coach resolves",
      paidInVain,
      "inquiry: vain, inquiry; inquiry resolved: vain; course_deleted resolved:",
    ],
    [
      "an inquiry that becomes a dispute",
      bought,
      "inquiry: inquiry; inquiry becomes a dispute: disputed; disputed resolved:",
    ],
    [
      "an inquiry about what was resolved before",
      paidInVain,
      "course_deleted resolved:; inquiry: inquiry; inquiry closed:",
    ],
    [
      "an inquiry while the coach enrolls",
      paidInVain,
      "inquiry: vain, inquiry; restored and enrolled: inquiry; inquiry closed:",
    ],
    ["a refund of the disputed payment", paidInVain, "inquiry: vain, inquiry; refund:"],
    [
      "a refund of the other payment",
      second,
      "inquiry: twice, inquiry; other payment refunded: inquiry; inquiry closed:",
    ],
    [
      "a second inquiry after the first was closed",
      bought,
      "inquiry: inquiry; inquiry closed:; inquiry: inquiry",
    ],
    [
      "a second inquiry after the first was resolved, and closed unheard",
      bought,
      "inquiry: inquiry; inquiry resolved:; inquiry closed, unheard:; inquiry: inquiry",
    ],
    [
      "a second payment, disputed and won, then an inquiry",
      second,
      "dispute: twice, disputed; won: twice, dispute_won; inquiry: twice, dispute_won, inquiry",
    ],
    [
      "a dispute won after the other payment was refunded and a third one made",
      second,
      "other payment refunded:; dispute: disputed; bought again: disputed; won: twice",
    ],
    [
      "a refund that fails during a dispute that is lost",
      bought,
      "part refunded:; dispute: disputed; refund failed: disputed, refund_failed; " +
        "lost: refund_failed, dispute_lost",
    ],
    [
      "two refunds that fail, of which the coach has seen one",
      bought,
      "part refunded:; refund failed: refund_failed; part refunded: refund_failed; " +
        "refund failed: refund_failed, refund_failed; refund_failed resolved: refund_failed",
    ],
    ["a dispute after the refund", bought, "refund:; dispute: disputed; won:"],
  ])("are none pushed off by another: %s", async (_, start, steps) => {
    const payment = await start();
    for (const step of steps.split("; ")) {
      const [happening = "", reasons = ""] = step.split(/: ?/);
      const emails = await issueEmails();
      const before = new Set((await openIssues(shop.services, payment.id)).map(({ id }) => id));
      await happenings[happening as keyof typeof happenings](payment);
      const open = await openIssues(shop.services, payment.id);
      const expected = reasons.split(", ").map((reason) => short[reason] ?? reason);
      expect(open.map(({ reason }) => reason).join(), step).toBe(expected.join());
      // Each issue is an email of its own.
      expect(await issueEmails()).toBe(emails + open.filter(({ id }) => !before.has(id)).length);
    }
  });

  test("are one email each to each admin, and wait on the page for the bank", async () => {
    const admin = await createPerson(shop.services, { role: "admin" });
    const payment = await second();
    await shop.dispute(payment);
    const shown = await page(payment);
    expect(shown).toContain("Nothing can be returned or opened while the bank decides");
    const subjects = ["A payment for a course that was open already", "A payment is disputed"];
    for (const subject of subjects) {
      await shop.emailAbout(admin, new RegExp(`^${subject}$`));
      expect(shown).toContain(subject);
    }
    expect(await shop.queued("payments.issue", admin)).toBe(2);
  });
});

describe("GET /admin/payments/{id} of a disputed payment", () => {
  test("says that the course is open where another payment holds it, also when it is lost", async () => {
    const first = await shop.buy();
    await shop.payOnceMore(first);
    const id = await shop.dispute(first);
    const shown = await page(first);
    expect(shown).toContain("The course is open to Ada.");
    expect(shown).not.toContain("closed to");
    await shop.closeDispute(id, "lost");
    const lost = "went back. The course is open to Ada. Progress and journal";
    expect(await page(first)).toContain(lost);
  });

  test("says that the course is not open, and that it is when the dispute is won", async () => {
    const { disputeId, ...bought } = await disputed();
    expect(await page(bought)).toContain("back. The course is not open to Ada.");
    await shop.closeDispute(disputeId, "won");
    expect(await page(bought)).toContain("stays with you. The course is open to Ada.");
  });

  test("says of a failed refund what Stripe shows, after a lost dispute and without an account", async () => {
    const bought = await shop.buy();
    const refundId = await shop.refund(bought, 1000);
    const disputeId = await shop.dispute(bought);
    await shop.tell(shop.account.failRefund(refundId));
    await shop.closeDispute(disputeId, "lost");
    expect(await page(bought)).toContain("Stripe shows whether anything is left to return.");
    const other = await shop.buy();
    await shop.tell(shop.account.failRefund(await shop.refund(other, 1000)));
    await shop.deletePerson(other.buyer);
    const shown = await page(other);
    expect(shown).toContain("A refund to somebody whose account is gone for “A course”");
    expect(shown).toContain("Stripe says why, and shows the email address it was paid with.");
    expect(shown).toContain("The account is gone, so no email is sent about it.");
    expect(shown).not.toContain("Whoever paid is ");
  });
});
