import { parseMoney } from "~/features/courses/rules.ts";
import { refundTerms } from "~/features/enrollments/messages.ts";
import { decimalsOf, formatMoney, refundMessages } from "./messages.ts";
import type { PaymentIssue, PaymentIssueReason, Purchase, StripePayment } from "./schema.ts";

type Standing = {
  status: string;
  amountCents: number;
  refundedCents: number;
  dispute: string | null;
};

export function stateInWords(payment: Standing): string {
  const { status, amountCents, refundedCents, dispute } = payment;
  if (status === "refunded") return "Refunded";
  if (status === "disputed") return dispute === "lost" ? "Dispute lost" : "Disputed";
  if (status === "failed") return "Failed";
  if (status === "expired") return "Not paid";
  if (status === "started") return "Not paid yet";
  return refundedCents > 0 && refundedCents < amountCents ? "Partly refunded" : "Paid";
}

type Amounts = Pick<Standing, "status" | "amountCents" | "refundedCents">;

/** What can be refunded, in cents; 0 while a bank decides or when nothing is left. */
export function leftToRefund({ status, amountCents, refundedCents }: Amounts): number {
  return status === "paid" ? Math.max(0, amountCents - refundedCents) : 0;
}

type Bought = Pick<Standing, "status" | "dispute"> & {
  enrollmentId: string | null;
  issues: readonly { reason: PaymentIssueReason }[];
};

/** An amount to refund, in the currency's smallest unit, or what is wrong with it. */
export function readRefundAmount(
  typed: string,
  { left, currency }: { left: number; currency: string },
): { cents: number } | { error: string } {
  const { amountUnclear, amountFine, amountZero, amountHigh } = refundMessages;
  const parsed = parseMoney(typed, decimalsOf(currency));
  if ("problem" in parsed) return { error: parsed.problem === "fine" ? amountFine : amountUnclear };
  const { cents } = parsed;
  if (cents === 0) return { error: amountZero };
  return cents > left ? { error: amountHigh(formatMoney(left, currency)) } : { cents };
}

/** How a checkout stands, for a student who returns from it. */
export function purchaseState(payment: Bought): Purchase["state"] {
  const { status, dispute, enrollmentId, issues } = payment;
  if (enrollmentId) return "enrolled";
  if (status === "failed" || status === "expired") return "failed";
  if (status === "refunded") return "returned";
  if (status === "disputed") return dispute === "open" ? "disputed" : "returned";
  if (status === "started") return "waiting";
  if (issues.some(({ reason }) => reason === "refund_failed")) return "undelivered";
  return issues.length > 0 ? "attention" : "closed";
}

/** 'open': enrolled by this payment; 'without': enrolled otherwise, now or when it arrived;
 * 'ended': that enrollment has ended; 'closed': the payment never opened the course. */
export type Access = "open" | "without" | "ended" | "closed";

type Facts = {
  status: string;
  bookingReason: string | null;
  isEnrolled: boolean;
  holdsEnrollment: boolean;
  hadEnrollment: boolean;
};

export function accessOf({ status, bookingReason, ...enrollment }: Facts): Access {
  if (enrollment.holdsEnrollment) return "open";
  if (status !== "paid" || enrollment.hadEnrollment) return "ended";
  return enrollment.isEnrolled || bookingReason === "already_enrolled" ? "without" : "closed";
}

const dayMs = 24 * 3600 * 1000;

type Studied = {
  paidAt: Date;
  /** Completion times in any order, of lessons that are still in the course. */
  completedAt: readonly Date[];
  lessons: number;
};

export type RefundStanding = {
  refundable: boolean;
  until: Date;
  completed: number;
  lessons: number;
  endedBy: "days" | "lessons" | null;
};

/** The refund rule of spec 9, Terms, as worded on /terms: refundable for 14 days after the
 * purchase and while no more than 25% of the lessons are completed. Both limits are inclusive:
 * exactly 14 days (14 × 24 hours, whatever calendar and clocks do) and exactly a quarter are
 * refundable. A lesson counts when it was marked complete, also in an earlier enrollment; a course
 * without lessons has only the day limit. */
export function refundStanding(
  { paidAt, completedAt, lessons }: Studied,
  now: Date,
): RefundStanding {
  const until = new Date(paidAt.getTime() + refundTerms.days * dayMs);
  const inOrder = completedAt.toSorted((a, b) => a.getTime() - b.getTime());
  // The first lesson beyond the allowed share.
  const passedAt = inOrder[Math.floor((lessons * refundTerms.percent) / 100)];
  const endedBy =
    passedAt && passedAt <= until ? "lessons" : passedAt || now > until ? "days" : null;
  return { refundable: endedBy === null, until, completed: completedAt.length, lessons, endedBy };
}

export function completedInWords({
  completed,
  lessons,
}: Pick<RefundStanding, "completed" | "lessons">): string {
  return `${completed} of ${lessons} ${lessons === 1 ? "lesson" : "lessons"} completed`;
}

/** The refund note for students. `until` is in their time zone; `email` is the coach's. */
export function refundNoteWords(
  standing: Pick<RefundStanding, "completed" | "lessons">,
  { money, until, email }: Record<"money" | "until" | "email", string>,
): string {
  const share = `no more than ${refundTerms.percent}% of the lessons`;
  return `You can have your ${money} back until ${until}, as long as you have completed ${share}. So far: ${completedInWords(standing)}. To ask for it, write to ${email}.`;
}

// Null: no bank is involved, or no longer.
type DisputeState = "inquiry" | "open" | "lost" | null;

export type Verdict = {
  status: "paid" | "refunded" | "disputed";
  /** Includes refunds that are on their way, but not failed ones. */
  refundedCents: number;
  dispute: DisputeState;
  /** What the coach has to know, oldest first, whether or not it was raised already. */
  issues: PaymentIssue[];
};

// An inquiry has taken no money; `warning_closed` is its end.
const inquiries = ["warning_needs_response", "warning_under_review"];
// Outcomes after which the money is where it was, or went back as a refund.
const harmless = ["won", "warning_closed", "prevented", "charge_refunded"];

/** The state of a payment from all its refunds and disputes. The refunded amount is summed here:
 * Stripe's own sum may include a failed refund. A full refund takes precedence over a dispute. Of
 * several disputes the worst counts; an unknown status counts as open, so that the coach looks at
 * it. A partial refund leaves the payment paid. */
export function verdictOf({ receivedCents, refunds, disputes }: StripePayment): Verdict {
  const refundedCents = refunds
    .filter((refund) => !hasFailed(refund))
    .reduce((sum, { amount }) => sum + amount, 0);
  const states = disputes.map(({ status }) => disputeOf(status));
  const dispute =
    (["lost", "open", "inquiry"] as const).find((state) => states.includes(state)) ?? null;
  const isRefunded = receivedCents > 0 && refundedCents >= receivedCents;
  const isDisputed = dispute === "open" || dispute === "lost";
  const status = isRefunded ? "refunded" : isDisputed ? "disputed" : "paid";
  const asked = disputes.flatMap(({ id, status }): PaymentIssue[] => {
    const state = disputeOf(status);
    return state ? [{ reason: reasonsOf[state], cause: id }] : [];
  });
  const failed = refunds
    .filter(hasFailed)
    .map(({ id }): PaymentIssue => ({ reason: "refund_failed", cause: id }));
  // Stripe lists the newest first.
  return { status, refundedCents, dispute, issues: [...failed, ...asked].reverse() };
}

/** Whether one of the newest refunds, of `newCents` together, is to end the enrollment. */
export function closesAccess({ refunds }: Pick<StripePayment, "refunds">, newCents: number) {
  let cents = newCents;
  for (const refund of refunds) {
    if (cents <= 0) return false;
    if (hasFailed(refund)) continue;
    if (refund.metadata?.access === "end") return true;
    cents -= refund.amount;
  }
  return false;
}

const reasonsOf = { lost: "dispute_lost", open: "disputed", inquiry: "inquiry" } as const;

export const hasFailed = ({ status }: { status: string | null }) =>
  status === "failed" || status === "canceled";

function disputeOf(status: string): DisputeState {
  if (harmless.includes(status)) return null;
  if (inquiries.includes(status)) return "inquiry";
  return status === "lost" ? "lost" : "open";
}
