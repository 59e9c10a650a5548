import type { StripePayment, StripeRefund } from "../schema.ts";

/** How a payment stands by what Stripe says of it. */
export type Verdict = {
  status: "paid" | "refunded" | "disputed";
  /** What went back, or is on its way; a refund that did not arrive is not in it. */
  refundedCents: number;
  dispute: "none" | "inquiry" | "open" | "lost";
  /** How many refunds did not arrive. */
  refundsFailed: number;
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
  const states = payment.disputes.map(({ status }) => disputeOf(status));
  const worst = (["lost", "open", "inquiry"] as const).find((state) => states.includes(state));
  const dispute = worst ?? "none";
  const { receivedCents, refundedCents } = payment;
  const refundsFailed = payment.refunds.filter(isInVain).length;
  const isRefunded = receivedCents > 0 && refundedCents >= receivedCents;
  const isDisputed = dispute === "open" || dispute === "lost";
  const status = isRefunded ? "refunded" : isDisputed ? "disputed" : "paid";
  return { status, refundedCents, dispute, refundsFailed };
}

/** Whether a refund came to nothing: its money is here again. */
export function isInVain({ status }: Pick<StripeRefund, "status">): boolean {
  return status === "failed" || status === "canceled";
}

function disputeOf(status: string): Verdict["dispute"] {
  if (harmless.includes(status)) return "none";
  if (inquiries.includes(status)) return "inquiry";
  return status === "lost" ? "lost" : "open";
}
