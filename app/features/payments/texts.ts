export const messages = {
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

/** Where whoever has paid comes back to (spec 2, Enrollment confirmed). */
export const successPath = "/enrollment-success";

/** Why a course is not sold to her once more; `email` is the coach's. */
export const bankIsAsked = (email: string) =>
  `Your bank is still asking about your earlier payment for this course. So that you do not pay twice, you cannot buy it again now. Please write to me at ${email}.`;
