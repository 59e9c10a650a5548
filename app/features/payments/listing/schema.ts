import type { AttentionReason } from "../schema.ts";

/** How the list of payments can be ordered: the newest first. */
export const paymentSorts = { paid: "desc" } as const;

/** A payment as the coach sees it. */
export type DeskPayment = {
  id: string;
  /** Null, with name and address, when the account is gone. */
  userId: string | null;
  name: string | null;
  email: string | null;
  /** When the account is deleted; null when that is not asked for, or done. */
  goesAt: Date | null;
  productId: string;
  course: string;
  isCourseDeleted: boolean;
  paymentIntentId: string | null;
  status: "started" | "paid" | "failed" | "refunded" | "disputed" | "expired";
  amountCents: number;
  currency: string;
  refundedCents: number;
  /** What a bank has to do with it; null: nothing. */
  dispute: "inquiry" | "open" | "lost" | null;
  /** What of it needs her now, oldest first. */
  attentions: { id: string; reason: AttentionReason }[];
  paidAt: Date | null;
  endedAt: Date | null;
  /** Her enrollment in the course now, whoever opened it. */
  enrollmentId: string | null;
  /** The payment that it names: perhaps another one. */
  enrolledBy: string | null;
};
