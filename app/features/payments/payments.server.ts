import { sql } from "kysely";
import type { Query } from "~/platform/db/database.ts";
import { isId, newId } from "~/platform/db/ids.ts";
import { fetchedFirst, keysetPage, type ListPage } from "~/platform/db/keyset.ts";
import { findPeople, isAmong } from "~/platform/db/people-search.ts";
import type { Services } from "~/platform/http/services.ts";
import { clockTime, shortDate } from "~/platform/time/words.ts";
import { site } from "~content/site.ts";
import { formatMoney } from "./money.ts";
import { paymentLine, type RefundStanding, refundNoteWords, refundStanding } from "./rules.ts";
import type { AdminPayment, PaymentIssueReason } from "./schema.ts";

type Paid = { userId: string | null; productId: string; paidAt: Date };

/** The refund standing now. Of progress, only completion times are read. */
export async function refundStandingOf(
  { db, clock }: Services,
  { userId, productId, paidAt }: Paid,
): Promise<RefundStanding> {
  const [{ lessons }, completed] = await Promise.all([
    lessonsIn(db.read, productId)
      .select(({ fn }) => fn.countAll<number>().as("lessons"))
      .executeTakeFirstOrThrow(),
    lessonsIn(db.read, productId)
      .innerJoin("progress", "progress.lessonId", "lessons.id")
      .select("progress.createdAt")
      .where("progress.userId", "=", userId ?? "")
      .execute(),
  ]);
  const completedAt = completed.map(({ createdAt }) => createdAt);
  return refundStanding({ paidAt, completedAt, lessons: Number(lessons) }, clock.now());
}

const lessonsIn = (db: Query, productId: string) =>
  db
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .where("modules.productId", "=", productId)
    .where("modules.deletedAt", "is", null)
    .where("lessons.deletedAt", "is", null);

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
    .select(["payments.productId", "payments.amountCents", "payments.paidAt"])
    .select(["payments.refundedCents", "payments.currency"])
    .where("enrollments.userId", "=", userId)
    .where("products.slug", "=", slug)
    .where("products.deletedAt", "is", null)
    .where("payments.status", "=", "paid")
    .executeTakeFirst();
  if (!payment?.paidAt) return null;
  const { productId, amountCents, refundedCents, currency, paidAt } = payment;
  const standing = await refundStandingOf(services, { userId, productId, paidAt });
  if (!standing.refundable) return null;
  const zone = timeZone === "UTC" ? "\u00a0UTC" : "";
  const until = `${shortDate(standing.until, timeZone)}, ${clockTime(standing.until, timeZone)}${zone}`;
  return refundNoteWords(standing, {
    money: formatMoney(amountCents - refundedCents, currency),
    until,
    email: site.email,
  });
}

// Only the oldest issues are listed; the next ones follow when these are resolved.
const mostAtOnce = 20;

const everyPayment = (db: Query) => db.selectFrom("payments").selectAll();

function shown(db: Query, some: ReturnType<typeof everyPayment>) {
  return db
    .selectFrom(some.as("payments"))
    .innerJoin("products", "products.id", "payments.productId")
    .leftJoin("profiles", "profiles.id", "payments.userId")
    .leftJoin("enrollments", (join) =>
      join
        .onRef("enrollments.userId", "=", "payments.userId")
        .onRef("enrollments.productId", "=", "payments.productId"),
    )
    .select(["payments.id", "payments.userId", "profiles.name", "profiles.email"])
    .select("profiles.deletionDueAt as goesAt")
    .select(["payments.productId", "products.title as course", "products.deletedAt"])
    .select(["payments.paymentIntentId", "payments.status", "payments.amountCents"])
    .select(["payments.refundedCents", "payments.dispute", "payments.paidAt"])
    .select(["payments.endedAt", "payments.currency"])
    .select(["enrollments.id as enrollmentId", "enrollments.stripePaymentId as enrolledBy"]);
}

async function toPayments<Row extends { id: string; deletedAt: Date | null }>(
  db: Query,
  rows: Row[],
) {
  const ids = rows.map(({ id }) => id);
  const open = ids.length === 0 ? [] : await openIssues(db).where("paymentId", "in", ids).execute();
  return rows.map(({ deletedAt, ...row }) => ({
    ...row,
    isCourseDeleted: deletedAt !== null,
    issues: open.filter(({ paymentId }) => paymentId === row.id),
  }));
}

const openIssues = (db: Query) =>
  db
    .selectFrom("paymentIssues")
    .select(["id", "paymentId", sql.ref<PaymentIssueReason>("reason").as("reason")])
    .where("resolvedAt", "is", null)
    .orderBy("raisedAt")
    .orderBy("id");

/** All payments, newest first, searchable by payer, without unfinished checkouts. Rare matches
 * are fetched and sorted; frequent ones are found walking the sort order (docs/decisions/015). */
export async function listPayments(
  { db }: Services,
  { search, cursor, limit }: { search: string; cursor: string | null; limit: number },
): Promise<ListPage<AdminPayment & { paidAt: Date }>> {
  const people = await findPeople(db, search);
  let some = everyPayment(db.read).where("paidAt", "is not", null);
  if (people?.ids) some = fetchedFirst(some.where(isAmong(db, "userId", people.ids)));
  let query = shown(db.read, some)
    .select(sql.ref<Date>("payments.paidAt").as("paidAt"))
    .select(sql.ref<Date>("payments.paidAt").as("sortValue"));
  if (people?.filter) query = query.where(people.filter);
  const order = { column: "payments.paidAt", id: "payments.id", direction: "desc" } as const;
  const page = await keysetPage(query, order, { cursor, limit });
  return { ...page, rows: await toPayments(db.read, page.rows) };
}

export async function getPayment({ db }: Services, id: string): Promise<AdminPayment | null> {
  if (!isId(id)) return null;
  return findShown(db.read, everyPayment(db.read).where("id", "=", id));
}

/** The payment that an enrollment names; null when it was not made on this site. */
export async function findPaymentOfEnrollment(
  { db }: Services,
  stripePaymentId: string | null,
): Promise<AdminPayment | null> {
  if (!stripePaymentId) return null;
  return findShown(db.read, everyPayment(db.read).where("paymentIntentId", "=", stripePaymentId));
}

async function findShown(db: Query, some: ReturnType<typeof everyPayment>) {
  const [payment] = await toPayments(db, await shown(db, some).limit(1).execute());
  return payment ?? null;
}

/** The payments with open issues, each with all of these; the longest-waiting first. */
export async function listPaymentIssues({ db }: Services): Promise<AdminPayment[]> {
  const oldest = await openIssues(db.read).limit(mostAtOnce).execute();
  const ids = [...new Set(oldest.map(({ paymentId }) => paymentId))];
  if (ids.length === 0) return [];
  const rows = await shown(db.read, everyPayment(db.read).where("id", "in", ids)).execute();
  const payments = await toPayments(db.read, rows);
  return payments.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

export async function countPaymentIssues({ db }: Services, limit: number): Promise<number> {
  return (await openIssues(db.read).limit(limit).execute()).length;
}

export async function describePayment(services: Services, payment: AdminPayment, timeZone: string) {
  const { paidAt } = payment;
  const day = (date: Date) => shortDate(date, timeZone);
  const standing = paidAt && (await refundStandingOf(services, { ...payment, paidAt }));
  const until = standing && `${day(standing.until)}, ${clockTime(standing.until, timeZone)}`;
  return {
    payment: paymentLine(payment, { day, dashboard: dashboardOf(services) }),
    refunding: { attempt: newId(), standing: standing && { ...standing, until: until ?? "" } },
  };
}

/** URL of payments in Stripe's dashboard, to which a payment's id is appended. */
export function dashboardOf({ config }: Pick<Services, "config">): string {
  const isTest = config.stripe?.secretKey.includes("_test_");
  return `https://dashboard.stripe.com/${isTest ? "test/" : ""}payments/`;
}
