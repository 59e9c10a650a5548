import { z } from "zod";
import { deletionDay } from "~/features/accounts/deletion.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { greetingName, greetingOf, receiver } from "~/platform/email/message.ts";
import { renderEmail } from "~/platform/email/render.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { dateInWords } from "~/platform/time/words.ts";
import { PaymentFailed, PaymentIssueNotice, Receipt, Refunded } from "./emails/payments.tsx";

import { failureSubject, receiptSubject } from "./messages.ts";
import { formatMoney } from "./money.ts";
import { paymentIssueText } from "./payment-issue-text.ts";
import { accessOf } from "./rules.ts";
import type { PaymentIssueReason } from "./schema.ts";

/** A payment with payer, course and enrollment, for emails. `person` is null without an account. */
export async function findPaid(db: Query, paymentId: string) {
  const row = await db
    .selectFrom("payments")
    .innerJoin("products", "products.id", "payments.productId")
    .leftJoin("profiles", "profiles.id", "payments.userId")
    .leftJoin("enrollments", (join) =>
      join
        .onRef("enrollments.userId", "=", "payments.userId")
        .onRef("enrollments.productId", "=", "payments.productId"),
    )
    .select(["payments.id", "payments.status", "payments.dispute", "payments.bookingReason"])
    .select(["payments.amountCents", "payments.refundedCents", "payments.currency"])
    .select(["payments.paymentIntentId", "payments.paidAt"])
    .select(["products.title as course", "products.slug", "products.active", "products.deletedAt"])
    .select(["profiles.name", "profiles.email", "profiles.timeZone"])
    .select("profiles.deletionDueAt as goesAt")
    .select(["enrollments.id as enrollmentId", "enrollments.stripePaymentId as enrolledBy"])
    .select((eb) =>
      eb
        .selectFrom("formerEnrollments")
        .select("formerEnrollments.id")
        .whereRef("formerEnrollments.stripePaymentId", "=", "payments.paymentIntentId")
        .limit(1)
        .as("formerId"),
    )
    .where("payments.id", "=", paymentId)
    .executeTakeFirst();
  if (!row) return null;
  const {
    name,
    email,
    timeZone,
    active,
    deletedAt,
    enrollmentId,
    enrolledBy,
    formerId,
    ...payment
  } = row;
  return {
    ...payment,
    person: name === null || email === null ? null : { name, email, timeZone },
    isBeingDeleted: payment.goesAt !== null,
    isSold: active && deletedAt === null,
    isEnrolled: enrollmentId !== null,
    holdsEnrollment: enrollmentId !== null && enrolledBy === payment.paymentIntentId,
    hadEnrollment: formerId !== null,
  };
}

/** Emails one administrator about one payment issue; sends nothing once it is resolved. */
export const paymentIssueEmail = defineJob({
  kind: "payments.attention",
  label: "A payment that needs you",
  payload: z.object({ issueId: z.string(), userId: z.string() }),
  async run({ db, mail, config }, { issueId, userId }, { id }) {
    const coach = await db.read
      .selectFrom("profiles")
      .select(["name", "email"])
      .where("id", "=", userId)
      .where("role", "=", "admin")
      .where("suspendedAt", "is", null)
      .executeTakeFirst();
    const matter = await db.read
      .selectFrom("paymentIssues")
      .select(["paymentId", "reason"])
      .where("id", "=", issueId)
      .where("resolvedAt", "is", null)
      .executeTakeFirst();
    const payment = matter && (await findPaid(db.read, matter.paymentId));
    if (!coach || !payment) return;
    const { person } = payment;
    const name = person && (greetingName(person.name) ?? "somebody");
    const words = paymentIssueText(matter.reason as PaymentIssueReason, { ...payment, name });
    const link = `${config.appUrl}/admin/payments`;
    const body = await renderEmail(
      PaymentIssueNotice({ greeting: greetingOf(coach.name), ...words, link }),
    );
    const to = receiver(coach.name, coach.email);
    await mail.send({ id, to, subject: words.subject, ...body });
  },
});

/** Says that a delayed payment failed. Sends nothing if it arrived or the student is enrolled. */
export const paymentFailedEmail = defineJob({
  kind: "payments.failed",
  label: "A payment that did not go through",
  payload: z.object({ paymentId: z.string() }),
  async run({ db, mail, config }, { paymentId }, { id }) {
    const payment = await findPaid(db.read, paymentId);
    if (!payment?.person || payment.status !== "failed" || payment.isEnrolled) return;
    const { person, course, slug, isSold } = payment;
    const link = isSold ? `${config.appUrl}/courses/${slug}` : null;
    const greeting = greetingOf(person.name);
    const body = await renderEmail(PaymentFailed({ greeting, course, link }));
    const to = receiver(person.name, person.email);
    await mail.send({ id, to, subject: failureSubject(course), ...body });
  },
});

/** One receipt per payment, whatever its state by now. It cannot be unsubscribed from. */
export const receiptEmail = defineJob({
  kind: "payments.receipt",
  label: "Receipt",
  payload: z.object({ paymentId: z.string() }),
  async run(services, { paymentId }, { id }) {
    const { db, mail, config } = services;
    const payment = await findPaid(db.read, paymentId);
    if (!payment?.paidAt || !payment.person) return;
    const { course, slug, paidAt, person, goesAt } = payment;
    const body = await renderEmail(
      Receipt({
        greeting: greetingOf(person.name),
        course,
        price: formatMoney(payment.amountCents, payment.currency),
        paidOn: dateInWords(paidAt, "UTC"),
        reference: payment.paymentIntentId ?? payment.id,
        access: accessOf(payment),
        goesOn: goesAt && deletionDay(services, goesAt, person.timeZone),
        link: `${config.appUrl}/courses/${slug}/learn`,
      }),
    );
    const to = receiver(person.name, person.email);
    await mail.send({ id, to, subject: receiptSubject(course), ...body });
  },
});

/** Announces a refund. Access is read when sending: the student may be enrolled by other means. */
export const refundedEmail = defineJob({
  kind: "payments.refunded",
  label: "A refund",
  payload: z.object({ paymentId: z.string() }),
  async run({ db, mail }, { paymentId }, { id }) {
    const payment = await findPaid(db.read, paymentId);
    if (!payment?.person) return;
    const { person, course, refundedCents, currency, isEnrolled, hadEnrollment } = payment;
    const money = formatMoney(refundedCents, currency);
    const access = isEnrolled ? "open" : hadEnrollment ? "ended" : "never";
    const greeting = greetingOf(person.name);
    const body = await renderEmail(Refunded({ greeting, course, money, access }));
    const to = receiver(person.name, person.email);
    await mail.send({ id, to, subject: `Your refund for “${course}”`, ...body });
  },
});
