import { refundTerms } from "~/features/enrollments/messages.ts";
import { formatMoney } from "./money.ts";
import { paymentIssueText } from "./payment-issue-text.ts";
import type { AdminPayment, PaymentIssue, StripePayment, StripeRefund } from "./schema.ts";

const hourMs = 3600_000;

// How long a checkout can be paid. Stripe allows at most 24 hours, and its clock may be behind.
export const openMs = 23 * hourMs;

// A younger checkout is reused when the user presses the button again.
const freshMs = 12 * hourMs;

type Begun = { amountCents: number; createdAt: Date };

export function isReusableCheckout(
  begun: Begun,
  { priceCents, now }: { priceCents: number; now: Date },
) {
  const age = now.getTime() - begun.createdAt.getTime();
  return begun.amountCents === priceCents && age < freshMs;
}

type State = Pick<AdminPayment, "status" | "amountCents" | "refundedCents">;
type Priced = State & Pick<AdminPayment, "currency" | "dispute">;

export function stateInWords(payment: Priced): string {
  const { status, amountCents, refundedCents, dispute, currency } = payment;
  if (status === "refunded") return "Refunded";
  if (status === "disputed") return dispute === "lost" ? "Dispute lost" : "Disputed";
  if (status === "failed") return "Failed";
  if (status === "expired") return "Not paid";
  if (status === "started") return "Not paid yet";
  const part = refundedCents > 0 && refundedCents < amountCents;
  return part ? `Paid, ${formatMoney(refundedCents, currency)} of it refunded` : "Paid";
}

/** What can be refunded, in cents; 0 while a bank decides or when nothing is left. */
export function leftToRefund({ status, amountCents, refundedCents }: State): number {
  return status === "paid" ? Math.max(0, amountCents - refundedCents) : 0;
}

export function canEnroll({
  status,
  userId,
  enrollmentId,
  isCourseDeleted,
}: Pick<AdminPayment, "status" | "userId" | "enrollmentId" | "isCourseDeleted">): boolean {
  return status === "paid" && userId !== null && enrollmentId === null && !isCourseDeleted;
}

export type PaymentLine = ReturnType<typeof paymentLine>;

/** `day` formats in the coach's time zone; `dashboard` is Stripe's URL without the payment's id. */
export function paymentLine(
  payment: AdminPayment,
  { day, dashboard }: { day: (date: Date) => string; dashboard: string },
) {
  const { id, userId, name, email, productId, course, isCourseDeleted, issues } = payment;
  const { paymentIntentId, enrollmentId, enrolledBy, paidAt, endedAt } = payment;
  const left = leftToRefund(payment);
  const isEnrolled = enrollmentId !== null;
  return {
    ...{ id, userId, name, email, productId, course, isCourseDeleted, paymentIntentId },
    state: stateInWords(payment),
    amount: formatMoney(payment.amountCents, payment.currency),
    paid: paidAt && day(paidAt),
    ended: endedAt && day(endedAt),
    left,
    leftInWords: formatMoney(left, payment.currency),
    stripeUrl: paymentIntentId && dashboard + paymentIntentId,
    enrollmentId,
    isEnrolled,
    holdsEnrollment: paymentIntentId !== null && enrolledBy === paymentIntentId,
    canEnroll: canEnroll(payment),
    issues: issues.map(({ id: issueId, reason }) => ({
      id: issueId,
      ...paymentIssueText(reason, {
        ...payment,
        isEnrolled,
        isBeingDeleted: payment.goesAt !== null,
      }),
    })),
  };
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

export type Studied = {
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
export function refundStanding({ paidAt, completedAt, lessons }: Studied, now: Date) {
  const until = new Date(paidAt.getTime() + refundTerms.days * dayMs);
  const completed = completedAt.length;
  // Integers on both sides, so that a quarter of the lessons is exact.
  const isTooMuch = completed * 100 > lessons * refundTerms.percent;
  const isTooLate = now > until;
  const standing: RefundStanding = {
    refundable: !isTooLate && !isTooMuch,
    until,
    completed,
    lessons,
    endedBy: null,
  };
  if (isTooMuch) {
    const passed = quarterPassedAt(completedAt, lessons);
    standing.endedBy = passed <= until ? "lessons" : "days";
  } else if (isTooLate) standing.endedBy = "days";
  return standing;
}

function quarterPassedAt(completedAt: readonly Date[], lessons: number): Date {
  const inOrder = completedAt.toSorted((a, b) => a.getTime() - b.getTime());
  const allowed = Math.floor((lessons * refundTerms.percent) / 100);
  return inOrder[allowed] ?? new Date(0);
}

/** '2 of 8 lessons completed'. */
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
  matters: PaymentIssue[];
};

// An inquiry has taken no money; `warning_closed` is its end.
const inquiries = ["warning_needs_response", "warning_under_review"];
// Outcomes after which the money is where it was, or went back as a refund.
const harmless = ["won", "warning_closed", "prevented", "charge_refunded"];

/** The state of a payment from all its refunds and disputes. A full refund takes precedence over
 * a dispute. Of several disputes the worst counts; an unknown status counts as open, so that the
 * coach looks at it. A partial refund leaves the payment paid. */
export function verdictOf(payment: StripePayment): Verdict {
  const { receivedCents, refundedCents, refunds, disputes } = payment;
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
  const inVain = refunds
    .filter(hasRefundFailed)
    .map(({ id }): PaymentIssue => ({ reason: "refund_failed", cause: id }));
  // Stripe lists the newest first.
  return { status, refundedCents, dispute, matters: [...inVain, ...asked].reverse() };
}

const reasonsOf = { lost: "dispute_lost", open: "disputed", inquiry: "inquiry" } as const;

export function hasRefundFailed({ status }: Pick<StripeRefund, "status">): boolean {
  return status === "failed" || status === "canceled";
}

function disputeOf(status: string): DisputeState {
  if (harmless.includes(status)) return null;
  if (inquiries.includes(status)) return "inquiry";
  return status === "lost" ? "lost" : "open";
}
