export type Over = "failed" | "returned" | "closed";

/** What somebody who comes back from Stripe's page is told. */
export type Purchase = {
  /**
   * The course is open; or the money is on its way, or Stripe cannot be asked; or the coach has
   * to look at it. Or it is over: nothing came of it, the money went back, or it was paid and the
   * course is not open to her any more.
   */
  state: "enrolled" | "waiting" | "attention" | Over;
  title: string;
  slug: string;
};
