import { formatMoney } from "./money.ts";
import type { PaymentIssueReason } from "./schema.ts";

/** The payment at the time of reading: the text must be true then. */
export type PaymentIssueFacts = {
  name: string | null;
  course: string;
  amountCents: number;
  currency: string;
  status: string;
  dispute: "inquiry" | "open" | "lost" | null;
  isEnrolled: boolean;
  isBeingDeleted: boolean;
  paymentIntentId: string | null;
};

export type PaymentIssueText = { subject: string; happened: string; remedy: string };

type Sketch = {
  who: string;
  course: string;
  money: string;
  hasAccount: boolean;
  access: string;
  isEnrolled: boolean;
  isLost: boolean;
  isBeingDeleted: boolean;
  atStripe: string;
};

const nothingMore = "There is nothing more to do here.";

const sketches: Record<PaymentIssueReason, (facts: Sketch) => PaymentIssueText> = {
  amount_differs: ({ who, course, money }) => ({
    subject: "A payment of another amount than was asked for",
    happened: `The payment of ${who} for ${course} was ${money}. That is not what was asked for, so it did not open the course.`,
    remedy: "Look at the payment at Stripe. Then enroll, or refund it.",
  }),
  course_deleted: ({ who, course, money }) => ({
    subject: "A payment for a course that was deleted",
    happened: `There is a payment of ${money} by ${who} for ${course}. The course was deleted before the money came, so nothing was opened.`,
    remedy: "Restore the course and enroll, or refund the payment.",
  }),
  account_deleted: ({ who, course, money, atStripe }) => ({
    subject: "A payment of somebody without an account",
    happened: `There is a payment of ${money} for ${course} by ${who}. Nothing could be opened.`,
    remedy: `Refund it. ${atStripe}`,
  }),
  already_enrolled: ({ who, course, money, hasAccount }) => ({
    subject: "A payment for a course that was open already",
    happened: `There is a payment of ${money} by ${who} for ${course}. The course was open without it.`,
    remedy: hasAccount ? `Refund it, unless you and ${who} agreed otherwise.` : "Refund it.",
  }),
  deletion_scheduled: ({ who, course, money, hasAccount, isBeingDeleted, atStripe }) =>
    !hasAccount
      ? {
          subject: "A payment of somebody without an account",
          happened: `There is a payment of ${money} for ${course} by ${who}. It came in the week before the account was deleted.`,
          remedy: `Refund it. ${atStripe}`,
        }
      : isBeingDeleted
        ? {
            subject: "A payment for an account that will be deleted",
            happened: `${who} paid ${money} for ${course} after asking for the account to be deleted. The course is open until the account goes.`,
            remedy: `Ask ${who} whether the account is to stay, or refund the payment. ${atStripe}`,
          }
        : {
            subject: "A payment for an account whose deletion was cancelled",
            happened: `${who} paid ${money} for ${course} after asking for the account to be deleted, and has kept the account since.`,
            remedy: nothingMore,
          },
  disputed: ({ who, course, money, access }) => ({
    subject: "A payment is disputed",
    happened: `The bank of ${who} wants ${money} for ${course} back. ${access}`,
    remedy:
      "Answer the dispute at Stripe before the day it names there. If the bank decides for you, what the dispute closed opens again by itself.",
  }),
  inquiry: ({ who, course, money }) => ({
    subject: "A bank asks about a payment",
    happened: `The bank of ${who} asks about ${money} for ${course}. No money was taken, and nothing was closed by it.`,
    remedy: "Answer it at Stripe before the day it names there, or refund the payment.",
  }),
  dispute_won: ({ course, money, access, isEnrolled, hasAccount }) => ({
    subject: "A dispute was decided for you",
    happened: `The bank decided for you: ${money} for ${course} stays with you. ${access}`,
    remedy: isEnrolled
      ? nothingMore
      : `${hasAccount ? "Enroll, or refund" : "Refund"} the payment. If it is to stay as it is, mark it as done.`,
  }),
  dispute_lost: ({ who, course, money, access, hasAccount }) => ({
    subject: "A dispute was decided against you",
    happened: `The bank decided for ${who}: ${money} for ${course} went back. ${access}${hasAccount ? " Progress and journal are kept." : ""}`,
    remedy: nothingMore,
  }),
  refund_failed: ({ who, course, hasAccount, isLost }) => ({
    subject: "A refund did not arrive",
    happened: `A refund to ${who} for ${course} did not arrive. The money is back in your Stripe balance.`,
    remedy: isLost
      ? "The bank has decided about this payment since. Stripe shows whether anything is left to return."
      : hasAccount
        ? `Try again here, or ask ${who} how to return it. Stripe says why.`
        : "Try again here. Stripe says why, and shows the email address it was paid with.",
  }),
};

const ofBanks: readonly PaymentIssueReason[] = ["disputed", "dispute_lost"];

export function paymentIssueText(
  reason: PaymentIssueReason,
  facts: PaymentIssueFacts,
): PaymentIssueText {
  const { name, course, amountCents, currency, status, dispute, isEnrolled } = facts;
  const { isBeingDeleted, paymentIntentId } = facts;
  const who = name ?? "somebody whose account is gone";
  const words = sketches[reason]({
    who,
    course: `“${course}”`,
    money: formatMoney(amountCents, currency),
    hasAccount: name !== null,
    access: isEnrolled
      ? `The course is open to ${who}.`
      : name === null
        ? ""
        : `The course is not open to ${who}.`,
    isEnrolled,
    isLost: dispute === "lost",
    isBeingDeleted,
    atStripe: `Stripe’s reference is ${paymentIntentId}. It shows the email address that was paid with.`,
  });
  const isHeld = status === "disputed" && dispute === "open" && !ofBanks.includes(reason);
  const wait = "Nothing can be returned or opened while the bank decides about this payment.";
  const trimmed = { ...words, happened: words.happened.trim() };
  return isHeld ? { ...trimmed, remedy: wait } : trimmed;
}
