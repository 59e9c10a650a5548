import { formatMoney } from "../rules.ts";
import type { AttentionReason } from "../schema.ts";

export type AttentionFacts = {
  /** Of who paid; null when the account is gone. */
  name: string | null;
  course: string;
  amountCents: number;
  currency: string;
};

/** What happened and what can be done, in words for the coach. */
export type AttentionWords = { subject: string; happened: string; remedy: string };

type Sketch = { who: string; course: string; money: string };

const sketches: Record<AttentionReason, (facts: Sketch) => AttentionWords> = {
  amount_differs: ({ who, course, money }) => ({
    subject: "A payment of another amount than was asked for",
    happened: `The payment of ${who} for ${course} was ${money}. That is not what was asked for, so the course was not opened.`,
    remedy: "Look at the payment at Stripe. Then enroll, or refund it.",
  }),
  course_deleted: ({ who, course, money }) => ({
    subject: "A payment for a course that was deleted",
    happened: `There is a payment of ${money} by ${who} for ${course}. The course was deleted before the money came, so nothing was opened.`,
    remedy: "Restore the course and enroll, or refund the payment.",
  }),
  account_deleted: ({ who, course, money }) => ({
    subject: "A payment of somebody without an account",
    happened: `There is a payment of ${money} for ${course} by ${who}. Nothing could be opened.`,
    remedy: "Refund it. Stripe shows the email address it was paid with.",
  }),
  already_enrolled: ({ who, course, money }) => ({
    subject: "A payment for a course that was open already",
    happened: `There is a payment of ${money} by ${who} for ${course}, which was open to ${who} before.`,
    remedy: "Refund it, or leave it as it is and mark it as done.",
  }),
  disputed: ({ who, course, money }) => ({
    subject: "A payment is disputed",
    happened: `The bank of ${who} wants ${money} for ${course} back. The course is closed to ${who} until the bank has decided.`,
    remedy:
      "Answer the dispute at Stripe before the day it names there. If the bank decides for you, what was open before opens again by itself.",
  }),
  inquiry: ({ who, course, money }) => ({
    subject: "A bank asks about a payment",
    happened: `The bank of ${who} asks about ${money} for ${course}. No money was taken, and nothing is closed.`,
    remedy: "Answer it at Stripe before the day it names there, or refund the payment.",
  }),
  dispute_won: ({ who, course, money }) => ({
    subject: "A dispute was decided for you",
    happened: `The bank decided for you: ${money} for ${course} stays with you. What the dispute had closed is open to ${who} again.`,
    remedy: "There is nothing more to do.",
  }),
  dispute_won_closed: ({ who, course, money }) => ({
    subject: "A dispute was decided for you",
    happened: `The bank decided for you: ${money} for ${course} stays with you. The course is not open to ${who}, and this did not open it.`,
    remedy: "Enroll, or refund the payment. If it is to stay closed, mark it as done.",
  }),
  dispute_lost: ({ who, course, money }) => ({
    subject: "A dispute was decided against you",
    happened: `The bank decided for ${who}: ${money} for ${course} went back. The access stays ended; progress and journal are kept.`,
    remedy: "There is nothing more to do here.",
  }),
  refund_failed: ({ who, course, money }) => ({
    subject: "A refund did not arrive",
    happened: `The refund of ${money} for ${course} did not reach ${who}. The bank sent it back to your Stripe balance.`,
    remedy: `Ask ${who} how the money can be returned. Stripe says why it failed.`,
  }),
};

/** An entry of the list of what needs the coach, and of the letter that tells her of it. */
export function attentionWords(
  reason: AttentionReason,
  { name, course, amountCents, currency }: AttentionFacts,
): AttentionWords {
  const who = name ?? "somebody whose account is gone";
  return sketches[reason]({
    who,
    course: `“${course}”`,
    money: formatMoney(amountCents, currency),
  });
}
