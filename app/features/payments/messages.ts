import { enrolledMessage } from "~/features/enrollments/messages.ts";
import type { CheckoutEnd, Purchase } from "./schema.ts";

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
  attended: { title: "Marked as done", tone: "success" },
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

export const refundMessages = {
  done: { title: "Refunded", tone: "success" },
  already: {
    title: "Already refunded",
    description: "This payment was given back before. Nothing was sent twice.",
    tone: "default",
  },
  sent: {
    title: "Refund sent",
    description: "Stripe has taken it. It shows here within the hour.",
    tone: "success",
  },
  failed: "Failed to refund the payment",
  notAsked: "Stripe could not be asked, so nothing was refunded. Please try again in a minute.",
  unknown:
    "Stripe gave no clear answer, so it is not certain whether the money went back. Please press again in a minute. Nothing is refunded twice.",
  keyRefused:
    "Stripe does not accept this site’s key for this, so nothing was refunded. You can refund it at Stripe.",
  notAtStripe:
    "Stripe does not know this payment, so nothing was refunded. Perhaps this site has the key of another account now.",
  noMoney:
    "Your balance at Stripe does not hold this amount just now. Add money to it at Stripe, or wait for the next payments, and press again.",
  disputed:
    "The bank is deciding about this payment, so it cannot be refunded. Answer the dispute at Stripe.",
  changed: "The amount that is left has changed meanwhile. Please look at it, and press again.",
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

/** For visitors without a checkout of their own: it must be true for everybody. */
export const successMessageForAll =
  "Thank you. Once your enrollment has gone through, your course is open. Nothing has to happen today.";

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
