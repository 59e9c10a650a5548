import { enrolledMessage } from "~/features/enrollments/messages.ts";
import type { CheckoutEnd, PaymentIssueReason, Purchase } from "./schema.ts";

export const paymentMessages = {
  notConfigured: "Nothing can be paid here yet.",
  badSignature: "This was not signed by Stripe, or too long ago.",
  checkoutFailed: "Checkout failed",
  didNotGoThrough: {
    title: "Checkout failed",
    description: "The payment did not go through, and nothing was taken.",
    tone: "destructive",
  },
  failed: "Failed to start checkout. Please try again.",
  notForSale: "This course is not for sale.",
  notOpenYet: "This course is not open yet.",
  alreadyEnrolled: "You are already enrolled in this course.",
  onItsWay:
    "Your payment for this course is on its way. It opens as soon as the money has arrived.",
  beingLookedAt:
    "There is a payment of yours for this course already. I am looking at it, and will write to you.",
  tooMany: "That was a lot of tries in a short time. Please wait a few minutes.",
  signInFirst: "Please sign in to purchase this course.",
  noCourseNamed: "Say which course: {productId}.",
} as const;

/** Where a student returns after paying (spec 2, Enrollment confirmed). */
export const successPath = "/enrollment-success";

/** Why the course is not sold again during a dispute; `email` is the coach's. */
export const bankIsAsked = (email: string) =>
  `Your bank is still asking about your earlier payment for this course. So that you do not pay twice, you cannot buy it again now. Please write to me at ${email}.`;

/** What the site reads at Stripe, named like the permissions of a restricted key. */
export const reads = [
  "Events",
  "Checkout Sessions",
  "PaymentIntents",
  "Charges and Refunds",
  "Disputes",
] as const;

export const paymentIssueMessages = {
  resolved: { title: "Marked as done", tone: "success" },
  reopened: { title: "Back on the list", tone: "success" },
  notReopened: {
    title: "Not put back",
    description: "It is on the list already, or was settled since.",
    tone: "default",
  },
  notShown: {
    title: "Already done",
    description: "This was off the list before.",
    tone: "default",
  },
  enrolled: { title: "Enrolled", tone: "success" },
  cannotEnroll: "This payment cannot open the course any more. Please look at it again.",
  loadFailed: "Failed to load payments",
  actionFailed: "Failed to change the payment",
} as const;

export const failureSubject = (course: string) => `Your payment for “${course}” did not go through`;

export const receiptSubject = (course: string) => `Your receipt for “${course}”`;

/** The amount of a refund in part, as it is typed on a payment's page. */
export const partField = "part";

export const refundMessages = {
  done: { title: "Refunded", tone: "success" },
  already: {
    title: "Already refunded",
    description: "This was given back before. Nothing was sent twice.",
    tone: "default",
  },
  sent: {
    title: "Refund sent",
    description: "Stripe has taken it. It shows here within the hour.",
    tone: "success",
  },
  sending: {
    title: "Not sent",
    description: "A refund of this payment is being sent. Look at it again in a moment.",
    tone: "default",
  },
  failed: "Failed to refund the payment",
  notAsked: "Stripe could not be asked, so nothing was refunded. Please try again in a minute.",
  unknown:
    "Stripe gave no clear answer, so it is not certain whether the money went back. Please wait a minute and load this page again. Look below at what has gone back before you press again.",
  keyRefused:
    "Stripe does not accept this site’s key for this, so nothing was refunded. You can refund it at Stripe.",
  notAtStripe:
    "Stripe does not know this payment, so nothing was refunded. Perhaps this site has the key of another account now.",
  noMoney:
    "Your balance at Stripe does not hold this amount just now. Add money to it at Stripe, or wait for the next payments, and press again.",
  disputed:
    "The bank is deciding about this payment, so it cannot be refunded. Answer the dispute at Stripe.",
  amountUnclear: "Write the amount as a number, like 50 or 49.50.",
  amountFine: "Write two decimals at most, like 49.50.",
  amountZero: "Write an amount above zero.",
  amountHigh: (left: string) => `At most ${left} can be refunded: that is what is left.`,
  changed:
    "The amount that is left has changed meanwhile, so nothing was sent. Look below at what has gone back before you press again.",
  refused: "Stripe did not accept the refund. Open the payment at Stripe to see why.",
  missing: "There is no such payment.",
  notPaid: "This was never paid, so there is nothing to refund.",
} as const;

export const successMessages: Record<
  Exclude<Purchase["state"], CheckoutEnd>,
  (title: string) => string
> = {
  enrolled: enrolledMessage,
  waiting: (title) =>
    `Thank you. Your payment is being processed. As soon as it has arrived, “${title}” opens, and you get an email. There is nothing you have to do.`,
  attention: (title) =>
    `Your payment for “${title}” has arrived, and I am looking at it by hand. I will write to you. There is nothing you have to do.`,
};

export const goToCourse = { enrolled: "Go to the lessons", other: "Back to the course’s page" };

export const pendingTitle = "Your course is not open yet";

const ask = "If you did not expect this, please write to me.";

export const checkoutEndToasts: Record<
  CheckoutEnd,
  { title: string; description: string; tone: "default" | "destructive" }
> = {
  failed: paymentMessages.didNotGoThrough,
  returned: {
    title: "The money for this course has gone back",
    description: `So that payment does not open the course any more. What you wrote in the journal is not deleted because of it. ${ask}`,
    tone: "default",
  },
  disputed: {
    title: "Your bank is asking about this payment",
    description: `Until it has decided, that payment does not open the course. What you wrote in the journal is not deleted because of it. ${ask}`,
    tone: "default",
  },
  undelivered: {
    title: "Your refund has not reached you",
    description: `The money for this course came back to me. I can see it, and will see to it that it reaches you. The course stays closed. ${ask}`,
    tone: "default",
  },
  closed: {
    title: "This course is not open to you",
    description: `Your payment for it has arrived, and does not open it now. ${ask}`,
    tone: "default",
  },
};

const moneyFormat = (currency: string) =>
  new Intl.NumberFormat("en-US", { style: "currency", currency });

const decimals = (format: Intl.NumberFormat) => format.resolvedOptions().maximumFractionDigits ?? 2;

/** 2 for most currencies, 0 for 'jpy'. */
export const decimalsOf = (currency: string): number => decimals(moneyFormat(currency));

/** '$197.00', '¥19,700'. `amount` in the currency's smallest unit; ISO 4217 in lower case. */
export function formatMoney(amount: number, currency: string): string {
  const format = moneyFormat(currency);
  return format.format(amount / 10 ** decimals(format));
}

/** '197.00', '19700': as one types it, and as a spreadsheet calculates with it. */
export function plainMoney(amount: number, currency: string): string {
  const digits = decimalsOf(currency);
  return (amount / 10 ** digits).toFixed(digits);
}

/** The payment at the time of reading: the text must be true then. */
type PaymentIssueFacts = {
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

const nothingMore = "There is nothing more to do here.";
const ofBanks: readonly PaymentIssueReason[] = ["disputed", "dispute_lost"];

/** What happened to a payment, and what the coach can do about it. */
export function paymentIssueText(
  reason: PaymentIssueReason,
  facts: PaymentIssueFacts,
): PaymentIssueText {
  const { name, isEnrolled, isBeingDeleted, status, dispute } = facts;
  const hasAccount = name !== null;
  const who = name ?? "somebody whose account is gone";
  const course = `“${facts.course}”`;
  const money = formatMoney(facts.amountCents, facts.currency);
  const open = isEnrolled ? "open" : "not open";
  const access = isEnrolled || hasAccount ? ` The course is ${open} to ${who}.` : "";
  const atStripe = `Stripe’s reference is ${facts.paymentIntentId}. It shows the email address that was paid with.`;
  const texts: Record<PaymentIssueReason, PaymentIssueText> = {
    amount_differs: {
      subject: "A payment of another amount than was asked for",
      happened: `The payment of ${who} for ${course} was ${money}. That is not what was asked for, so it did not open the course.`,
      remedy: "Look at the payment at Stripe. Then enroll the student, or refund the payment.",
    },
    course_deleted: {
      subject: "A payment for a course that was deleted",
      happened: `There is a payment of ${money} by ${who} for ${course}. The course was deleted before the money came, so nothing was opened.`,
      remedy: "Restore the course and enroll, or refund the payment.",
    },
    account_deleted: {
      subject: "A payment of somebody without an account",
      happened: `There is a payment of ${money} for ${course} by ${who}. Nothing could be opened.`,
      remedy: `Refund it. ${atStripe}`,
    },
    already_enrolled: {
      subject: "A payment for a course that was open already",
      happened: `There is a payment of ${money} by ${who} for ${course}. The course was open without it.`,
      remedy: hasAccount ? `Refund it, unless you and ${who} agreed otherwise.` : "Refund it.",
    },
    deletion_scheduled: !hasAccount
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
    disputed: {
      subject: "A payment is disputed",
      happened: `The bank of ${who} wants ${money} for ${course} back.${access}`,
      remedy:
        "Answer the dispute at Stripe before the day it names there. If the bank decides for you, what the dispute closed opens again by itself.",
    },
    inquiry: {
      subject: "A bank asks about a payment",
      happened: `The bank of ${who} asks about ${money} for ${course}. No money was taken, and nothing was closed by it.`,
      remedy: "Answer it at Stripe before the day it names there, or refund the payment.",
    },
    dispute_won: {
      subject: "A dispute was decided for you",
      happened: `The bank decided for you: ${money} for ${course} stays with you.${access}`,
      remedy: isEnrolled
        ? nothingMore
        : `${hasAccount ? "Enroll, or refund" : "Refund"} the payment. If it is to stay as it is, mark it as done.`,
    },
    dispute_lost: {
      subject: "A dispute was decided against you",
      happened: `The bank decided for ${who}: ${money} for ${course} went back.${access}${hasAccount ? " Progress and journal are kept." : ""}`,
      remedy: nothingMore,
    },
    refund_failed: {
      subject: "A refund did not arrive",
      happened: `A refund to ${who} for ${course} did not arrive. The money is back in your Stripe balance.`,
      remedy:
        dispute === "lost"
          ? "The bank has decided about this payment since. Stripe shows whether anything is left to return."
          : hasAccount
            ? `Try again here, or ask ${who} how to return it. Stripe says why.`
            : "Try again here. Stripe says why, and shows the email address it was paid with.",
    },
  };
  const isHeld = status === "disputed" && dispute === "open" && !ofBanks.includes(reason);
  if (!isHeld) return texts[reason];
  const wait = "Nothing can be returned or opened while the bank decides about this payment.";
  return { ...texts[reason], remedy: wait };
}
