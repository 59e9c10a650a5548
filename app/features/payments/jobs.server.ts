import { z } from "zod";
import { findActiveAdmin } from "~/features/accounts/administrators.server.ts";
import { deletionDay } from "~/features/accounts/deletion.server.ts";
import { unsubscribeLinks, wantsEmail } from "~/features/accounts/email-preferences.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { greetingName, unsubscribeHeaders } from "~/platform/email/message.ts";
import { sendEmail } from "~/platform/email/render.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { dateInWords, knownZone, namedUtc } from "~/platform/time/words.ts";
import {
  PaymentFailed,
  PaymentIssueNotice,
  Receipt,
  Refunded,
  SaleNotice,
} from "./emails/payments.tsx";
import { failureSubject, formatMoney, paymentIssueText, receiptSubject } from "./messages.ts";
import { allPayments, holdsEnrollment, paymentDetails } from "./payments.server.ts";
import { accessOf, stateInWords } from "./rules.ts";
import type { PaymentIssueReason } from "./schema.ts";

const findDetails = (db: Query, id: string) =>
  paymentDetails(db, allPayments(db).where("id", "=", id)).executeTakeFirst();

/** A payment for an email to its payer; null without an account. */
async function findPaid(db: Query, paymentId: string) {
  const payment = await findDetails(db, paymentId);
  if (!payment || payment.name === null || payment.email === null) return null;
  const former = await db
    .selectFrom("formerEnrollments")
    .select("id")
    .where("stripePaymentId", "=", payment.paymentIntentId)
    .executeTakeFirst();
  return {
    ...payment,
    payer: { name: payment.name, address: payment.email },
    isEnrolled: payment.enrollmentId !== null,
    holdsEnrollment: holdsEnrollment(payment),
    hadEnrollment: former !== undefined,
  };
}

/** Emails one administrator about one payment issue; sends nothing once it is resolved. */
export const paymentIssueEmail = defineJob({
  kind: "payments.issue",
  label: "A payment that needs you",
  payload: z.object({ issueId: z.string(), userId: z.string() }),
  async run(services, { issueId, userId }, { id }) {
    const { db, config } = services;
    const coach = await findActiveAdmin(db.read, userId);
    const issue = await db.read
      .selectFrom("paymentIssues")
      .select(["paymentId", "reason"])
      .where("id", "=", issueId)
      .where("resolvedAt", "is", null)
      .executeTakeFirst();
    const payment = issue && (await findDetails(db.read, issue.paymentId));
    if (!coach || !payment) return;
    const text = paymentIssueText(issue.reason as PaymentIssueReason, {
      ...payment,
      name: payment.name === null ? null : (greetingName(payment.name) ?? "somebody"),
      isEnrolled: payment.enrollmentId !== null,
      isBeingDeleted: payment.goesAt !== null,
    });
    const link = `${config.appUrl}/admin/payments`;
    const { subject } = text;
    await sendEmail(services, { id, to: coach, subject }, PaymentIssueNotice, { ...text, link });
  },
});

/** Tells one administrator of a payment that opened its course; it is a new student, too. What
 * became of the payment since is read when sending. */
export const saleEmail = defineJob({
  kind: "payments.sale",
  label: "A sale",
  payload: z.object({ paymentId: z.string(), userId: z.string() }),
  async run(services, { paymentId, userId }, { id }) {
    const { db, config } = services;
    const coach = await findActiveAdmin(db.read, userId);
    if (!coach || !(await wantsEmail(db.read, { userId, kind: "sale" }))) return;
    const payment = await findDetails(db.read, paymentId);
    if (!payment?.paidAt) return;
    const { course, name, email, amountCents, currency, userId: payer } = payment;
    const links = unsubscribeLinks(services, { userId, kind: "sale" });
    const headers = unsubscribeHeaders(links.off);
    const state = stateInWords(payment);
    await sendEmail(
      services,
      { id, to: coach, subject: `Sold: “${course}”`, headers },
      SaleNotice,
      {
        student: name === null ? null : greetingName(name),
        ...{ email, course, links },
        price: formatMoney(amountCents, currency),
        paidOn: dateInWords(
          payment.paidAt,
          knownZone(coach.timeZone, services.content.site.timeZone),
        ),
        isOpen: holdsEnrollment(payment),
        state: state === "Paid" ? null : state,
        link: `${config.appUrl}/admin/payments/${paymentId}`,
        studentLink: payer && `${config.appUrl}/admin/students/${payer}`,
      },
    );
  },
});

/** Says that a delayed payment failed. Sends nothing if it arrived or the student is enrolled. */
export const paymentFailedEmail = defineJob({
  kind: "payments.failed",
  label: "A payment that did not go through",
  payload: z.object({ paymentId: z.string() }),
  async run(services, { paymentId }, { id }) {
    const payment = await findPaid(services.db.read, paymentId);
    if (payment?.status !== "failed" || payment.isEnrolled) return;
    const { payer, course, slug, active, deletedAt } = payment;
    const isSold = active && deletedAt === null;
    const link = isSold ? `${services.config.appUrl}/courses/${slug}` : null;
    const email = { id, to: payer, subject: failureSubject(course) };
    await sendEmail(services, email, PaymentFailed, { course, link });
  },
});

/** One receipt per payment, whatever its state by now. It cannot be unsubscribed from. */
export const receiptEmail = defineJob({
  kind: "payments.receipt",
  label: "Receipt",
  payload: z.object({ paymentId: z.string() }),
  async run(services, { paymentId }, { id }) {
    const payment = await findPaid(services.db.read, paymentId);
    if (!payment?.paidAt) return;
    const { payer, course, slug, paidAt, goesAt, timeZone } = payment;
    const zone = knownZone(timeZone, "UTC");
    await sendEmail(services, { id, to: payer, subject: receiptSubject(course) }, Receipt, {
      course,
      price: formatMoney(payment.amountCents, payment.currency),
      paidOn: namedUtc(dateInWords(paidAt, zone), zone),
      reference: payment.paymentIntentId ?? payment.id,
      access: accessOf(payment),
      goesOn: goesAt && deletionDay(services, goesAt, timeZone),
      link: `${services.config.appUrl}/courses/${slug}/learn`,
    });
  },
});

/** Announces a refund of `cents`; `isRest` when nothing of the payment is left. Access is read when
 * sending: the student may be enrolled by other means. */
export const refundedEmail = defineJob({
  kind: "payments.refunded",
  label: "A refund",
  payload: z.object({
    paymentId: z.string(),
    // Emails that an earlier version enqueued are about a refund in full.
    cents: z.int().optional(),
    isRest: z.boolean().default(true),
  }),
  async run(services, { paymentId, cents, isRest }, { id }) {
    const payment = await findPaid(services.db.read, paymentId);
    if (!payment) return;
    const { payer, course, amountCents, currency, isEnrolled, hadEnrollment } = payment;
    const paid = formatMoney(amountCents, currency);
    const money = formatMoney(cents ?? payment.refundedCents, currency);
    const access = isEnrolled ? "open" : hadEnrollment ? "ended" : "never";
    const email = { id, to: payer, subject: `Your refund for “${course}”` };
    const journal = `${services.config.appUrl}/my-courses/journal`;
    await sendEmail(services, email, Refunded, {
      ...{ course, money, paid, isRest },
      access,
      journal,
    });
  },
});
