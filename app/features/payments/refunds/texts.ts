/** What is said to the coach after she has pressed 'Refund'. */
export const refundMessages = {
  done: { title: "Refunded", tone: "success" },
  already: {
    title: "Already refunded",
    description: "This payment was given back before. Nothing was sent twice.",
    tone: "default",
  },
  sent: {
    title: "Refunded",
    description: "Stripe has taken it. This page says so as soon as Stripe can be asked again.",
    tone: "success",
  },
  failed: "Failed to refund the payment",
  notAsked: "Stripe could not be reached, so nothing was refunded. Please try again in a minute.",
  unknown:
    "Stripe did not answer, so it is not certain whether the money went back. Look here again in a minute: what Stripe knows is asked before anything is sent twice.",
  noMoney:
    "Your balance at Stripe does not hold this amount just now. Add money to it at Stripe, or wait for the next payments, and press again.",
  disputed:
    "The bank is deciding about this payment, so it cannot be refunded. Answer the dispute at Stripe.",
  changed:
    "Some of it was refunded meanwhile. Please look at the amount that is left, and press again.",
  refused: "Stripe did not accept the refund. Open the payment at Stripe to see why.",
  missing: "There is no such payment.",
  notPaid: "This was never paid, so there is nothing to refund.",
} as const;
