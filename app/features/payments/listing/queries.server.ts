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
    .select(["payments.productId", "products.title as course", "products.deletedAt"])
    .select(["payments.paymentIntentId", "payments.status", "payments.amountCents"])
    .select(["payments.refundedCents", "payments.attendedAt", "payments.paidAt"])
    .select(["payments.endedAt", "payments.currency"])
    .select(sql.ref<AttentionReason | null>("payments.attention").as("attention"))
    .select(["enrollments.id as enrollmentId", "enrollments.stripePaymentId as enrolledBy"]);
}

function toPayment<Row extends { deletedAt: Date | null }>({ deletedAt, ...row }: Row) {
  return { ...row, isCourseDeleted: deletedAt !== null };
}

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
  return { ...page, rows: page.rows.map(toPayment) };
}

/** One payment; null when there is none with this id. */
export async function getPayment({ db }: Services, id: string): Promise<DeskPayment | null> {
  if (!isId(id)) return null;
  const row = await shown(db.read, everyPayment(db.read).where("id", "=", id)).executeTakeFirst();
  return row ? toPayment(row) : null;
}

/** The payment that an enrollment names; null for one that was not made here. */
export async function findPaymentOfEnrollment(
  { db }: Services,
  stripePaymentId: string | null,
): Promise<DeskPayment | null> {
  if (!stripePaymentId) return null;
  const some = everyPayment(db.read).where("paymentIntentId", "=", stripePaymentId);
  const row = await shown(db.read, some).executeTakeFirst();
  return row ? toPayment(row) : null;
}

/** What waits for the coach, the oldest first. */
export async function listAttention({ db }: Services): Promise<DeskPayment[]> {
  const some = everyPayment(db.read)
    .where("attention", "is not", null)
    .where("attendedAt", "is", null);
  const rows = await shown(db.read, some)
    .orderBy("payments.updatedAt")
    .orderBy("payments.id")
    .limit(mostAtOnce)
    .execute();
  return rows.map(toPayment);
}

/** How many payments wait for the coach, counted up to a limit. */
export async function countAttention({ db }: Services, limit: number): Promise<number> {
  const waiting = await db.read
    .selectFrom("payments")
    .select("id")
    .where("attention", "is not", null)
    .where("attendedAt", "is", null)
    .limit(limit)
    .execute();
  return waiting.length;
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
