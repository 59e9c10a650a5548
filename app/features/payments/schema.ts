/** What a checkout is created from. */
export type Asked = {
  title: string;
  /** In the smallest unit of `currency`. */
  amountCents: number;
  /** ISO 4217 in small letters, as Stripe has it. */
  currency: string;
  /** Our own name for this checkout, shown beside it at Stripe. */
  reference: string;
  /** Hers, for Stripe's page; null leaves it to her to type one there. */
  email: string | null;
  metadata: Record<string, string>;
  /** 30 minutes to 24 hours from now. */
  expiresAt: Date;
  successUrl: string;
  cancelUrl: string;
};

/** A Checkout Session as it stands at Stripe. */
export type CheckoutSession = {
  id: string;
  /** Where it is paid; null unless it is open. */
  url: string | null;
  status: "open" | "complete" | "expired";
  /** Not while it is open, nor while a slow payment (a bank debit, a voucher) is on its way. */
  isPaid: boolean;
  amountCents: number;
  currency: string;
  metadata: Record<string, string>;
  /** What was made of it; null before anything is paid. */
  payment: {
    id: string;
    /** A slow payment that did not come; else it came, or is on its way. */
    hasFailed: boolean;
    refundedCents: number;
    isDisputed: boolean;
    /** When the money was asked for; null while it was not. */
    chargedAt: Date | null;
  } | null;
};

/** A payment (Stripe's payment intent) as it stands. */
export type StripePayment = {
  id: string;
  /** What has been taken, before anything was given back. */
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
  /** 'won' and 'lost' are its ends; 'warning_…' are questions that took no money yet. */
  status: string;
  /** Stripe's word for it, e.g. 'fraudulent', 'product_not_received'. */
  reason: string;
  createdAt: Date;
};

/** Something that happened at Stripe. What of it is true now, is asked by the object's id. */
export type StripeEvent = { id: string; type: string; createdAt: Date; objectId: string };

/** Why a paid checkout did not open the course by itself, or did so beside another one. */
export const bookingReasons = [
  "amount_differs",
  "course_deleted",
  "account_deleted",
  "already_enrolled",
] as const;

/** What happened to a payment later. */
const laterReasons = [
  /** It was paid, and opened its course, after its payer had asked for the account to be deleted. */
  "deletion_scheduled",
  /** The bank takes the money back for now; it decides later. */
  "disputed",
  /** The bank only asks; nothing has been taken. */
  "inquiry",
  "dispute_won",
  "dispute_lost",
  /** Money that was given back came back: it did not reach her. */
  "refund_failed",
] as const;

/** Why a payment needs the coach; closed. What she reads of each is in attention/rules.ts. */
export const attentionReasons = [...bookingReasons, ...laterReasons];

export type AttentionReason = (typeof attentionReasons)[number];

/** Something that needs the coach, and what it is about: it is raised once. */
export type Matter = {
  reason: AttentionReason;
  /** Stripe's id of the dispute or refund; of what happened here, the payment's own. */
  cause: string;
};
