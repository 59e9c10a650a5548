import { z } from "zod";

export const checkoutRequest = z.object({ productId: z.uuid() });

/** What Stripe says of a payment now; its refunds and disputes newest first. */
export type StripePayment = {
  receivedCents: number;
  /** 'pending', 'succeeded', 'failed', …; null for some old payment methods, which refund at once. */
  refunds: readonly {
    id: string;
    amount: number;
    status: string | null;
    /** `attempt`: the press on this site that asked for it; `access: "end"`: it ends the enrollment. */
    metadata?: Record<string, string> | null;
  }[];
  /** 'won' and 'lost' are final; 'warning_…' are inquiries that have taken no money yet. */
  disputes: readonly { id: string; status: string }[];
};

/** Why a paid checkout did not open the course by itself, or paid for it a second time. */
export const bookingReasons = [
  "amount_differs",
  "course_deleted",
  "account_deleted",
  "already_enrolled",
] as const;

export type BookingReason = (typeof bookingReasons)[number];

const laterReasons = [
  /** Paid, with the course opened, after the payer had scheduled account deletion. */
  "deletion_scheduled",
  /** The bank takes the money back for now and decides later. */
  "disputed",
  /** The bank only asks; no money was taken. */
  "inquiry",
  "dispute_won",
  "dispute_lost",
  /** A refund came back: it did not reach the payer. */
  "refund_failed",
] as const;

/** A closed list; the texts are in messages.ts. */
export const paymentIssueReasons = [...bookingReasons, ...laterReasons];

export type PaymentIssueReason = (typeof paymentIssueReasons)[number];

export type PaymentIssue = {
  reason: PaymentIssueReason;
  /** Stripe's id of the dispute or refund; the payment's own id for what happened on this site. */
  cause: string;
};

/** unknown: no row here; open: it can be paid; waiting: the money is on its way; failed: a
 * delayed payment failed; expired: it ended unpaid; enrolled: it opened the course; attention:
 * paid, and the coach has to look at it; returned: paid, and the money went back. */
export type CheckoutStanding =
  | "unknown"
  | "open"
  | "waiting"
  | "failed"
  | "expired"
  | "enrolled"
  | "attention"
  | "returned";

export type CheckoutEnd = "failed" | "returned" | "disputed" | "undelivered" | "closed";

export type Purchase = {
  /** waiting: the money is on its way, or Stripe is unreachable; attention: the coach has to
   * look at it; failed: nothing came of it; returned: the money went back; disputed: a bank
   * decides; undelivered: a refund failed; closed: paid, but the course is not open now. */
  state: "enrolled" | "waiting" | "attention" | CheckoutEnd;
  title: string;
  slug: string;
};
