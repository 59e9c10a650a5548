/** What is said to the coach after she has pressed 'Refund'. */
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
