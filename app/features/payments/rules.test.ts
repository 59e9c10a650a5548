import { describe, expect, test } from "vitest";
import { formatMoney, refundMessages } from "./messages.ts";
import { readRefundAmount, refundStanding, verdictOf } from "./rules.ts";
import type { StripePayment } from "./schema.ts";

test.each([
  [19700, "usd", "$197.00"],
  [5, "usd", "$0.05"],
  [123456789, "usd", "$1,234,567.89"],
  [19700, "eur", "€197.00"],
  [19700, "jpy", "¥19,700"],
])("formatMoney: %d of %s is %s", (amount, currency, words) => {
  expect(formatMoney(amount, currency)).toBe(words);
});

test.each([
  ["50", { cents: 5000 }],
  [" $0.01 ", { cents: 1 }],
  ["147", { cents: 14700 }],
  ["", { error: refundMessages.amountUnclear }],
  ["abc", { error: refundMessages.amountUnclear }],
  ["-5", { error: refundMessages.amountUnclear }],
  ["1e3", { error: refundMessages.amountUnclear }],
  ["50,00", { error: refundMessages.amountUnclear }],
  ["0", { error: refundMessages.amountZero }],
  ["0.00", { error: refundMessages.amountZero }],
  ["50.005", { error: refundMessages.amountFine }],
  ["147.01", { error: "At most $147.00 can be refunded: that is what is left." }],
])("readRefundAmount: of $147.00 that are left, %j is %j", (typed, read) => {
  expect(readRefundAmount(typed, { left: 14700, currency: "usd" })).toEqual(read);
});

const paidAt = new Date("2026-03-01T09:30:00.000Z");
const minute = 60_000;
const day = 24 * 60 * minute;
const later = (ms: number) => new Date(paidAt.getTime() + ms);
const completions = (count: number, first = minute) =>
  Array.from({ length: count }, (_, index) => later(first + index * minute));

describe("refundStanding", () => {
  test.each([
    [-day, true],
    [0, true],
    [14 * day - 1, true],
    [14 * day, true],
    [14 * day + 1, false],
    [15 * day, false],
  ])("%d ms after paying is refundable: %j", (ms, refundable) => {
    const standing = refundStanding({ paidAt, completedAt: [], lessons: 8 }, later(ms));
    expect(standing).toEqual({
      ...{ refundable, completed: 0, lessons: 8, endedBy: refundable ? null : "days" },
      // 14 times 24 hours, though New York moves its clocks on March 8.
      until: new Date("2026-03-15T09:30:00.000Z"),
    });
  });

  test("ends beyond exactly a quarter of the lessons, for each number up to a hundred", () => {
    for (let lessons = 1; lessons <= 100; lessons++)
      for (let completed = 0; completed <= lessons; completed++) {
        const refundable = completed / lessons <= 0.25;
        const studied = { paidAt, completedAt: completions(completed), lessons };
        expect(refundStanding(studied, later(day)), `${completed} of ${lessons}`).toMatchObject({
          ...{ refundable, completed, lessons, endedBy: refundable ? null : "lessons" },
        });
      }
  });

  test("counts lessons of an earlier enrollment; a course without lessons ends by the days", () => {
    const earlier = { paidAt, completedAt: completions(3, -100 * day), lessons: 8 };
    expect(refundStanding(earlier, paidAt)).toMatchObject({
      ...{ refundable: false, endedBy: "lessons" },
    });
    const empty = { paidAt, completedAt: [], lessons: 0 };
    expect(refundStanding(empty, later(15 * day)).endedBy).toBe("days");
  });

  test.each([
    [2 * day, "lessons"],
    [14 * day, "lessons"],
    [14 * day + 1, "days"],
    [20 * day, "days"],
  ])("with the third of eight lessons %d ms after paying was ended by %s", (ms, endedBy) => {
    const completedAt = [later(ms), ...completions(2), later(21 * day)];
    for (const order of [completedAt, completedAt.toReversed()])
      expect(
        refundStanding({ paidAt, completedAt: order, lessons: 8 }, later(30 * day)),
      ).toMatchObject({ refundable: false, endedBy });
  });
});

const refund = (status: string, amount = 19700) => ({ id: "re_1", amount, status });
const dispute = (status: string) => ({ id: "du_1", status });
const payment = (more: Partial<StripePayment> = {}): StripePayment => ({
  ...{ receivedCents: 19700, refunds: [], disputes: [], ...more },
});

test.each([
  [0, "paid"],
  [1, "paid"],
  [19699, "paid"],
  [19700, "refunded"],
])("verdictOf: with %d of 19700 cents refunded it is %s", (cents, status) => {
  const refunds = [refund("pending", cents), refund("failed"), refund("canceled")];
  expect(verdictOf(payment({ refunds }))).toMatchObject({
    ...{ status, refundedCents: cents, dispute: null },
  });
});

test.each([
  ["needs_response", "disputed", "open"],
  ["under_review", "disputed", "open"],
  ["appeal_under_review", "disputed", "open"],
  ["a_word_of_tomorrow", "disputed", "open"],
  ["lost", "disputed", "lost"],
  ["won", "paid", null],
  ["prevented", "paid", null],
  ["charge_refunded", "paid", null],
  ["warning_needs_response", "paid", "inquiry"],
  ["warning_under_review", "paid", "inquiry"],
  ["warning_closed", "paid", null],
])("verdictOf: with a dispute that is %s it is %s", (word, status, state) => {
  const verdict = verdictOf(payment({ disputes: [dispute(word)] }));
  expect(verdict).toMatchObject({ status, dispute: state });
});

test.each([
  [["won", "lost"], "lost"],
  [["lost", "needs_response"], "lost"],
  [["won", "under_review"], "open"],
  [["warning_under_review", "won"], "inquiry"],
])("verdictOf: of several disputes the worst counts: %j is %s", (words, state) => {
  for (const order of [words, words.toReversed()])
    expect(verdictOf(payment({ disputes: order.map(dispute) })).dispute).toBe(state);
});

test("verdictOf: refunded in full goes before disputed", () => {
  const both = payment({ refunds: [refund("succeeded")], disputes: [dispute("lost")] });
  expect(verdictOf(both).status).toBe("refunded");
});

test("verdictOf: failed refunds and disputes are issues, oldest first", () => {
  const named = <Thing extends { id: string }>(id: string, thing: Thing) => ({ ...thing, id });
  const refunds = [
    named("re_3", refund("failed")),
    named("re_2", refund("succeeded")),
    named("re_1", refund("canceled")),
  ];
  const disputes = ["lost", "won", "needs_response", "warning_under_review", "warning_closed"].map(
    (status, index) => named(`du_${5 - index}`, dispute(status)),
  );
  expect(verdictOf(payment({ refunds, disputes })).issues).toEqual([
    { reason: "inquiry", cause: "du_2" },
    { reason: "disputed", cause: "du_3" },
    { reason: "dispute_lost", cause: "du_5" },
    { reason: "refund_failed", cause: "re_1" },
    { reason: "refund_failed", cause: "re_3" },
  ]);
  const onItsWay = [refund("pending"), refund("requires_action")];
  expect(verdictOf(payment({ refunds: onItsWay })).issues).toEqual([]);
});

test("verdictOf: nothing received is nothing refunded", () => {
  expect(verdictOf(payment({ receivedCents: 0 })).status).toBe("paid");
});
