import { z } from "zod";

export type CheckoutInput = {
  title: string;
  /** In the smallest unit of `currency`. */
  amountCents: number;
  /** ISO 4217 in lower case, as at Stripe. */
  currency: string;
  /** This site's id of the checkout, shown beside it at Stripe. */
  reference: string;
  /** Prefilled on Stripe's page; null lets the buyer type one there. */
  email: string | null;
  metadata: Record<string, string>;
  /** 30 minutes to 24 hours from now. */
  expiresAt: Date;
  successUrl: string;
  cancelUrl: string;
};

export type CheckoutSession = {
  id: string;
  url: string | null;
  status: "open" | "complete" | "expired";
  /** False while it is open, and while a delayed payment (bank debit, voucher) is on its way. */
  isPaid: boolean;
  amountCents: number;
  currency: string;
  metadata: Record<string, string>;
  payment: {
    id: string;
    /** A delayed payment failed; otherwise it arrived or is on its way. */
    hasFailed: boolean;
    refundedCents: number;
    isDisputed: boolean;
    chargedAt: Date | null;
  } | null;
};

export type StripePayment = {
  id: string;
  receivedCents: number;
  refundedCents: number;
  currency: string;
  refunds: StripeRefund[];
  disputes: StripeDispute[];
};

export type StripeRefund = {
  id: string;
  paymentIntentId: string | null;
  amountCents: number;
  status: "pending" | "requires_action" | "succeeded" | "failed" | "canceled";
  createdAt: Date;
};

export type StripeDispute = {
  id: string;
  paymentIntentId: string | null;
  amountCents: number;
  /** 'won' and 'lost' are final; 'warning_…' are inquiries that have taken no money yet. */
  status: string;
  reason: string;
  createdAt: Date;
};

/** What is true now is read from Stripe by the object's id. */
export type StripeEvent = { id: string; type: string; createdAt: Date; objectId: string };

/** Why a paid checkout did not open the course by itself, or paid for it a second time. */
export const bookingReasons = [
  "amount_differs",
  "course_deleted",
  "account_deleted",
  "already_enrolled",
] as const;

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

/** A closed list; the texts are in payment-issue-text.ts. */
export const paymentIssueReasons = [...bookingReasons, ...laterReasons];

export type PaymentIssueReason = (typeof paymentIssueReasons)[number];

export type PaymentIssue = {
  reason: PaymentIssueReason;
  /** Stripe's id of the dispute or refund; the payment's own id for what happened on this site. */
  cause: string;
};

export const checkoutRequest = z.object({ productId: z.uuid() });

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

export const paymentSorts = { paid: "desc" } as const;

export type AdminPayment = {
  id: string;
  /** Null, like name and email, when the account is deleted. */
  userId: string | null;
  name: string | null;
  email: string | null;
  /** When the account will be deleted; null when that is not scheduled. */
  goesAt: Date | null;
  productId: string;
  course: string;
  isCourseDeleted: boolean;
  paymentIntentId: string | null;
  status: "started" | "paid" | "failed" | "refunded" | "disputed" | "expired";
  amountCents: number;
  currency: string;
  refundedCents: number;
  dispute: "inquiry" | "open" | "lost" | null;
  issues: { id: string; reason: PaymentIssueReason }[];
  paidAt: Date | null;
  endedAt: Date | null;
  enrollmentId: string | null;
  /** The payment that this enrollment names, perhaps another one. */
  enrolledBy: string | null;
};

export type CheckoutEnd = "failed" | "returned" | "disputed" | "undelivered" | "closed";

export type Purchase = {
  /** waiting: the money is on its way, or Stripe is unreachable; attention: the coach has to
   * look at it; failed: nothing came of it; returned: the money went back; disputed: a bank
   * decides; undelivered: a refund failed; closed: paid, but the course is not open now. */
  state: "enrolled" | "waiting" | "attention" | CheckoutEnd;
  title: string;
  slug: string;
};
