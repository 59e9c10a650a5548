import { describe, expect, test } from "vitest";
import { formatMoney } from "./money.ts";
import { refundStanding, verdictOf } from "./rules.ts";
import type { StripePayment } from "./schema.ts";

test.each([
  [19700, "usd", "$197.00"],
  [5, "usd", "$0.05"],
  [123456789, "usd", "$1,234,567.89"],
  [19700, "eur", "€197.00"],
  [19700, "jpy", "¥19,700"],
])("%d of %s is %s", (amount, currency, words) => {
  expect(formatMoney(amount, currency)).toBe(words);
});

const paidAt = new Date("2026-03-01T09:30:00.000Z");
const minute = 60_000;
const day = 24 * 60 * minute;
const later = (ms: number) => new Date(paidAt.getTime() + ms);
const times = (count: number, first = paidAt.getTime() + minute) =>
  Array.from({ length: count }, (_, index) => new Date(first + index * minute));

describe("the days", () => {
  test.each([
    [0, true],
    [13 * day, true],
    [14 * day - 1, true],
    [14 * day, true],
    [14 * day + 1, false],
    [15 * day, false],
  ])("%d ms after paying: refundable %j", (ms, refundable) => {
    const standing = refundStanding({ paidAt, completedAt: [], lessons: 8 }, later(ms));
    expect(standing).toEqual({
      refundable,
      until: new Date("2026-03-15T09:30:00.000Z"),
      completed: 0,
      lessons: 8,
      endedBy: refundable ? null : "days",
    });
  });

  test("are 24 hours each, also where the clocks change within them", () => {
    // New York moves its clocks on March 8, 2026: by its wall clock this is an hour later.
    const { until } = refundStanding({ paidAt, completedAt: [], lessons: 1 }, paidAt);
    expect(until.getTime() - paidAt.getTime()).toBe(14 * day);
  });

  test("a clock that runs before the payment takes nothing away", () => {
    expect(refundStanding({ paidAt, completedAt: [], lessons: 8 }, later(-day)).refundable).toBe(
      true,
    );
  });
});

describe("the lessons", () => {
  test.each([
    [0, 0, true],
    [0, 1, true],
    [1, 1, false],
    [1, 3, false],
    [1, 4, true],
    [2, 4, false],
    [1, 5, true],
    [2, 7, false],
    [2, 8, true],
    [3, 8, false],
    [5, 20, true],
    [6, 20, false],
    [10, 42, true],
    [11, 42, false],
    [25, 100, true],
    [26, 100, false],
  ])("%d completed of %d: refundable %j", (completed, lessons, refundable) => {
    const standing = refundStanding({ paidAt, completedAt: times(completed), lessons }, later(day));
    expect(standing).toMatchObject({
      refundable,
      completed,
      lessons,
      endedBy: refundable ? null : "lessons",
    });
  });

  test("every share up to a hundred lessons ends beyond exactly a quarter", () => {
    for (let lessons = 1; lessons <= 100; lessons++)
      for (let completed = 0; completed <= lessons; completed++)
        expect(
          refundStanding({ paidAt, completedAt: times(completed), lessons }, paidAt).refundable,
          `${completed} of ${lessons}`,
        ).toBe(completed / lessons <= 0.25);
  });

  test("of an earlier enrollment count as well", () => {
    const before = times(3, paidAt.getTime() - 100 * day);
    expect(refundStanding({ paidAt, completedAt: before, lessons: 8 }, paidAt)).toMatchObject({
      refundable: false,
      endedBy: "lessons",
    });
  });
});

describe("whichever comes first", () => {
  const lessons = 8;
  const at = (ms: number) => [...times(2), later(ms)];

  test.each([
    [2 * day, "lessons"],
    [14 * day, "lessons"],
    [14 * day + 1, "days"],
    [20 * day, "days"],
  ])("the third of eight lessons %d ms after paying: ended by %s", (ms, endedBy) => {
    expect(refundStanding({ paidAt, completedAt: at(ms), lessons }, later(30 * day))).toMatchObject(
      { refundable: false, endedBy },
    );
  });

  test("whatever the order in which they are given", () => {
    const completedAt = [later(20 * day), ...times(2), later(21 * day)];
    expect(refundStanding({ paidAt, completedAt, lessons }, later(30 * day)).endedBy).toBe("days");
    expect(
      refundStanding({ paidAt, completedAt: completedAt.toReversed(), lessons }, later(30 * day))
        .endedBy,
    ).toBe("days");
  });

  test("half of the course on the second day: none on the third", () => {
    const half = times(4, paidAt.getTime() + day);
    expect(refundStanding({ paidAt, completedAt: half, lessons }, later(3 * day)).refundable).toBe(
      false,
    );
  });

  test("a course that lost all its lessons afterwards ends by what was completed of nothing", () => {
    expect(refundStanding({ paidAt, completedAt: [], lessons: 0 }, later(15 * day)).endedBy).toBe(
      "days",
    );
  });
});

const at = new Date("2026-03-01T09:30:00.000Z");
const dispute = (status: string) => ({
  ...{ id: "du_1", paymentIntentId: "pi_1", amountCents: 19700, reason: "fraudulent" },
  ...{ status, createdAt: at },
});
const refund = (status: StripePayment["refunds"][number]["status"], amountCents = 19700) => ({
  ...{ id: "re_1", paymentIntentId: "pi_1", amountCents, status, createdAt: at },
});
const payment = (more: Partial<StripePayment> = {}): StripePayment => ({
  ...{ id: "pi_1", receivedCents: 19700, refundedCents: 0, currency: "usd" },
  ...{ refunds: [], disputes: [], ...more },
});

test.each([
  [0, "paid"],
  [1, "paid"],
  [19699, "paid"],
  [19700, "refunded"],
])("of 19700 cents, %d went back: %s", (refundedCents, status) => {
  expect(verdictOf(payment({ refundedCents }))).toEqual({
    ...{ status, refundedCents, dispute: null, matters: [] },
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
])("a dispute that is %s: %s", (word, status, state) => {
  const verdict = verdictOf(payment({ disputes: [dispute(word)] }));
  expect(verdict).toMatchObject({ status, dispute: state });
});

test.each([
  [["won", "lost"], "lost"],
  [["lost", "needs_response"], "lost"],
  [["won", "under_review"], "open"],
  [["warning_under_review", "won"], "inquiry"],
])("of several disputes the worst counts: %j is %s", (words, state) => {
  for (const order of [words, words.toReversed()])
    expect(verdictOf(payment({ disputes: order.map(dispute) })).dispute).toBe(state);
});

test("refunded in full goes before disputed", () => {
  const both = payment({ refundedCents: 19700, disputes: [dispute("lost")] });
  expect(verdictOf(both).status).toBe("refunded");
});

test("the coach has to know of refunds that came to nothing, and what a bank does, oldest first", () => {
  const named = <Thing extends { id: string }>(id: string, thing: Thing) => ({ ...thing, id });
  const refunds = [
    named("re_3", refund("failed")),
    named("re_2", refund("succeeded")),
    named("re_1", refund("canceled")),
  ];
  const disputes = ["lost", "won", "needs_response", "warning_under_review", "warning_closed"].map(
    (status, index) => named(`du_${5 - index}`, dispute(status)),
  );
  expect(verdictOf(payment({ refunds, disputes })).matters).toEqual([
    { reason: "inquiry", cause: "du_2" },
    { reason: "disputed", cause: "du_3" },
    { reason: "dispute_lost", cause: "du_5" },
    { reason: "refund_failed", cause: "re_1" },
    { reason: "refund_failed", cause: "re_3" },
  ]);
  const onItsWay = [refund("pending"), refund("requires_action")];
  expect(verdictOf(payment({ refunds: onItsWay })).matters).toEqual([]);
});

test("nothing received is nothing refunded", () => {
  expect(verdictOf(payment({ receivedCents: 0 })).status).toBe("paid");
});
