import type { Matter, StripePayment, StripeRefund } from "../schema.ts";

/** What a bank has to do with a payment; null: nothing, or no more. */
type DisputeState = "inquiry" | "open" | "lost" | null;

/** How a payment stands by what Stripe says of it. */
export type Verdict = {
  status: "paid" | "refunded" | "disputed";
  /** What went back, or is on its way; a refund that did not arrive is not in it. */
  refundedCents: number;
  dispute: DisputeState;
  /** What of it the coach has to know, oldest first: whether she does is written down elsewhere. */
  matters: Matter[];
};

/** A bank that only asks has taken no money; `warning_closed` is the end of that. */
const inquiries = ["warning_needs_response", "warning_under_review"];
/** Ends after which the money is where it was, or has gone back as a refund. */
const harmless = ["won", "warning_closed", "prevented", "charge_refunded"];

/**
 * What is true of a payment, out of all its refunds and disputes. Refunded in full goes before
 * disputed. Of several disputes the worst counts; a word that Stripe adds some day counts as an
 * open dispute, so that the coach looks at it. A part that was refunded leaves the payment paid.
 */
export function verdictOf(payment: StripePayment): Verdict {
  const { receivedCents, refundedCents, refunds, disputes } = payment;
  const states = disputes.map(({ status }) => disputeOf(status));
  const dispute =
    (["lost", "open", "inquiry"] as const).find((state) => states.includes(state)) ?? null;
  const isRefunded = receivedCents > 0 && refundedCents >= receivedCents;
  const isDisputed = dispute === "open" || dispute === "lost";
  const status = isRefunded ? "refunded" : isDisputed ? "disputed" : "paid";
  const asked = disputes.flatMap(({ id, status }): Matter[] => {
    const state = disputeOf(status);
    return state ? [{ reason: reasonsOf[state], cause: id }] : [];
  });
  const inVain = refunds
    .filter(isInVain)
    .map(({ id }): Matter => ({ reason: "refund_failed", cause: id }));
  // Stripe has the newest first.
  return { status, refundedCents, dispute, matters: [...inVain, ...asked].reverse() };
}

const reasonsOf = { lost: "dispute_lost", open: "disputed", inquiry: "inquiry" } as const;

/** Whether a refund came to nothing: its money is here again. */
export function isInVain({ status }: Pick<StripeRefund, "status">): boolean {
  return status === "failed" || status === "canceled";
}

function disputeOf(status: string): DisputeState {
  if (harmless.includes(status)) return null;
  if (inquiries.includes(status)) return "inquiry";
  return status === "lost" ? "lost" : "open";
}
