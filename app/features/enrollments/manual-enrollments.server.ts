import { sql } from "kysely";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { emailField, type FieldError } from "~/features/auth/schema.ts";
import { findProfile } from "~/features/auth/users.server.ts";
import type { Query } from "~/platform/db/database.ts";
import {
  countUpTo,
  fetchedFirst,
  keysetPage,
  type Order,
  type Portion,
} from "~/platform/db/keyset.ts";
import { findPeople, isAmong } from "~/platform/db/people-search.ts";
import type { ListParams } from "~/platform/http/list-params.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { endEnrollmentWithin, enrollWithin, hasFewEnrollments } from "./enrollments.server.ts";
import { enrollmentMessages } from "./messages.ts";
import type { Enrolled } from "./schema.ts";

/** How the list of enrollments can be ordered, and which way at first; the first is the default. */
export const enrollmentSorts = { created: "desc", email: "asc" } as const;
type EnrollmentSort = keyof typeof enrollmentSorts;

const orders = {
  created: { column: "enrollments.createdAt", id: "enrollments.id" },
  email: { column: "profiles.email", id: "enrollments.id" },
} satisfies Record<EnrollmentSort, Omit<Order, "direction">>;

/** All enrollments in courses that are not deleted (spec 2 and 7, Admin dashboard), searchable by
 * student and filtered by course. Rare matches are fetched and sorted; frequent ones are found
 * walking the sort order (docs/decisions/015). */
export async function listEnrollments(
  { db }: Services,
  params: ListParams<EnrollmentSort> & Portion,
) {
  const { search, courseId, sort, direction, cursor, limit } = params;
  const order = orders[sort];
  const [people, isRare] = await Promise.all([
    findPeople(db, search),
    courseId !== null && hasFewEnrollments(db.read, courseId),
  ]);
  let some = db.read.selectFrom("enrollments").selectAll();
  if (courseId) some = some.where("productId", "=", courseId);
  if (people?.ids) some = some.where(isAmong(db, "userId", people.ids));
  if (people?.ids || isRare) some = fetchedFirst(some);
  const enrolled = some.as("enrollments");
  // SQLite reads the first table of a cross join in the outer loop: in order of email addresses.
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
  const page = await keysetPage(query, { ...order, direction }, { cursor, limit });
  const counted = walked
    .innerJoin("products", "products.id", "enrollments.productId")
    .where("products.deletedAt", "is", null);
  const isUnknown = people?.filter || params.uncounted;
  return { ...page, total: isUnknown ? null : await countUpTo(db.read, counted) };
}

export type EnrollmentRow = Awaited<ReturnType<typeof listEnrollments>>["rows"][number];

/** One enrollment with its student and course, which may be inactive or deleted. */
export async function getEnrollment({ db }: Services, id: string) {
  const row = await db.read
    .selectFrom("enrollments")
    .innerJoin("profiles", "profiles.id", "enrollments.userId")
    .innerJoin("products", "products.id", "enrollments.productId")
    .select(["enrollments.id", "enrollments.userId", "enrollments.productId"])
    .select(["enrollments.stripePaymentId", "enrollments.createdAt", "enrollments.lessonsFromAt"])
    .select(["profiles.name", "profiles.email", "products.title as course", "products.slug"])
    .select("products.lessonEmails")
    .select(["products.active", "products.deletedAt"])
    .where("enrollments.id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** When they were enrolled in this course before, newest first. */
export function listFormer(
  { db }: Services,
  { userId, productId }: { userId: string; productId: string },
) {
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

/** Enrolls a user manually in an active course (spec 2 and 5, Admin dashboard). Idempotent.
 * @returns the enrollment, or the form's error @throws {Refused} for an inactive or deleted course */
export async function createEnrollment(
  services: Services,
  { productId, who }: { productId: string; who: string },
): Promise<{ enrolled: Enrolled } | { fieldError: FieldError }> {
  const { incomplete, noAccount, chooseSomebody } = enrollmentMessages;
  if (!productId) return { fieldError: { field: "productId", message: incomplete } };
  if (!who) return { fieldError: { field: "who", message: incomplete } };
  const profile = await findProfile(services, who);
  if (profile) return { enrolled: await enrollPerson(services, { productId, ...profile }) };
  const isAddress = emailField.safeParse({ email: who }).success;
  return { fieldError: { field: "who", message: isAddress ? noAccount : chooseSomebody } };
}

/** @throws {Refused} for an inactive or deleted course */
export async function enrollPerson(
  services: Services,
  { id: userId, name, productId }: { id: string; name: string; productId: string },
): Promise<Enrolled> {
  const isNew = await enrollManually(services, { userId, productId, onlyActive: true });
  const { isBack, ...row } = await services.db.read
    .selectFrom("enrollments")
    .innerJoin("products", "products.id", "enrollments.productId")
    .select(["enrollments.id", "enrollments.createdAt", "products.title as course"])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("formerEnrollments")
          .select("id")
          .where("userId", "=", userId)
          .where("productId", "=", productId),
      ).as("isBack"),
    )
    .where("enrollments.userId", "=", userId)
    .where("enrollments.productId", "=", productId)
    .executeTakeFirstOrThrow();
  return { ...row, isNew, name, isBack: Boolean(isBack) };
}

/** Enrolls a user by an administrator's decision, with an audit entry. Idempotent.
 * @returns whether it is new @throws {Refused} as {@link enrollWithin} */
export async function enrollManually(
  services: Services,
  enrolling: { userId: string; productId: string; onlyActive: boolean },
): Promise<boolean> {
  const { db, clock } = services;
  const { userId, productId } = enrolling;
  const isNew = await db.transaction(async (trx) => {
    if (!(await enrollWithin(trx, { ...enrolling, now: clock.now() }))) return false;
    const { id, title } = await trx
      .selectFrom("enrollments")
      .innerJoin("products", "products.id", "enrollments.productId")
      .select(["enrollments.id", "products.title"])
      .where("enrollments.userId", "=", userId)
      .where("enrollments.productId", "=", productId)
      .executeTakeFirstOrThrow();
    const done = { id, label: title, personId: userId };
    await recordAudit(trx, services, { action: "enrollment.created", ...done });
    return true;
  });
  if (isNew) services.wakeWorker();
  return isNew;
}

/** Removes an enrollment manually; nothing is refunded. @throws {Refused} not_found when there is none */
export async function removeEnrollment(
  services: Services,
  { id, removedBy }: { id: string; removedBy: string },
): Promise<void> {
  const { db, clock } = services;
  const removing = { id, removedBy, now: clock.now() };
  const ended = await db.transaction((trx) => removeEnrollmentWithin(trx, services, removing));
  if (!ended) throw new Refused("not_found", enrollmentMessages.alreadyRemoved);
}

/** {@link removeEnrollment} within a transaction. @returns false when there is none */
export async function removeEnrollmentWithin(
  trx: Query,
  services: Services,
  { id, removedBy, now }: { id: string; removedBy: string; now: Date },
): Promise<boolean> {
  const enrollment = await trx
    .selectFrom("enrollments")
    .innerJoin("products", "products.id", "enrollments.productId")
    .select(["enrollments.userId", "products.title"])
    .where("enrollments.id", "=", id)
    .executeTakeFirst();
  if (!(await endEnrollmentWithin(trx, id, { removedBy, now }))) return false;
  const done = { id, label: enrollment?.title, personId: enrollment?.userId };
  await recordAudit(trx, services, { action: "enrollment.removed", ...done });
  return true;
}
