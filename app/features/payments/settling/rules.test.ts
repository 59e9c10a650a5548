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
