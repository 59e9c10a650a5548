import { attentionWords } from "../attention/rules.ts";
import { formatMoney } from "../rules.ts";
import type { DeskPayment } from "./schema.ts";

type State = Pick<DeskPayment, "status" | "amountCents" | "refundedCents">;
type Priced = State & Pick<DeskPayment, "currency" | "dispute">;

/** How a payment stands, in a few words for a list. */
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

/** What can still be given back, in cents; 0 while the bank decides or when nothing is left. */
export function leftToRefund({ status, amountCents, refundedCents }: State): number {
  return status === "paid" ? Math.max(0, amountCents - refundedCents) : 0;
}

/** Whether the coach can open the course to whoever paid for it and is not in it. */
export function canEnroll({
  status,
  userId,
  enrollmentId,
  isCourseDeleted,
}: Pick<DeskPayment, "status" | "userId" | "enrollmentId" | "isCourseDeleted">): boolean {
  return status === "paid" && userId !== null && enrollmentId === null && !isCourseDeleted;
}

/** A payment in the words of a page, for the browser. */
export type PaymentLine = ReturnType<typeof paymentLine>;

/**
 * @param day a time in words of the coach's time zone
 * @param dashboard where Stripe shows payments to her, without the payment's id
 */
export function paymentLine(
  payment: DeskPayment,
  { day, dashboard }: { day: (date: Date) => string; dashboard: string },
) {
  const { id, userId, name, email, productId, course, isCourseDeleted, attentions } = payment;
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
    holdsSeat: paymentIntentId !== null && enrolledBy === paymentIntentId,
    canEnroll: canEnroll(payment),
    attentions: attentions.map(({ id: attentionId, reason }) => ({
      id: attentionId,
      ...attentionWords(reason, { ...payment, isEnrolled, isLeaving: payment.goesAt !== null }),
    })),
  };
}
