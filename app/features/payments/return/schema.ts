export type Over = "failed" | "returned" | "disputed" | "undelivered" | "closed";

/** What somebody who comes back from Stripe's page is told. */
export type Purchase = {
  /**
   * The course is open; or the money is on its way, or Stripe cannot be asked; or the coach has
   * to look at it. Or it is over: nothing came of it, the money went back, her bank decides about
   * it, a refund of it did not reach her, or it was paid and the course is not open to her now.
   */
  state: "enrolled" | "waiting" | "attention" | Over;
  title: string;
  slug: string;
};
