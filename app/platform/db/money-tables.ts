import type { Generated } from "kysely";
import type { Optional, Time } from "./column-types.ts";

export type PaymentStatus = "started" | "paid" | "failed" | "refunded" | "disputed" | "expired";

/** One row a checkout that was begun at Stripe. */
export type PaymentsTable = {
  id: string;
  /** Null when the account is gone. */
  userId: Optional<string>;
  productId: string;
  /** Null while Stripe has not said what it made: nobody can have paid then. */
  checkoutSessionId: Optional<string>;
  /** What enrollments name as `stripe_payment_id`; known once it is paid. */
  paymentIntentId: Optional<string>;
  status: PaymentStatus;
  /** What was asked for, in cents of `currency`; once it is paid, what was paid. */
  amountCents: number;
  refundedCents: Generated<number>;
  /** How many answers of Stripe's were written down: where it has moved, an answer is old. */
  answers: Generated<number>;
  /** ISO 4217 in small letters, as Stripe has it. */
  currency: string;
  /** What a bank has to do with it now; null: nothing. Of several disputes the worst counts. */
  dispute: Optional<"inquiry" | "open" | "lost">;
  /** Why it did not open its course when it was booked, whatever came later. */
  bookingReason: Optional<string>;
  /** When her receipt was written down: there is one a payment. */
  receiptAt: Optional<Time>;
  paidAt: Optional<Time>;
  /** When it failed, was refunded in full, disputed or expired. */
  endedAt: Optional<Time>;
  createdAt: Time;
  updatedAt: Time;
};

/** Something about a payment that needs the coach. */
export type PaymentAttentionsTable = {
  id: string;
  paymentId: string;
  /** Of a closed list (features/payments/schema.ts). */
  reason: string;
  /** What it is about, by Stripe's id of the dispute or refund, else the payment's own: raised once. */
  cause: string;
  raisedAt: Time;
  /** When she said that it is done, or it was dealt with otherwise. */
  attendedAt: Optional<Time>;
};

/** What Stripe told and what was done already, one row an event. */
export type StripeEventsTable = {
  id: string;
  type: string;
  /** Stripe's id of what it is about. */
  objectId: string;
  /** When it happened at Stripe. */
  createdAt: Time;
  /** When it was last begun; null while nobody has. */
  triedAt: Optional<Time>;
  /** Null while it is not done: it is tried again until it is. */
  handledAt: Optional<Time>;
};

/** A kind of letter that somebody does not want; no row means that she gets it. */
export type DeclinedMailsTable = { userId: string; kind: string; createdAt: Time };

/** One row a day on which somebody is told of lessons that have opened. */
export type LessonLettersTable = {
  userId: string;
  /** Her own date, '2026-11-22'. */
  day: string;
  /** The row that sends it: no other does. */
  outboxId: string;
  /** When it first began to go out: what opens later goes with the letter of another day. */
  closedAt: Optional<Time>;
};

/** A lesson that a letter is about: once for each enrollment. */
export type LessonLetterLinesTable = {
  enrollmentId: string;
  lessonId: string;
  /** The letter's day. */
  day: string;
};

/**
 * Everybody who enrolled up to here (by time, then id) has been told of this lesson, will be with a
 * letter that is written down, or is not going to be.
 */
export type LessonMarksTable = {
  lessonId: string;
  enrolledAt: Time;
  enrollmentId: string;
  /** It opened with the enrollment when it was last looked at: there was nobody to tell. */
  fromStart: boolean;
};
