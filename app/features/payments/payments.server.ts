import { sql } from "kysely";
import { compiledOnce } from "~/platform/db/compiled.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId, newId } from "~/platform/db/ids.ts";
import {
  type CountedPage,
  countUpTo,
  fetchedFirst,
  keysetPage,
  type Portion,
} from "~/platform/db/keyset.ts";
import { findPeople, isAmong } from "~/platform/db/people-search.ts";
import type { Services } from "~/platform/http/services.ts";
import { dateAndTime, namedUtc, shortDate } from "~/platform/time/words.ts";
import { formatMoney, paymentIssueText } from "./messages.ts";
import {
  leftToRefund,
  type RefundStanding,
  readRefundAmount,
  refundNoteWords,
  refundStanding,
  stateInWords,
} from "./rules.ts";
import type { PaymentIssueReason } from "./schema.ts";

// Only the oldest issues are listed; the next ones follow when these are resolved.
const mostIssues = 20;

export const allPayments = (db: Query) => db.selectFrom("payments").selectAll();

/** Payments with course, payer (null without an account) and the payer's enrollment in the course. */
export function paymentDetails(db: Query, some: ReturnType<typeof allPayments>) {
  return db
    .selectFrom(some.as("payments"))
    .innerJoin("products", "products.id", "payments.productId")
    .leftJoin("profiles", "profiles.id", "payments.userId")
    .leftJoin("enrollments", (join) =>
      join
        .onRef("enrollments.userId", "=", "payments.userId")
        .onRef("enrollments.productId", "=", "payments.productId"),
    )
    .selectAll("payments")
    .select(["products.title as course", "products.slug", "products.active", "products.deletedAt"])
    .select(["profiles.name", "profiles.email", "profiles.timeZone"])
    .select("profiles.deletionDueAt as goesAt")
    .select(["enrollments.id as enrollmentId", "enrollments.stripePaymentId as enrolledBy"]);
}

type Details = Awaited<ReturnType<ReturnType<typeof paymentDetails>["execute"]>>[number];
type PaymentWithIssues = Details & { issues: { id: string; reason: PaymentIssueReason }[] };

/** An enrollment names the payment that opened it. */
export const holdsEnrollment = ({
  paymentIntentId,
  enrolledBy,
}: Pick<Details, "paymentIntentId" | "enrolledBy">) =>
  paymentIntentId !== null && enrolledBy === paymentIntentId;

const openIssues = (db: Query) =>
  db
    .selectFrom("paymentIssues")
    .select(["id", "paymentId", sql.ref<PaymentIssueReason>("reason").as("reason")])
    .where("resolvedAt", "is", null)
    .orderBy("raisedAt")
    .orderBy("id");

async function withIssues<Row extends Details>(db: Query, rows: Row[]) {
  const ids = rows.map(({ id }) => id);
  const open = ids.length === 0 ? [] : await openIssues(db).where("paymentId", "in", ids).execute();
  return rows.map((row) => ({
    ...row,
    issues: open.filter(({ paymentId }) => paymentId === row.id),
  }));
}

/** All payments, newest first, searchable by payer, without unfinished checkouts. Rare matches
 * are fetched and sorted; frequent ones are found walking the sort order (docs/decisions/015). */
export async function readPayments({ db }: Services, asked: PaymentPage) {
  const { search, cursor, limit, uncounted } = asked;
  const people = await findPeople(db, search);
  let some = allPayments(db.read).where("paidAt", "is not", null);
  if (people?.ids) some = fetchedFirst(some.where(isAmong(db, "userId", people.ids)));
  let query = paymentDetails(db.read, some).select(
    sql.ref<Date>("payments.paidAt").as("sortValue"),
  );
  if (people?.filter) query = query.where(people.filter);
  const order = { column: "payments.paidAt", id: "payments.id", direction: "desc" } as const;
  const page = await keysetPage(query, order, { cursor, limit });
  const isUnknown = people?.filter || uncounted;
  return { ...page, total: isUnknown ? null : await countUpTo(db.read, query) };
}

type PaymentPage = Portion & { search: string; cursor: string | null };

/** {@link readPayments} as the coach reads them. */
export async function listPayments(
  services: Services,
  asked: PaymentPage,
  timeZone: string,
): Promise<CountedPage<PaymentLine>> {
  const page = await readPayments(services, asked);
  const payments = await withIssues(services.db.read, page.rows);
  return { ...page, rows: payments.map((payment) => paymentLine(services, payment, timeZone)) };
}

export async function findPayment({ db }: Services, id: string): Promise<PaymentWithIssues | null> {
  return isId(id) ? findOne(db.read, allPayments(db.read).where("id", "=", id)) : null;
}

/** The payment that an enrollment names; null when it was not made on this site. */
export async function findPaymentOfEnrollment(
  { db }: Services,
  stripePaymentId: string | null,
): Promise<PaymentWithIssues | null> {
  if (!stripePaymentId) return null;
  return findOne(db.read, allPayments(db.read).where("paymentIntentId", "=", stripePaymentId));
}

async function findOne(db: Query, some: ReturnType<typeof allPayments>) {
  const [payment] = await withIssues(db, await paymentDetails(db, some).limit(1).execute());
  return payment ?? null;
}

/** The payments with open issues, each with all of these; the longest-waiting first. */
export async function listPaymentIssues(
  services: Services,
  timeZone: string,
): Promise<PaymentLine[]> {
  const { db } = services;
  const oldest = await openIssues(db.read).limit(mostIssues).execute();
  const ids = [...new Set(oldest.map(({ paymentId }) => paymentId))];
  if (ids.length === 0) return [];
  const some = allPayments(db.read).where("id", "in", ids);
  const payments = await withIssues(db.read, await paymentDetails(db.read, some).execute());
  return payments
    .toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
    .map((payment) => paymentLine(services, payment, timeZone));
}

const someIssues = compiledOnce((db, { most }: { most: number }) => openIssues(db).limit(most));

export async function countPaymentIssues({ db }: Services, most: number): Promise<number> {
  return (await someIssues(db.read, { most })).length;
}

export type PaymentLine = ReturnType<typeof paymentLine>;

// A payment as the coach reads it. Dates are in the coach's time zone.
function paymentLine({ config }: Services, payment: PaymentWithIssues, timeZone: string) {
  const { id, userId, name, email, productId, course, deletedAt, issues } = payment;
  const { paymentIntentId, enrollmentId, paidAt, endedAt } = payment;
  const day = (date: Date | null) => date && shortDate(date, timeZone);
  const [left, isEnrolled, isCourseDeleted] = [
    leftToRefund(payment),
    enrollmentId !== null,
    deletedAt !== null,
  ];
  const mode = config.stripe?.secretKey.includes("_test_") ? "test/" : "";
  return {
    ...{ id, userId, name, email, productId, course, isCourseDeleted, paymentIntentId },
    ...{ enrollmentId, isEnrolled, holdsEnrollment: holdsEnrollment(payment), left },
    state: stateInWords(payment),
    amount: formatMoney(payment.amountCents, payment.currency),
    leftInWords: formatMoney(left, payment.currency),
    refunded:
      payment.refundedCents > 0 ? formatMoney(payment.refundedCents, payment.currency) : null,
    ...{ paid: day(paidAt), ended: day(endedAt) },
    stripeUrl: paymentIntentId && `https://dashboard.stripe.com/${mode}payments/${paymentIntentId}`,
    canEnroll: payment.status === "paid" && userId !== null && !isEnrolled && !isCourseDeleted,
    issues: issues.map((issue) => ({
      id: issue.id,
      isUndecided: issue.reason === "disputed" || issue.reason === "inquiry",
      ...paymentIssueText(issue.reason, {
        ...payment,
        ...{ isEnrolled, isBeingDeleted: payment.goesAt !== null },
      }),
    })),
  };
}

type AskedPart = {
  timeZone: string;
  /** The amount of a refund in part, as the coach typed it; null before. */
  typed?: string | null;
  /** The refund that she tried before; it stays the same one. */
  attempt?: string | null;
  endsAccess?: boolean;
};

/** A payment as the coach reads it, with what a refund needs. */
export async function describePayment(
  services: Services,
  payment: PaymentWithIssues,
  { timeZone, typed = null, endsAccess = false, ...asked }: AskedPart,
) {
  const { paidAt } = payment;
  const attempt = isId(asked.attempt) ? asked.attempt : newId();
  const standing = paidAt && (await refundStandingOf(services, { ...payment, paidAt }));
  return {
    payment: paymentLine(services, payment, timeZone),
    refunding: {
      attempt: typed === null ? attempt : newId(),
      standing: standing && { ...standing, until: dateAndTime(standing.until, timeZone) },
      part: typed === null ? null : { ...readPart(payment, typed), attempt, endsAccess },
    },
  };
}

type Typed = { typed: string } & (
  | { error: string }
  | { cents: number; money: string; rest: string | null }
);

/** A refund in part as the coach typed it: wrong, or what it comes to; `rest` is null for all. */
export type RefundPart = Typed & { attempt: string; endsAccess: boolean };

function readPart(payment: PaymentWithIssues, typed: string): Typed {
  const { currency } = payment;
  const left = leftToRefund(payment);
  const amount = readRefundAmount(typed, { left, currency });
  if ("error" in amount) return { typed, ...amount };
  const { cents } = amount;
  const rest = left === cents ? null : formatMoney(left - cents, currency);
  return { typed, cents, money: formatMoney(cents, currency), rest };
}

// Of progress, only completion times are read.
async function refundStandingOf(
  { db, clock }: Services,
  { userId, productId, paidAt }: { userId: string | null; productId: string; paidAt: Date },
): Promise<RefundStanding> {
  const lessons = await db.read
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .leftJoin("progress", (join) =>
      join.onRef("progress.lessonId", "=", "lessons.id").on("progress.userId", "=", userId ?? ""),
    )
    .select("progress.createdAt as completedAt")
    .where("modules.productId", "=", productId)
    .where("modules.deletedAt", "is", null)
    .where("lessons.deletedAt", "is", null)
    .execute();
  const completedAt = lessons.flatMap((lesson) => lesson.completedAt ?? []);
  return refundStanding({ paidAt, completedAt, lessons: lessons.length }, clock.now());
}

type Reader = { userId: string; slug: string; timeZone: string };

/** Until when a student can get a refund, or null; errors are only logged: the page must render. */
export async function findRefundNote(services: Services, reader: Reader): Promise<string | null> {
  try {
    return await refundNote(services, reader);
  } catch (error) {
    services.log.error({ err: error }, "whether a payment can be refunded could not be read");
    return null;
  }
}

async function refundNote(services: Services, { userId, slug, timeZone }: Reader) {
  const payment = await services.db.read
    .selectFrom("enrollments")
    .innerJoin("payments", "payments.paymentIntentId", "enrollments.stripePaymentId")
    .innerJoin("products", "products.id", "enrollments.productId")
    .selectAll("payments")
    .where("enrollments.userId", "=", userId)
    .where("products.slug", "=", slug)
    .where("products.deletedAt", "is", null)
    .where("payments.status", "=", "paid")
    .executeTakeFirst();
  if (!payment?.paidAt) return null;
  const { productId, currency, paidAt } = payment;
  const standing = await refundStandingOf(services, { userId, productId, paidAt });
  if (!standing.refundable) return null;
  return refundNoteWords(standing, {
    money: formatMoney(leftToRefund(payment), currency),
    until: namedUtc(dateAndTime(standing.until, timeZone), timeZone),
    email: services.content.site.email,
  });
}
