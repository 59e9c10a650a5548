import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import type { AuditAction } from "~/features/audit-log/messages.ts";
import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { paymentIssueEmail } from "./jobs.server.ts";
import type { Verdict } from "./rules.ts";
import {
  bookingReasons,
  type PaymentIssue,
  type PaymentIssueReason,
  paymentIssueReasons,
} from "./schema.ts";

type Done = { action: AuditAction; paymentId: string; details?: Record<string, number> };

export async function auditPayment(
  trx: Query,
  services: Pick<Services, "actor" | "clock">,
  { action, paymentId, details }: Done,
): Promise<void> {
  const payment = await trx
    .selectFrom("payments")
    .leftJoin("products", "products.id", "payments.productId")
    .select(["payments.userId", "products.title"])
    .where("payments.id", "=", paymentId)
    .executeTakeFirst();
  if (!payment) return;
  const of = { id: paymentId, label: payment.title ?? "", personId: payment.userId };
  await recordAudit(trx, services, { action, ...of, details });
}

type Raising = PaymentIssue & {
  paymentId: string;
  now: Date;
  /** Resolved before anybody was told: it is stored without an email. */
  isOver?: boolean;
};

/** Raises an issue within the transaction of its cause and emails every administrator.
 * Idempotent: each issue is raised once, and replaces no other. Returns whether it is new. */
export async function raiseIssueWithin(
  trx: Query,
  { paymentId, reason, cause, now, isOver = false }: Raising,
): Promise<boolean> {
  const id = newId();
  const result = await trx
    .insertInto("paymentIssues")
    .values({ id, paymentId, reason, cause, raisedAt: now, resolvedAt: isOver ? now : null })
    .onConflict((conflict) => conflict.columns(["paymentId", "reason", "cause"]).doNothing())
    .executeTakeFirst();
  const isNew = (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  if (!isNew || isOver) return isNew;
  const administrators = await trx
    .selectFrom("profiles")
    .select("id")
    .where("role", "=", "admin")
    .where("suspendedAt", "is", null)
    .orderBy("id")
    .execute();
  for (const { id: userId } of administrators)
    await enqueue(trx, paymentIssueEmail, { issueId: id, userId }, { now, to: { userId } });
  return true;
}

export async function isIssueOpen(
  trx: Query,
  { paymentId, reason }: { paymentId: string; reason: PaymentIssueReason },
): Promise<boolean> {
  const row = await trx
    .selectFrom("paymentIssues")
    .select("id")
    .where("paymentId", "=", paymentId)
    .where("reason", "=", reason)
    .where("resolvedAt", "is", null)
    .executeTakeFirst();
  return row !== undefined;
}

const overWhenLost: readonly PaymentIssueReason[] = ["dispute_won", "deletion_scheduled"];

type TakingOver = { paymentId: string; verdict: Verdict; now: Date };

/** Resolves the issues that Stripe's verdict has settled and raises new ones. After a full
 * refund only what a bank takes besides stays open; money lost to a bank enrolls nobody. */
export async function syncIssuesWithin(
  trx: Query,
  { paymentId, verdict: { status, dispute, matters }, now }: TakingOver,
): Promise<void> {
  const isHers = ({ reason }: PaymentIssue) =>
    status !== "refunded" || reason.startsWith("dispute");
  const causesOf = (reason: string) =>
    matters.filter((one) => one.reason === reason && isHers(one)).map(({ cause }) => cause);
  for (const reason of ["disputed", "inquiry"])
    await resolveIssuesWithin(trx, { paymentId, reasons: [reason], unless: causesOf(reason), now });
  if (status === "refunded") {
    const ofBanks = ["disputed", "dispute_lost"];
    const reasons = paymentIssueReasons.filter((reason) => !ofBanks.includes(reason));
    await resolveIssuesWithin(trx, { paymentId, reasons, now });
  } else if (dispute === "lost")
    await resolveIssuesWithin(trx, {
      paymentId,
      reasons: [...bookingReasons, ...overWhenLost],
      now,
    });
  for (const matter of matters)
    await raiseIssueWithin(trx, { ...matter, paymentId, now, isOver: !isHers(matter) });
}

/** Resolves the one issue that the coach was shown. Returns false when it was resolved before. */
export async function resolveIssue(
  services: Services,
  { paymentId, id }: { paymentId: string; id: string },
): Promise<boolean> {
  const { db, clock } = services;
  return db.transaction(async (trx) => {
    const matter = await trx
      .updateTable("paymentIssues")
      .set({ resolvedAt: clock.now() })
      .where("id", "=", id)
      .where("paymentId", "=", paymentId)
      .where("resolvedAt", "is", null)
      .returning("reason")
      .executeTakeFirst();
    if (!matter) return false;
    await auditPayment(trx, services, { action: "payment.attended", paymentId });
    return true;
  });
}

type Attending = {
  paymentId: string;
  reasons: readonly string[];
  unless?: readonly string[];
  now: Date;
};

/** Resolves issues within the transaction that settles them. Returns whether there were any. */
export async function resolveIssuesWithin(
  trx: Query,
  { paymentId, reasons, unless = [], now }: Attending,
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
