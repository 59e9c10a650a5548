import { describe, expect, test } from "vitest";
import {
  cancelDeletion,
  deleteAccounts,
  scheduleDeletion,
} from "~/features/accounts/deletion.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { dateInWords } from "~/platform/time/words.ts";
import type { Person } from "../../support/people.ts";
import { shopOfFile } from "../../support/stripe/shop.ts";

const shop = shopOfFile();

const receipts = (buyer: Person) => shop.queued("payments.receipt", buyer);
const receipt = (buyer: Person) => shop.emailAbout(buyer, /^Your receipt/);
const paymentRow = (sessionId: string) =>
  shop.services.db.write.updateTable("payments").where("checkoutSessionId", "=", sessionId);

describe("a payment that cannot open its course becomes a payment issue", () => {
  test("when the course was deleted, which is not sold again after being restored", async () => {
    const begun = await shop.begin();
    const { buyer, course } = begun;
    await shop.changeCourse(course.id, { deletedAt: shop.clock.now() });
    const { intent } = await shop.pay(begun);
    expect(await shop.enrollmentOf(begun)).toBeUndefined();
    expect(await shop.paymentOf(begun)).toMatchObject({
      ...{ status: "paid", open: ["course_deleted"], paymentIntentId: intent },
    });
    const { text } = await receipt(buyer);
    expect(text).toContain("has not opened by itself");
    expect(text).not.toContain("/learn");
    expect(await shop.checkout(buyer, course.id)).toMatchObject({ status: 404 });
    await shop.changeCourse(course.id, { deletedAt: null });
    expect(await shop.checkout(buyer, course.id)).toMatchObject({ status: 409 });
  });

  test("when the account was deleted", async () => {
    const begun = await shop.begin();
    await shop.deletePerson(begun.buyer);
    await shop.pay(begun);
    expect(await shop.paymentOf(begun)).toMatchObject({
      ...{ status: "paid", userId: null, open: ["account_deleted"] },
    });
    expect(await receipts(begun.buyer)).toBe(0);
  });

  test("when the student was enrolled manually", async () => {
    const begun = await shop.begin();
    await enroll(shop.services, { userId: begun.buyer.id, productId: begun.course.id });
    await shop.pay(begun);
    expect(await shop.paymentOf(begun)).toMatchObject({ open: ["already_enrolled"] });
    expect(await shop.enrollmentOf(begun)).toMatchObject({ stripePaymentId: null });
    expect(await receipts(begun.buyer)).toBe(1);
  });

  test("when it is the second one for the course, whichever is heard of first", async () => {
    const one = await shop.begin();
    const other = { ...one, sessionId: shop.createSession(one) };
    const event = shop.account.pay(one.sessionId);
    const { intent } = await shop.pay(other);
    await shop.tell(event);
    expect(await shop.enrollmentOf(one)).toMatchObject({ stripePaymentId: intent });
    expect((await shop.paymentOf(one)).open).toEqual(["already_enrolled"]);
    expect((await shop.paymentOf(other)).open).toEqual([]);
    expect(await receipts(one.buyer)).toBe(2);
  });

  test.each([
    ["amount", { amount_total: 1 }, "$0.01"],
    ["currency", { currency: "eur" }, "€197.00"],
  ])("when Stripe names another %s, which is shown as it is", async (_, change, money) => {
    const begun = await shop.begin();
    const { buyer, course, sessionId } = begun;
    Object.assign(shop.account.session(sessionId), change);
    const { id } = await shop.pay(begun);
    expect(await shop.enrollmentOf(begun)).toBeUndefined();
    expect(await shop.paymentOf(begun)).toMatchObject({
      ...{ status: "paid", open: ["amount_differs"] },
    });
    expect(await shop.checkout(buyer, course.id)).toMatchObject({ status: 409 });
    for (const path of ["/admin/payments", `/admin/payments/${id}`])
      expect(await shop.read(path)).toContain(
        `The payment of ${buyer.name} for “A course” was ${money}.`,
      );
    expect((await receipt(buyer)).text).toContain(`Paid: ${money}, once`);
  });
});

test.each([
  ["the price was changed", ({ course }) => shop.changeCourse(course.id, { priceCents: 29700 })],
  ["the course was deactivated", ({ course }) => shop.changeCourse(course.id, { active: false })],
  [
    "the checkout was taken for expired",
    ({ sessionId }) =>
      paymentRow(sessionId).set({ status: "expired", endedAt: shop.clock.now() }).execute(),
  ],
  [
    "the id of the session was never saved",
    ({ sessionId }) => paymentRow(sessionId).set({ checkoutSessionId: null }).execute(),
  ],
  [
    "an older backup without the checkout was restored",
    ({ buyer }) =>
      shop.services.db.write.deleteFrom("payments").where("userId", "=", buyer.id).execute(),
  ],
] satisfies [string, (begun: Awaited<ReturnType<typeof shop.begin>>) => Promise<unknown>][])(
  "a payment opens its course although %s since",
  async (_, change) => {
    const begun = await shop.begin();
    const { id } = await shop.paymentOf(begun);
    await change(begun);
    const event = shop.account.pay(begun.sessionId);
    await Promise.all([shop.tell(event), shop.tell(event)]);
    const intent = shop.intentOf(begun);
    expect(await shop.enrollmentOf(begun)).toMatchObject({ stripePaymentId: intent });
    expect(await shop.paymentOf(begun)).toMatchObject({ id, status: "paid", endedAt: null });
  },
);

describe("a payment that is heard of late is booked by what is true then", () => {
  /** A payment with which something happens before the site hears of either. */
  async function unheard(happens: (intent: string) => void) {
    const begun = await shop.begin();
    const completed = shop.account.pay(begun.sessionId);
    const intent = shop.intentOf(begun);
    const before = shop.account.events.length;
    happens(intent);
    const { id } = await shop.paymentOf(begun);
    return { ...begun, id, intent, completed, later: shop.account.events.slice(before) };
  }
  const account = () => shop.account;
  const dispute = (status: string) => (intent: string) =>
    void account().dispute(intent, { status });
  const closed = (status: string, end: "won" | "lost" | "warning_closed") => (intent: string) =>
    void account().closeDispute(account().dispute(intent, { status }).id, end);
  const refund = (intent: string) => void account().refund({ payment_intent: intent });

  const opened = { status: "paid", isEnrolled: true, receipts: 1, refunds: 0 };
  const notOpened = { status: "disputed", isEnrolled: false, receipts: 0, refunds: 0 };
  const returned = { ...notOpened, status: "refunded", open: [], refunds: 1 };
  const cases = [
    ["refunded", refund, returned],
    ["disputed", dispute("needs_response"), { ...notOpened, open: ["disputed"] }],
    ["lost", closed("needs_response", "lost"), { ...notOpened, open: ["dispute_lost"] }],
    ["won", closed("needs_response", "won"), { ...opened, open: [] }],
    ["asked about", dispute("warning_needs_response"), { ...opened, open: ["inquiry"] }],
    ["asked in vain", closed("warning_needs_response", "warning_closed"), { ...opened, open: [] }],
  ] as const;
  const orders = ["told first", "told last"] as const;

  test.each(
    cases.flatMap(([name, happens, expected]) =>
      orders.map((order) => [name, order, happens, expected] as const),
    ),
  )("%s, the payment itself %s", async (_, order, happens, expected) => {
    const { completed, later, ...late } = await unheard(happens);
    const events = order === "told first" ? [completed, ...later] : [...later, completed];
    for (const event of [...events, ...later]) await shop.tell(event);
    const { status, open } = await shop.paymentOf(late);
    expect({
      ...{ status, open, isEnrolled: (await shop.enrollmentOf(late)) !== undefined },
      receipts: await receipts(late.buyer),
      refunds: await shop.queued("payments.refunded", late.buyer),
    }).toEqual(expected);
    expect(await shop.formerEnrollmentsOf(late)).toEqual([]);
  });

  test("a dispute won later: the coach reads that nothing is open, and enrolls; one receipt", async () => {
    const { completed, later, ...late } = await unheard(dispute("needs_response"));
    await shop.tell(completed);
    const disputeId = [...shop.account.disputes.values()].at(-1)?.id ?? "";
    await shop.closeDispute(disputeId, "won");
    const { text } = await shop.emailAbout(shop.coach, /decided for you/);
    expect(text).toContain("“A course” stays with you. The course is not open to Ada.");
    expect((await receipt(late.buyer)).text).toContain("has not opened by itself");
    for (const event of later) await shop.tellAgain(event);
    expect(await receipts(late.buyer)).toBe(1);
    await shop.press(late, { intent: "enroll" });
    expect(await shop.enrollmentOf(late)).toMatchObject({ stripePaymentId: late.intent });
    expect((await shop.paymentOf(late)).open).toEqual([]);
  });

  test("a refund that failed later: the receipt is sent then", async () => {
    const { completed, ...late } = await unheard(refund);
    await shop.tell(completed);
    const { id } = shop.lastEvent("refund.created").data.object as { id: string };
    await shop.tell(account().failRefund(id));
    expect(await shop.paymentOf(late)).toMatchObject({ status: "paid", open: ["refund_failed"] });
    expect(await receipts(late.buyer)).toBe(1);
  });

  test("ten days later: the receipt and the refund terms count from the payment", async () => {
    const { completed, ...late } = await unheard(() => {});
    const paidAt = new Date(account().chargeOf(late.intent).created * 1000);
    shop.clock.forwardDays(10);
    await shop.tell(completed);
    expect((await shop.paymentOf(late)).paidAt).toEqual(paidAt);
    expect((await receipt(late.buyer)).text).toContain(
      `Date: ${dateInWords(paidAt, "UTC")} UTC Payment`,
    );
    const page = () => shop.read(`/courses/${late.course.slug}`, late.buyer);
    expect(await page()).toContain("You can have your $197.00 back until ");
    shop.clock.forwardDays(4.01);
    expect(await page()).not.toContain("You can have your");
  });

  test("a slow payment counts from its arrival", async () => {
    const begun = await shop.begin();
    await shop.tell(account().pay(begun.sessionId, { slowly: true }));
    shop.clock.forwardDays(5);
    const arrived = account().settle(begun.sessionId, true);
    const then = shop.clock.now().getTime();
    await shop.tell(arrived);
    expect((await shop.paymentOf(begun)).paidAt?.getTime()).toBeGreaterThanOrEqual(then);
  });
});

test("the receipt says what was paid, when and for what, once, and cannot be unsubscribed from", async () => {
  const now = shop.clock.now();
  const { buyer, course, intent } = await shop.buy();
  const { subject, text, source } = await receipt(buyer);
  for (const words of [
    "Hello Ada,",
    "Course: A course",
    "Paid: $197.00",
    `Date: ${dateInWords(now, "UTC")} UTC Payment`,
    `Payment reference: ${intent}`,
    "within 14 days",
    `/courses/${course.slug}/learn`,
  ])
    expect(text).toContain(words);
  expect(source).not.toContain("List-Unsubscribe");
  expect(subject).toBe("Your receipt for “A course”");
  expect(await receipts(buyer)).toBe(1);
});

test("the receipt has the day of the buyer's time zone", async () => {
  const begun = await shop.begin();
  const day = (zone: string) => dateInWords(shop.clock.now(), zone);
  // At any time of day, one of them has another day than UTC.
  const zones = ["Pacific/Kiritimati", "Pacific/Pago_Pago"];
  const timeZone = zones.find((zone) => day(zone) !== day("UTC")) ?? "";
  const profiles = shop.services.db.write.updateTable("profiles");
  await profiles.set({ timeZone }).where("id", "=", begun.buyer.id).execute();
  await shop.pay(begun);
  expect((await receipt(begun.buyer)).text).toContain(`Date: ${day(timeZone)} Payment`);
});

describe("a payment for an account whose deletion is scheduled", () => {
  async function paidWhileScheduled() {
    const begun = await shop.begin();
    await scheduleDeletion(shop.services, begun.buyer.id);
    return shop.pay(begun);
  }

  test("opens the course; coach and payer read what the deletion means", async () => {
    const paid = await paidWhileScheduled();
    expect(await shop.enrollmentOf(paid)).toMatchObject({ stripePaymentId: paid.intent });
    expect(await shop.paymentOf(paid)).toMatchObject({
      ...{ status: "paid", open: ["deletion_scheduled"] },
    });
    const subject = "A payment for an account that will be deleted";
    const email = await shop.emailAbout(shop.coach, new RegExp(subject), paid.intent);
    expect(email.text).toContain("after asking for the account to be deleted");
    const page = await shop.read(`/admin/payments/${paid.id}`);
    for (const words of [subject, paid.intent]) expect(page).toContain(words);
    const { text } = await receipt(paid.buyer);
    expect(text).toContain("You have asked for your account to be deleted.");
    expect(text).toContain("If you did not mean to pay, reply to this email");
  });

  test("can be refunded after the account is gone", async () => {
    const paid = await paidWhileScheduled();
    shop.clock.forwardDays(8);
    await deleteAccounts.run(shop.services);
    expect(await shop.paymentOf(paid)).toMatchObject({
      ...{ userId: null, open: ["deletion_scheduled"] },
    });
    const page = await shop.read(`/admin/payments/${paid.id}`);
    expect(page).toContain("by somebody whose account is gone");
    expect(page).toContain(`Stripe’s reference is ${paid.intent}.`);
    expect(await shop.read("/admin/payments")).toContain(paid.intent);
    await shop.press(paid, { intent: "refund", cents: "19700", left: "19700", attempt: "x" });
    expect(await shop.paymentOf(paid)).toMatchObject({ status: "refunded", open: [] });
  });

  test("needs nothing more once the deletion is cancelled, before it or after", async () => {
    const paid = await paidWhileScheduled();
    await cancelDeletion(shop.services, paid.buyer.id);
    const page = await shop.read(`/admin/payments/${paid.id}`);
    expect(page).toContain("has kept the account since");
    expect(page).toContain("There is nothing more to do here.");
    const begun = await shop.begin();
    await scheduleDeletion(shop.services, begun.buyer.id);
    await cancelDeletion(shop.services, begun.buyer.id);
    await shop.pay(begun);
    expect((await shop.paymentOf(begun)).open).toEqual([]);
  });
});
