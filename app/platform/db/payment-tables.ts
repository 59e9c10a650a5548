import type { Generated } from "kysely";
import type { Optional, Time } from "./columns.ts";

export type PaymentStatus = "started" | "paid" | "failed" | "refunded" | "disputed" | "expired";

export type PaymentsTable = {
  id: string;
  userId: Optional<string>;
  productId: string;
  /** Null until Stripe has created the session: it cannot be paid before. */
  checkoutSessionId: Optional<string>;
  paymentIntentId: Optional<string>;
  status: PaymentStatus;
  /** In cents of `currency`: what was requested, and once paid, what was paid. */
  amountCents: number;
  refundedCents: Generated<number>;
  /** Counts Stripe's saved answers: an answer from before the latest count is stale. */
  answers: Generated<number>;
  currency: string;
  dispute: Optional<"inquiry" | "open" | "lost">;
  /** Why booking it did not open the course, whatever came later. */
  bookingReason: Optional<string>;
  receiptAt: Optional<Time>;
  paidAt: Optional<Time>;
  endedAt: Optional<Time>;
  createdAt: Time;
  updatedAt: Time;
};

/** Below zero where a refund came back from the bank. */
export type PaymentRefundsTable = {
  id: string;
  paymentId: string;
  cents: number;
  createdAt: Time;
};

export type TalliesTable = {
  kind: string;
  subject: string;
  quarter: number;
  count: number;
  cents: number;
};

export type PaymentIssuesTable = {
  id: string;
  paymentId: string;
  reason: string;
  /** Stripe's id of the dispute or refund, else of the payment: each issue is raised once. */
  cause: string;
  raisedAt: Time;
  resolvedAt: Optional<Time>;
};

export type StripeEventsTable = {
  id: string;
  type: string;
  objectId: string;
  createdAt: Time;
  triedAt: Optional<Time>;
  /** Null until handled: the event is retried until then. */
  handledAt: Optional<Time>;
};

/** No row means that the user gets this kind of email. */
export type DeclinedEmailsTable = { userId: string; kind: string; createdAt: Time };

/** Lessons that an email has announced to a student: each once for an enrollment. */
export type AnnouncedLessonsTable = {
  enrollmentId: string;
  lessonId: string;
  /** Its row in the outbox. A retry names the same lessons again. */
  emailId: string;
  /** The student's day on which it was first sent, as '2026-11-22'. */
  day: string;
};
