import { enqueueToAdmins } from "~/features/accounts/administrators.server.ts";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import type { AuditAction } from "~/features/audit-log/messages.ts";
import { isAny, type Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { paymentIssueEmail } from "./jobs.server.ts";
import { formatMoney } from "./messages.ts";
import type { Verdict } from "./rules.ts";
import {
  bookingReasons,
  type PaymentIssue,
  type PaymentIssueReason,
  paymentIssueReasons,
} from "./schema.ts";

type Raising = PaymentIssue & {
  paymentId: string;
  now: Date;
  /** Resolved already: it is stored without an email. */
  isOver?: boolean;
};

/** Raises an issue within the transaction of its cause and emails every administrator.
 * Idempotent: each issue is raised once, and replaces no other. */
export async function raiseIssueWithin(
  trx: Query,
  { paymentId, reason, cause, now, isOver = false }: Raising,
): Promise<void> {
  const issue = await trx
    .insertInto("paymentIssues")
    .values({
      ...{ id: newId(), paymentId, reason, cause },
      ...{ raisedAt: now, resolvedAt: isOver ? now : null },
    })
    .onConflict((conflict) => conflict.columns(["paymentId", "reason", "cause"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!issue || isOver) return;
  await enqueueToAdmins(trx, paymentIssueEmail, { issueId: issue.id }, now);
}

export async function isIssueOpen(
  db: Query,
  { paymentId, reason }: { paymentId: string; reason: PaymentIssueReason },
): Promise<boolean> {
  return isAny(
    db
      .selectFrom("paymentIssues")
      .where("paymentId", "=", paymentId)
      .where("reason", "=", reason)
      .where("resolvedAt", "is", null),
  );
}

const overWhenLost: readonly PaymentIssueReason[] = [
  ...bookingReasons,
  "dispute_won",
  "deletion_scheduled",
];
const takenByBanks: readonly PaymentIssueReason[] = ["disputed", "dispute_lost"];
const overWhenRefunded = paymentIssueReasons.filter((reason) => !takenByBanks.includes(reason));

type Settling = {
  status: string;
  dispute: string | null;
  /** Whether the payer's enrollment is this payment's. */
  isOpening: boolean;
};

/** Whether nothing is left of an issue: it must not be reopened. */
export function isSettled(
  reason: PaymentIssueReason,
  { status, dispute, isOpening }: Settling,
): boolean {
  if (reason === "disputed") return dispute !== "open";
  if (reason === "inquiry") return dispute !== "inquiry";
  if (status === "refunded") return overWhenRefunded.includes(reason);
  if (dispute === "lost" && overWhenLost.includes(reason)) return true;
  return isOpening && bookingReasons.some((booking) => booking === reason);
}

type Syncing = { paymentId: string; verdict: Verdict; now: Date };

/** Resolves the issues that Stripe's verdict has settled and raises new ones. After a full
 * refund only what a bank takes besides stays open; money lost to a bank does not enroll. */
export async function syncIssuesWithin(
  trx: Query,
  { paymentId, verdict: { status, dispute, issues }, now }: Syncing,
): Promise<void> {
  const staysOpen = ({ reason }: PaymentIssue) =>
    status !== "refunded" || reason.startsWith("dispute");
  for (const reason of ["disputed", "inquiry"] as const) {
    const open = issues.filter((one) => one.reason === reason && staysOpen(one));
    const unless = open.map(({ cause }) => cause);
    await resolveIssuesWithin(trx, { paymentId, reasons: [reason], unless, now });
  }
  const over = status === "refunded" ? overWhenRefunded : dispute === "lost" ? overWhenLost : [];
  if (over.length > 0) await resolveIssuesWithin(trx, { paymentId, reasons: over, now });
  for (const issue of issues)
    await raiseIssueWithin(trx, { ...issue, paymentId, now, isOver: !staysOpen(issue) });
}

type Resolving = {
  paymentId: string;
  reasons: readonly PaymentIssueReason[];
  /** Causes whose issues stay open. */
  unless?: readonly string[];
  now: Date;
};

/** Resolves issues within the transaction that settles them. Returns whether there were any. */
export async function resolveIssuesWithin(
  trx: Query,
  { paymentId, reasons, unless = [], now }: Resolving,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("paymentIssues")
    .set({ resolvedAt: now })
    .where("paymentId", "=", paymentId)
    .where("reason", "in", reasons)
    .where("resolvedAt", "is", null)
    .$if(unless.length > 0, (update) => update.where("cause", "not in", unless))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Resolves the one issue that the coach was shown. Returns false when it was resolved before. */
export async function resolveIssue(
  services: Services,
  { paymentId, id }: { paymentId: string; id: string },
): Promise<boolean> {
  return services.db.transaction(async (trx) => {
    const resolved = await trx
      .updateTable("paymentIssues")
      .set({ resolvedAt: services.clock.now() })
      .where("id", "=", id)
      .where("paymentId", "=", paymentId)
      .where("resolvedAt", "is", null)
      .executeTakeFirst();
    if (resolved.numUpdatedRows === 0n) return false;
    await auditPayment(trx, services, { action: "payment.issue-resolved", paymentId });
    return true;
  });
}

type PaymentAudit = { action: AuditAction; paymentId: string; cents?: number };

/** Records what the coach does about a payment, under the name of its course; `cents` are in the
 * payment's currency. */
export async function auditPayment(
  trx: Query,
  services: Pick<Services, "actor" | "clock">,
  { action, paymentId, cents }: PaymentAudit,
): Promise<void> {
  const payment = await trx
    .selectFrom("payments")
    .innerJoin("products", "products.id", "payments.productId")
    .select(["payments.userId", "payments.currency", "products.title"])
    .where("payments.id", "=", paymentId)
    .executeTakeFirst();
  if (!payment) return;
  const of = { id: paymentId, label: payment.title, personId: payment.userId };
  const details = cents === undefined ? undefined : { money: formatMoney(cents, payment.currency) };
  await recordAudit(trx, services, { action, ...of, details });
}
