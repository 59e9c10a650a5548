/** What the site reads at Stripe, by the names that a restricted key's rights have there. */
export const reads = [
  "Events",
  "Checkout Sessions",
  "PaymentIntents",
  "Charges and Refunds",
  "Disputes",
] as const;
