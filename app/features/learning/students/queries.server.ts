import { sql } from "kysely";
import { hasFew } from "~/features/enrollments/queries.server.ts";
import { isId } from "~/platform/db/ids.ts";
import { fetchedFirst, keysetPage, type ListPage, type Order } from "~/platform/db/keyset.ts";
import { findPeople, isAmong } from "~/platform/db/people-search.ts";
import type { ListParams } from "~/platform/http/list-params.ts";
import type { Services } from "~/platform/services.ts";
import { shortDate } from "~/platform/time/words.ts";
import { listStudies } from "../studies/queries.server.ts";
import type { withLessons } from "./rules.ts";
import type { LessonState, SentMail, StudentRow, StudentSort } from "./schema.ts";

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

/**
 * All accounts (spec 7, profiles), found by name or address, or kept to one course. What is few is
 * fetched and put in order; what is many is met soon enough on a walk through the order
 * (docs/decisions/019).
 */
export async function listStudents(
  { db }: Services,
  params: ListParams<StudentSort> & { limit: number },
): Promise<ListPage<StudentRow>> {
  const { search, courseId, sort, direction, cursor, limit } = params;
  const order = orders[sort];
  const [people, isRare] = await Promise.all([
    findPeople(db, search),
    courseId !== null && hasFew(db.read, courseId),
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

/** One account; null when there is none with this id. */
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

/** The letters that went to somebody, newest first. */
function listSentMails(
  { db }: Services,
  { userId, cursor, limit }: { userId: string; cursor: string | null; limit: number },
): Promise<ListPage<SentMail>> {
  const query = db.read
    .selectFrom("sentMails")
    .select(["id", "kind", "subject", "createdAt", "createdAt as sortValue"])
    .where("userId", "=", userId);
  const order = { column: "sentMails.createdAt", id: "sentMails.id", direction: "desc" } as const;
  return keysetPage(query, order, { cursor, limit });
}

/**
 * One student as her page shows her, with days in words of the coach's time zone: account,
 * courses with each lesson, former enrollments, a page of the letters that went out. Null when
 * there is no such account.
 */
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
      about: services.workKinds.get(mail.kind)?.label ?? "Letter",
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
