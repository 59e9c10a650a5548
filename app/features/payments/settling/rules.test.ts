import { expect, test } from "vitest";
import type { StripePayment } from "../schema.ts";
import { verdictOf } from "./rules.ts";

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
    ...{ status, refundedCents, dispute: "none", refundsFailed: 0 },
  });
});

test.each([
  ["needs_response", "disputed", "open"],
  ["under_review", "disputed", "open"],
  ["appeal_under_review", "disputed", "open"],
  ["a_word_of_tomorrow", "disputed", "open"],
  ["lost", "disputed", "lost"],
  ["won", "paid", "none"],
  ["prevented", "paid", "none"],
  ["charge_refunded", "paid", "none"],
  ["warning_needs_response", "paid", "inquiry"],
  ["warning_under_review", "paid", "inquiry"],
  ["warning_closed", "paid", "none"],
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

test("refunds that came to nothing are counted", () => {
  const inVain = [refund("failed"), refund("canceled")];
  expect(verdictOf(payment({ refunds: inVain })).refundsFailed).toBe(2);
  const refunds = [refund("succeeded"), refund("failed")];
  expect(verdictOf(payment({ refundedCents: 19700, refunds })).refundsFailed).toBe(1);
  const onItsWay = [refund("pending"), refund("requires_action")];
  expect(verdictOf(payment({ refunds: onItsWay })).refundsFailed).toBe(0);
});

test("nothing received is nothing refunded", () => {
  expect(verdictOf(payment({ receivedCents: 0 })).status).toBe("paid");
});
