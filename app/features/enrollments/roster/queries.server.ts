import { sql } from "kysely";
import { fetchedFirst, keysetPage, type ListPage, type Order } from "~/platform/db/keyset.ts";
import { findPeople, isAmong } from "~/platform/db/people-search.ts";
import type { ListParams } from "~/platform/http/list-params.ts";
import type { Services } from "~/platform/services.ts";
import { hasFew } from "../queries.server.ts";
import type { RosterRow, RosterSort } from "./schema.ts";

const orders = {
  created: { column: "enrollments.createdAt", id: "enrollments.id" },
  email: { column: "profiles.email", id: "enrollments.id" },
} satisfies Record<RosterSort, Omit<Order, "direction">>;

/**
 * All enrollments in courses that are not deleted (spec 2 and 7, Admin dashboard), found by the
 * student's name or address, or kept to one course. What is few is fetched and put in order; what
 * is many is met soon enough on a walk through the order (docs/decisions/019).
 */
export async function listEnrollments(
  { db }: Services,
  params: ListParams<RosterSort> & { limit: number },
): Promise<ListPage<RosterRow>> {
  const { search, courseId, sort, direction, cursor, limit } = params;
  const order = orders[sort];
  const [people, isRare] = await Promise.all([
    findPeople(db, search),
    courseId !== null && hasFew(db.read, courseId),
  ]);
  let some = db.read.selectFrom("enrollments").selectAll();
  if (courseId) some = some.where("productId", "=", courseId);
  if (people?.ids) some = some.where(isAmong(db, "userId", people.ids));
  if (people?.ids || isRare) some = fetchedFirst(some);
  const enrolled = some.as("enrollments");
  // Of a cross join SQLite walks the first table outside: addresses in order, then whose they are.
  const byPerson = db.read
    .selectFrom("profiles")
    .crossJoin(enrolled)
    .whereRef("profiles.id", "=", "enrollments.userId");
  const walked = db.read
    .selectFrom(enrolled)
    .innerJoin("profiles", "profiles.id", "enrollments.userId");
  const isFew = people?.ids !== undefined || isRare;
  let query = (sort === "email" && !isFew ? byPerson : walked)
    .innerJoin("products", "products.id", "enrollments.productId")
    .where("products.deletedAt", "is", null)
    .select(["enrollments.id", "enrollments.userId", "profiles.name", "profiles.email"])
    .select(["enrollments.productId", "products.title as course"])
    .select(["enrollments.stripePaymentId", "enrollments.createdAt"])
    .select(sql.ref<string | Date>(order.column).as("sortValue"));
  if (people?.filter) query = query.where(people.filter);
  return keysetPage(query, { ...order, direction }, { cursor, limit });
}

/** One enrollment with its student and course, also of an inactive or deleted one; null when there is none. */
export async function getEnrollment({ db }: Services, id: string) {
  const row = await db.read
    .selectFrom("enrollments")
    .innerJoin("profiles", "profiles.id", "enrollments.userId")
    .innerJoin("products", "products.id", "enrollments.productId")
    .select(["enrollments.id", "enrollments.userId", "enrollments.productId"])
    .select(["enrollments.stripePaymentId", "enrollments.createdAt"])
    .select(["profiles.name", "profiles.email", "products.title as course", "products.slug"])
    .select(["products.active", "products.deletedAt"])
    .where("enrollments.id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** When she was enrolled in this course before, newest first. */
export function listFormer(
  { db }: Services,
  { userId, productId }: { userId: string; productId: string },
): Promise<{ id: string; createdAt: Date; removedAt: Date }[]> {
  return db.read
    .selectFrom("formerEnrollments")
    .select(["id", "createdAt", "removedAt"])
    .where("userId", "=", userId)
    .where("productId", "=", productId)
    .orderBy("removedAt", "desc")
    .orderBy("id", "desc")
    .limit(20)
    .execute();
}
