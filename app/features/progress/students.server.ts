import { type Selectable, sql } from "kysely";
import { presentLessons } from "~/features/courses/courses.server.ts";
import { lessonsFrom, studyOrder } from "~/features/enrollments/access.server.ts";
import { hasFewEnrollments } from "~/features/enrollments/enrollments.server.ts";
import { isLocked, percent } from "~/features/enrollments/lesson-order.ts";
import { opensAt } from "~/features/enrollments/rules.ts";
import type { Database, Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import {
  countUpTo,
  fetchedFirst,
  keysetPage,
  mostListed,
  type Order,
  type Portion,
} from "~/platform/db/keyset.ts";
import { findPeople, isAmong } from "~/platform/db/people-search.ts";
import type { Tables } from "~/platform/db/tables.ts";
import type { ListParams } from "~/platform/http/list-params.ts";
import type { Services } from "~/platform/http/services.ts";
import { shortDate } from "~/platform/time/words.ts";

/** The sort columns with their first direction; the first is the default (spec 7, profiles). */
export const studentSorts = { email: "asc", name: "asc", joined: "desc" } as const;

const orders = {
  email: { column: "profiles.email", id: "profiles.id" },
  name: { column: "profiles.nameKey", id: "profiles.id" },
  joined: { column: "profiles.createdAt", id: "profiles.id" },
} satisfies Record<keyof typeof studentSorts, Omit<Order, "direction">>;

const columns = [
  "id",
  "name",
  "email",
  "emailVerified",
  "role",
  "createdAt",
  "suspendedAt",
] as const;

/** All accounts (spec 7, profiles), by name or email, or of one course. Rare matches are fetched
 * and sorted; frequent ones are found walking the sort order (docs/decisions/015). */
export async function listStudents(
  { db }: Services,
  params: ListParams<keyof typeof studentSorts> & Portion,
) {
  const { search, courseId, sort, direction, cursor, limit } = params;
  const order = orders[sort];
  const [people, isRare] = await Promise.all([
    findPeople(db, search),
    courseId !== null && hasFewEnrollments(db.read, courseId),
  ]);
  const enrolled = db.read.selectFrom("enrollments").select("userId");
  let some = db.read
    .selectFrom("profiles")
    .select([...columns, sql<string>`lower(name)`.as("nameKey")]);
  if (people?.ids) some = some.where(isAmong(db, "id", people.ids));
  if (isRare) some = some.where("id", "in", enrolled.where("productId", "=", courseId));
  if (people?.ids || isRare) some = fetchedFirst(some);
  let query = db.read
    .selectFrom(some.as("profiles"))
    .selectAll()
    .select(sql.ref<string | Date>(order.column).as("sortValue"));
  if (courseId && !isRare)
    query = query.where(({ exists }) =>
      exists(
        enrolled
          .where("productId", "=", courseId)
          .whereRef("enrollments.userId", "=", sql.ref("profiles.id")),
      ),
    );
  if (people?.filter) query = query.where(people.filter);
  const page = await keysetPage(query, { ...order, direction }, { cursor, limit });
  const isMany = courseId !== null && !isRare && !people;
  const isUnknown = people?.filter || params.uncounted;
  const total = isUnknown ? null : isMany ? mostListed + 1 : await countUpTo(db.read, query);
  return { ...page, rows: page.rows.map(toStudent), total };
}

/** {@link listStudents} with what each student of the page has completed: in the chosen course, or in
 * all of their courses. Null for a student who is in none. */
export async function listStudentsWithProgress(
  services: Services,
  params: Parameters<typeof listStudents>[1],
) {
  const { rows, ...page } = await listStudents(services, params);
  const userIds = rows.map(({ id }) => id);
  const counted =
    userIds.length > 0
      ? await countLessons(services.db, { userIds, courseId: params.courseId })
      : [];
  const progress = new Map(
    counted.map(({ userId, total, completed, lastAt }) => [
      userId,
      { total: Number(total), completed: Number(completed), lastAt },
    ]),
  );
  return { ...page, rows: rows.map((row) => ({ ...row, progress: progress.get(row.id) ?? null })) };
}

/** Counts what My Courses counts: lessons, modules and courses that are not deleted. */
function countLessons(
  db: Database,
  { userIds, courseId }: { userIds: string[]; courseId: string | null },
) {
  const lessons = presentLessons(db.read)
    .select("products.id as productId")
    .$if(courseId !== null, (query) => query.where("products.id", "=", courseId));
  const totals = lessons
    .select(({ fn }) => fn.countAll().as("total"))
    .groupBy("products.id")
    .as("totals");
  // A join of both with enrollments would have PostgreSQL read all progress there is.
  const done = lessons
    .innerJoin("progress", "progress.lessonId", "lessons.id")
    .select(({ fn }) => ["progress.userId", fn.countAll().as("completed")])
    .select(({ fn }) => fn.max("progress.createdAt").as("lastAt"))
    .where(isAmong(db, "progress.userId", userIds))
    .groupBy(["progress.userId", "products.id"])
    .as("done");
  return db.read
    .selectFrom("enrollments")
    .innerJoin("products", "products.id", "enrollments.productId")
    .leftJoin(totals, "totals.productId", "products.id")
    .leftJoin(done, (join) =>
      join
        .onRef("done.productId", "=", "products.id")
        .onRef("done.userId", "=", "enrollments.userId"),
    )
    .select(({ fn }) => ["enrollments.userId", fn.sum("totals.total").as("total")])
    .select(({ fn }) => fn.sum("done.completed").as("completed"))
    .select(({ fn }) => fn.max("done.lastAt").as("lastAt"))
    .where(isAmong(db, "enrollments.userId", userIds))
    .where("products.deletedAt", "is", null)
    .$if(courseId !== null, (query) => query.where("products.id", "=", courseId))
    .groupBy("enrollments.userId")
    .execute();
}

type StudentProgress = { total: number; completed: number; lastAt: Date | null };

export function progressWords(progress: StudentProgress | null): string {
  if (!progress) return "Not enrolled";
  const { total, completed } = progress;
  if (total === 0) return "No lessons";
  return `${completed} of ${total} ${total === 1 ? "lesson" : "lessons"}`;
}

export type StudentRow = Awaited<ReturnType<typeof listStudentsWithProgress>>["rows"][number];

type Found = Pick<Selectable<Tables["profiles"]>, (typeof columns)[number]>;

function toStudent({ id, name, email, emailVerified, role, suspendedAt, createdAt }: Found) {
  return { id, name, email, emailVerified, isAdmin: role === "admin", suspendedAt, createdAt };
}

type Day = (date: Date) => string;

/** A student's current enrollments, newest first, then former ones, with all lessons and their
 * states. Of progress, only completion times are read: never what was written, nor whether. */
async function listStudies({ db, clock }: Services, userId: string, day: Day) {
  const [current, former] = await Promise.all([
    db.read
      .selectFrom("enrollments")
      .innerJoin("products", "products.id", "enrollments.productId")
      .select(["enrollments.id", "enrollments.productId", "enrollments.stripePaymentId"])
      .select(["enrollments.createdAt", "products.title", "products.active", "products.deletedAt"])
      .select(lessonsFrom.as("fromAt"))
      .where("enrollments.userId", "=", userId)
      .orderBy("enrollments.createdAt", "desc")
      .orderBy("enrollments.id", "desc")
      .execute(),
    db.read
      .selectFrom("formerEnrollments as former")
      .innerJoin("products", "products.id", "former.productId")
      .select(["former.id", "former.productId", "former.stripePaymentId", "former.createdAt"])
      .select(["former.removedAt", "products.title", "products.active", "products.deletedAt"])
      .select("former.createdAt as fromAt")
      .where("former.userId", "=", userId)
      .orderBy("former.removedAt", "desc")
      .orderBy("former.id", "desc")
      .execute(),
  ]);
  const enrollments = [...current.map((row) => ({ ...row, removedAt: null })), ...former];
  const productIds = [...new Set(enrollments.map(({ productId }) => productId))];
  const lessons = Map.groupBy(
    await listStudiedLessons(db.read, userId, productIds),
    ({ productId }) => productId,
  );
  const now = clock.now();
  return enrollments.map(({ active, deletedAt, createdAt, fromAt, removedAt, ...course }) => {
    const own = lessons.get(course.productId) ?? [];
    const completed = own.filter(({ completedAt }) => completedAt).length;
    const modules = Map.groupBy(own, ({ moduleId }) => moduleId);
    return {
      ...course,
      isActive: active,
      isDeleted: deletedAt !== null,
      since: day(createdAt),
      until: removedAt && day(removedAt),
      completed,
      total: own.length,
      percent: percent(completed, own.length),
      modules: [...modules].map(([id, inside]) => ({
        id,
        title: inside[0]?.module ?? "",
        lessons: inside.map((lesson) => ({
          id: lesson.id,
          title: lesson.title,
          state: lessonState(lesson, { fromAt, removedAt }, now, day),
        })),
      })),
    };
  });
}

function lessonState(
  { dripDay, completedAt }: { dripDay: number; completedAt: Date | null },
  { fromAt, removedAt }: { fromAt: Date; removedAt: Date | null },
  now: Date,
  day: Day,
) {
  if (completedAt) return { kind: "completed", words: `Completed ${day(completedAt)}` } as const;
  if (removedAt) return { kind: "not-completed", words: "Not completed" } as const;
  if (!isLocked(dripDay, fromAt, now)) return { kind: "open", words: "Open" } as const;
  return { kind: "opens", words: `Opens ${day(opensAt(dripDay, fromAt))}` } as const;
}

async function listStudiedLessons(db: Query, userId: string, productIds: string[]) {
  if (productIds.length === 0) return [];
  return db
    .selectFrom("modules")
    .innerJoin("lessons", "lessons.moduleId", "modules.id")
    .leftJoin("progress", (join) =>
      join.onRef("progress.lessonId", "=", "lessons.id").on("progress.userId", "=", userId),
    )
    .select(["modules.productId", "modules.id as moduleId", "modules.title as module"])
    .select(["lessons.id", "lessons.title", "lessons.dripDay"])
    .select("progress.createdAt as completedAt")
    .where("modules.productId", "in", productIds)
    .where("modules.deletedAt", "is", null)
    .where("lessons.deletedAt", "is", null)
    .orderBy(studyOrder)
    .execute();
}

function listSentMails(
  { db }: Services,
  { userId, cursor, limit }: { userId: string; cursor: string | null; limit: number },
) {
  const query = db.read
    .selectFrom("sentEmails")
    .select(["id", "kind", "subject", "createdAt", "createdAt as sortValue"])
    .where("userId", "=", userId);
  const order = { column: "sentEmails.createdAt", id: "sentEmails.id", direction: "desc" } as const;
  return keysetPage(query, order, { cursor, limit });
}

/** A student for their own page, in the coach's time zone: account, courses with each lesson,
 * former enrollments, a page of sent emails. Null when there is no such account. */
export async function getStudent(
  services: Services,
  {
    id,
    cursor,
    limit,
    timeZone,
  }: { id: string; cursor: string | null; limit: number; timeZone: string },
) {
  const { db, workKinds } = services;
  if (!isId(id)) return null;
  const row = await db.read
    .selectFrom("profiles")
    .select([...columns, "suspendedReason", "deletionDueAt"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) return null;
  const day = (date: Date) => shortDate(date, timeZone);
  const [studies, { rows, previous, next }] = await Promise.all([
    listStudies(services, id, day),
    listSentMails(services, { userId: id, cursor, limit }),
  ]);
  const { createdAt, suspendedAt, ...account } = toStudent(row);
  const goes = row.deletionDueAt && day(row.deletionDueAt);
  return {
    student: { ...account, joined: day(createdAt), goes },
    suspended: suspendedAt && { since: day(suspendedAt), reason: row.suspendedReason ?? "" },
    courses: studies.filter(({ until }) => until === null),
    former: studies.filter(({ until }) => until !== null),
    mails: rows.map((mail) => ({
      id: mail.id,
      subject: mail.subject,
      about: workKinds.get(mail.kind)?.label ?? "Email",
      sent: day(mail.createdAt),
    })),
    previous,
    next,
  };
}

export type StudentPage = NonNullable<Awaited<ReturnType<typeof getStudent>>>;
