/**
 * Where a checkout stands: nobody here knows it, it can still be paid, its money is on its way,
 * the slow payment failed, it came to its end unpaid, it opened the course, it was paid and the
 * coach has to look at it, or it was paid and the money went back.
 */
export type Standing =
  | "unknown"
  | "open"
  | "waiting"
  | "failed"
  | "expired"
  | "enrolled"
  | "attention"
  | "returned";
