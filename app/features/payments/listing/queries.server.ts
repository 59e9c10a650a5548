import { sql } from "kysely";
import type { Query } from "~/platform/db/database.ts";
import { isId, newId } from "~/platform/db/ids.ts";
import { fetchedFirst, keysetPage, type ListPage } from "~/platform/db/keyset.ts";
import { findPeople, isAmong } from "~/platform/db/people-search.ts";
import type { Services } from "~/platform/services.ts";
import { clockTime, shortDate } from "~/platform/time/words.ts";
import { standingOf } from "../refunds/queries.server.ts";
import type { AttentionReason } from "../schema.ts";
import { paymentLine } from "./rules.ts";
import type { DeskPayment } from "./schema.ts";

/** So many that need the coach are shown at once: the oldest, and the next when these are done. */
const mostAtOnce = 20;

const everyPayment = (db: Query) => db.selectFrom("payments").selectAll();

/** Payments, or some of them, with who paid and how she stands in the course now. */
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

/** The same with what of them needs the coach. */
async function toPayments<Row extends { id: string; deletedAt: Date | null }>(
  db: Query,
  rows: Row[],
) {
  const ids = rows.map(({ id }) => id);
  const open =
    ids.length === 0 ? [] : await openAttentions(db).where("paymentId", "in", ids).execute();
  return rows.map(({ deletedAt, ...row }) => ({
    ...row,
    isCourseDeleted: deletedAt !== null,
    attentions: open.filter(({ paymentId }) => paymentId === row.id),
  }));
}

const openAttentions = (db: Query) =>
  db
    .selectFrom("paymentAttentions")
    .select(["id", "paymentId", sql.ref<AttentionReason>("reason").as("reason")])
    .where("attendedAt", "is", null)
    .orderBy("raisedAt")
    .orderBy("id");

/**
 * All payments, newest first, found by who paid. A checkout that nobody finished is none. What is
 * few is fetched and put in order; what is many is met soon enough on a walk (docs/decisions/019).
 */
export async function listPayments(
  { db }: Services,
  { search, cursor, limit }: { search: string; cursor: string | null; limit: number },
): Promise<ListPage<DeskPayment & { paidAt: Date }>> {
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

/** One payment; null when there is none with this id. */
export async function getPayment({ db }: Services, id: string): Promise<DeskPayment | null> {
  if (!isId(id)) return null;
  return findShown(db.read, everyPayment(db.read).where("id", "=", id));
}

/** The payment that an enrollment names; null for one that was not made here. */
export async function findPaymentOfEnrollment(
  { db }: Services,
  stripePaymentId: string | null,
): Promise<DeskPayment | null> {
  if (!stripePaymentId) return null;
  return findShown(db.read, everyPayment(db.read).where("paymentIntentId", "=", stripePaymentId));
}

async function findShown(db: Query, some: ReturnType<typeof everyPayment>) {
  const [payment] = await toPayments(db, await shown(db, some).limit(1).execute());
  return payment ?? null;
}

/** The payments that wait for the coach, each with all that does; that which waits longest first. */
export async function listAttention({ db }: Services): Promise<DeskPayment[]> {
  const oldest = await openAttentions(db.read).limit(mostAtOnce).execute();
  const ids = [...new Set(oldest.map(({ paymentId }) => paymentId))];
  if (ids.length === 0) return [];
  const rows = await shown(db.read, everyPayment(db.read).where("id", "in", ids)).execute();
  const payments = await toPayments(db.read, rows);
  return payments.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

/** How much of it waits for the coach, counted up to a limit. */
export async function countAttention({ db }: Services, limit: number): Promise<number> {
  return (await openAttentions(db.read).limit(limit).execute()).length;
}

/** A payment as a page of its own shows it, in the coach's time zone, and what can be given back of it. */
export async function describePayment(services: Services, payment: DeskPayment, timeZone: string) {
  const { paidAt } = payment;
  const day = (date: Date) => shortDate(date, timeZone);
  const standing = paidAt && (await standingOf(services, { ...payment, paidAt }));
  const until = standing && `${day(standing.until)}, ${clockTime(standing.until, timeZone)}`;
  return {
    payment: paymentLine(payment, { day, dashboard: dashboardOf(services) }),
    refunding: { attempt: newId(), standing: standing && { ...standing, until: until ?? "" } },
  };
}

/** Where Stripe shows payments to the coach; a payment's id follows. */
export function dashboardOf({ config }: Pick<Services, "config">): string {
  const isTest = config.stripe?.secretKey.includes("_test_");
  return `https://dashboard.stripe.com/${isTest ? "test/" : ""}payments/`;
}
