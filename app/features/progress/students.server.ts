import { sql } from "kysely";
import { hasFewEnrollments } from "~/features/enrollments/enrollments.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import { fetchedFirst, keysetPage, type ListPage, type Order } from "~/platform/db/keyset.ts";
import { findPeople, isAmong } from "~/platform/db/people-search.ts";
import type { ListParams } from "~/platform/http/list-params.ts";
import type { Services } from "~/platform/http/services.ts";
import { shortDate } from "~/platform/time/words.ts";
import { withLessons } from "./rules.ts";
import type {
  LessonState,
  SentEmail,
  StudentCourse,
  StudentRow,
  StudentSort,
  StudiedLesson,
} from "./schema.ts";

/** A student's current enrollments, newest first, then former ones, with all lessons and their
 * states. Of progress, only completion times are read. */
export async function listStudies({ db, clock }: Services, userId: string) {
  const [courses, former] = await Promise.all([
    enrollmentsOf(db.read, userId),
    formerEnrollmentsOf(db.read, userId),
  ]);
  const all: StudentCourse[] = [...courses, ...former];
  const lessons = await lessonsWithProgress(db.read, userId, [
    ...new Set(all.map(({ productId }) => productId)),
  ]);
  const now = clock.now();
  return {
    courses: courses.map((course) => withLessons(course, lessons, now)),
    former: former.map((course) => withLessons(course, lessons, now)),
  };
}

async function enrollmentsOf(db: Query, userId: string): Promise<StudentCourse[]> {
  const rows = await db
    .selectFrom("enrollments")
    .innerJoin("products", "products.id", "enrollments.productId")
    .select(["enrollments.id", "enrollments.productId", "enrollments.stripePaymentId"])
    .select(["enrollments.createdAt", "products.title", "products.active", "products.deletedAt"])
    .where("enrollments.userId", "=", userId)
    .orderBy("enrollments.createdAt", "desc")
    .orderBy("enrollments.id", "desc")
    .execute();
  return rows.map((row) => toStudied({ ...row, removedAt: null }));
}

async function formerEnrollmentsOf(db: Query, userId: string): Promise<StudentCourse[]> {
  const rows = await db
    .selectFrom("formerEnrollments as former")
    .innerJoin("products", "products.id", "former.productId")
    .select(["former.id", "former.productId", "former.stripePaymentId", "former.createdAt"])
    .select(["former.removedAt", "products.title", "products.active", "products.deletedAt"])
    .where("former.userId", "=", userId)
    .orderBy("former.removedAt", "desc")
    .orderBy("former.id", "desc")
    .execute();
  return rows.map(toStudied);
}

type Enrollment = Pick<StudentCourse, "id" | "productId" | "title" | "stripePaymentId"> & {
  active: boolean;
  deletedAt: Date | null;
  createdAt: Date;
  removedAt: Date | null;
};

function toStudied({ active, deletedAt, createdAt, removedAt, ...row }: Enrollment): StudentCourse {
  return {
    ...row,
    isActive: active,
    isDeleted: deletedAt !== null,
    since: createdAt,
    until: removedAt,
  };
}

async function lessonsWithProgress(
  db: Query,
  userId: string,
  productIds: string[],
): Promise<StudiedLesson[]> {
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
    .orderBy("modules.orderNum")
    .orderBy("modules.createdAt")
    .orderBy("modules.id")
    .orderBy("lessons.orderNum")
    .orderBy("lessons.createdAt")
    .orderBy("lessons.id")
    .execute();
}

const orders = {
  email: { column: "profiles.email", id: "profiles.id" },
  name: { column: "profiles.nameKey", id: "profiles.id" },
  joined: { column: "profiles.createdAt", id: "profiles.id" },
} satisfies Record<StudentSort, Omit<Order, "direction">>;

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
  params: ListParams<StudentSort> & { limit: number },
): Promise<ListPage<StudentRow>> {
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
  return { ...page, rows: page.rows.map(toStudent) };
}

type Found = Omit<StudentRow, "isAdmin"> & { role: string };

function toStudent(found: Found): StudentRow {
  const { id, name, email, emailVerified, role, suspendedAt, createdAt } = found;
  return { id, name, email, emailVerified, isAdmin: role === "admin", suspendedAt, createdAt };
}

async function findStudent({ db }: Services, id: string) {
  if (!isId(id)) return null;
  const row = await db.read
    .selectFrom("profiles")
    .select([...columns, "suspendedReason", "deletionDueAt"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) return null;
  const { suspendedReason, deletionDueAt } = row;
  return { ...toStudent(row), reason: suspendedReason ?? "", deletionDueAt };
}

function listSentMails(
  { db }: Services,
  { userId, cursor, limit }: { userId: string; cursor: string | null; limit: number },
): Promise<ListPage<SentEmail>> {
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
  const student = await findStudent(services, id);
  if (!student) return null;
  const [studies, { rows, previous, next }] = await Promise.all([
    listStudies(services, id),
    listSentMails(services, { userId: id, cursor, limit }),
  ]);
  const day = (date: Date) => shortDate(date, timeZone);
  const { createdAt, suspendedAt, reason, deletionDueAt, ...account } = student;
  return {
    student: { ...account, joined: day(createdAt), goes: deletionDueAt && day(deletionDueAt) },
    suspended: suspendedAt && { since: day(suspendedAt), reason },
    courses: studies.courses.map((course) => inWords(course, day)),
    former: studies.former.map((course) => inWords(course, day)),
    mails: rows.map((mail) => ({
      id: mail.id,
      subject: mail.subject,
      about: services.workKinds.get(mail.kind)?.label ?? "Email",
      sent: day(mail.createdAt),
    })),
    previous,
    next,
  };
}

type Day = (date: Date) => string;

function inWords(course: ReturnType<typeof withLessons>, day: Day) {
  return {
    ...course,
    since: day(course.since),
    until: course.until && day(course.until),
    modules: course.modules.map((module) => ({
      ...module,
      lessons: module.lessons.map(({ state, ...lesson }) => ({
        ...lesson,
        state: { kind: state.kind, words: stateInWords(state, day) },
      })),
    })),
  };
}

function stateInWords(state: LessonState, day: Day): string {
  if (state.kind === "completed") return `Completed ${day(state.at)}`;
  if (state.kind === "opens") return `Opens ${day(state.at)}`;
  return state.kind === "open" ? "Open" : "Not completed";
}
