import { sql } from "kysely";
import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { auditPayment, isSettled } from "./issues.server.ts";
import { paymentIssueText } from "./messages.ts";
import { allPayments, holdsEnrollment, paymentDetails } from "./payments.server.ts";
import { lockEnrollment } from "./refunds.server.ts";
import type { PaymentIssueReason } from "./schema.ts";

type Which = { paymentId: string } | { id: string };

// Of one payment; there are as many as Stripe has disputes and failed refunds of it.
const mostDone = 20;

export type DoneIssue = Awaited<ReturnType<typeof listDoneIssues>>[number];

/** The issues of a payment, or the one with this id, that are resolved and can be reopened. */
export async function listDoneIssues(db: Query, which: Which) {
  if (!isId("id" in which ? which.id : which.paymentId)) return [];
  const done = db
    .selectFrom("paymentIssues")
    .select(["id", "paymentId", sql.ref<PaymentIssueReason>("reason").as("reason")])
    .where("resolvedAt", "is not", null);
  const issues = await ("id" in which
    ? done.where("id", "=", which.id)
    : done.where("paymentId", "=", which.paymentId)
  )
    .orderBy("raisedAt")
    .orderBy("id")
    .limit(mostDone)
    .execute();
  const [first] = issues;
  if (!first) return [];
  const some = allPayments(db).where("id", "=", first.paymentId);
  const payment = await paymentDetails(db, some).executeTakeFirstOrThrow();
  const facts = {
    ...payment,
    isEnrolled: payment.enrollmentId !== null,
    isBeingDeleted: payment.goesAt !== null,
  };
  const isOpening = holdsEnrollment(payment);
  return issues
    .filter(({ reason }) => !isSettled(reason, { ...payment, isOpening }))
    .map(({ id, paymentId, reason }) => ({
      ...{ id, paymentId, name: payment.name, course: payment.course },
      subject: paymentIssueText(reason, facts).subject,
    }));
}

/** Puts a resolved issue back on the list. @returns false when it is there, or settled since */
export async function reopenIssue(
  services: Services,
  { paymentId, id }: { paymentId: string; id: string },
): Promise<boolean> {
  return services.db.transaction(async (trx) => {
    const payment = await allPayments(trx).where("id", "=", paymentId).executeTakeFirst();
    if (!payment) return false;
    // What settles it may be on its way.
    await lockEnrollment(services.db, trx, payment);
    const [done] = await listDoneIssues(trx, { id });
    if (done?.paymentId !== paymentId) return false;
    await trx.updateTable("paymentIssues").set({ resolvedAt: null }).where("id", "=", id).execute();
    await auditPayment(trx, services, { action: "payment.issue-reopened", paymentId });
    return true;
  });
}
