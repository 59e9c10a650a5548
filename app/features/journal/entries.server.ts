import { createHash } from "node:crypto";
import { sql } from "kysely";
import { isActive } from "~/features/drafts/drafts.server.ts";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { openDraft } from "./drafts.server.ts";
import { type Opener, openerOf, progressPlace } from "./encryption.server.ts";
import { givenAnswers, journalPages } from "./rules.ts";
import type {
  Answer,
  JournalCourse,
  JournalCourseOutline,
  JournalDraft,
  LessonOutline,
  SavedAnswer,
  WrittenLesson,
} from "./schema.ts";

/** A user's journal without its text, by course (first written in, first) and in the course's order;
 * also what they wrote in courses and lessons that were deleted or are closed to them. */
export async function findOutline(db: Query, userId: string): Promise<JournalCourseOutline[]> {
  const entryRows = await entriesOf(db, userId);
  const draftRows = await draftsOf(db, userId);
  const entries = new Map(entryRows.map((row) => [row.lessonId, row]));
  const drafts = Map.groupBy(draftRows, ({ lessonId }) => lessonId);
  const written = entryRows.filter(({ size }) => size > 0).map(({ lessonId }) => lessonId);
  const places = await lessonPlaces(db, userId, [...new Set([...written, ...drafts.keys()])]);
  const courses = new Map<string, JournalCourseOutline & { since: number }>();
  for (const { course, isDeleted, isOpen, ...place } of places) {
    const entry = entries.get(place.id);
    const own = drafts.get(place.id) ?? [];
    const lesson: LessonOutline = {
      ...place,
      isOpen: isOpen && !isDeleted && course.closed === null,
      finishedAt: entry?.createdAt ?? null,
      size: entry?.size ?? 0,
      stamp: entry?.stamp ?? null,
      drafts: own.map(({ lessonId: _, ...draft }) => draft),
      version: digest([entry?.stamp, own.map(({ id, revision }) => [id, revision])]),
      isContinued: false,
    };
    const dates = [entry?.createdAt, ...own.map(({ updatedAt }) => updatedAt)];
    const since = Math.min(...dates.flatMap((date) => (date ? [date.getTime()] : [])));
    const known = courses.get(course.id);
    if (known) {
      known.lessons.push(lesson);
      known.since = Math.min(known.since, since);
    } else courses.set(course.id, { ...course, since, lessons: [lesson] });
  }
  return [...courses.values()]
    .toSorted((one, other) => one.since - other.since)
    .map(({ since: _, ...course }) => course);
}

/** Changes with anything in the journal. */
export const journalVersion = (courses: readonly JournalCourseOutline[]): string =>
  digest(courses.flatMap(({ lessons }) => lessons.map(({ id, version }) => [id, version])));

/** The text of these lessons, without what was deleted since. Where a draft of the outline is gone,
 * the whole lesson is read: the draft may have become answers, or another draft. */
export async function openLessons(
  services: Services,
  userId: string,
  lessons: readonly LessonOutline[],
): Promise<WrittenLesson[]> {
  const { db } = services;
  const listed = lessons.flatMap((lesson) => lesson.drafts.map(({ id }) => id));
  const drafts = await draftWords(db.read, userId, "id", listed);
  const there = new Set(drafts.map(({ id }) => id));
  const isChanged = (lesson: LessonOutline) => lesson.drafts.some(({ id }) => !there.has(id));
  const changed = lessons.filter(isChanged).map(({ id }) => id);
  const others = await draftWords(db.read, userId, "lessonId", changed);
  drafts.push(...others.filter(({ id }) => !there.has(id)));
  // After the drafts, which become answers.
  const entries = await entryWords(
    db.read,
    userId,
    lessons.filter((lesson) => !lesson.isContinued || isChanged(lesson)).map(({ id }) => id),
  );
  // After the text: a user who has some has a key.
  const open = await openerOf(services, userId);
  const answersOf = new Map(
    entries.map(({ lessonId, journalAnswer }) => [
      lessonId,
      open(progressPlace(lessonId), journalAnswer),
    ]),
  );
  const draftsIn = Map.groupBy(drafts, ({ lessonId }) => lessonId);
  return lessons.flatMap(({ size: _, stamp: __, ...lesson }) => {
    const answers = answersOf.get(lesson.id);
    const opened: WrittenLesson = {
      ...lesson,
      answers: savedAnswers(answers ?? []),
      unreadable: answers === null,
      drafts: openDrafts(open, draftsIn.get(lesson.id) ?? []),
    };
    const isEmpty = opened.answers.length === 0 && opened.drafts.length === 0;
    return isEmpty && !opened.unreadable ? [] : [opened];
  });
}

/** A journal with its text, one page of {@link journalPages} in memory at a time. */
export async function* readPages(
  services: Services,
  userId: string,
  courses: readonly JournalCourseOutline[],
): AsyncGenerator<JournalCourse[]> {
  for (const page of journalPages(courses)) yield await openPage(services, userId, page);
}

export async function openPage(
  services: Services,
  userId: string,
  page: readonly JournalCourseOutline[],
): Promise<JournalCourse[]> {
  const opened = await openLessons(
    services,
    userId,
    page.flatMap(({ lessons }) => lessons),
  );
  const known = new Map(opened.map((lesson) => [lesson.id, lesson]));
  return page.flatMap((course) => {
    const lessons = course.lessons.flatMap(({ id }) => known.get(id) ?? []);
    return lessons.length > 0 ? [{ ...course, lessons }] : [];
  });
}

/** A lesson's answers; `asRead` is what an update must find unchanged. */
export type StoredEntry = {
  asRead: string | null;
  finishedAt: Date;
  answers: Answer[];
  /** The answers cannot be decrypted, and must not be overwritten. */
  unreadable: boolean;
};

/** Null where the user has not completed the lesson. */
export async function findEntry(
  services: Services,
  { userId, lessonId }: { userId: string; lessonId: string },
): Promise<StoredEntry | null> {
  const row = await services.db.write
    .selectFrom("progress")
    .select(["journalAnswer", "createdAt"])
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .executeTakeFirst();
  if (!row) return null;
  const { journalAnswer: sealed, createdAt: finishedAt } = row;
  const open = await openerOf(services, userId, services.db.write);
  const answers = open(progressPlace(lessonId), sealed);
  return { asRead: sealed, finishedAt, answers: answers ?? [], unreadable: answers === null };
}

/** Answers with their places and versions. */
export const savedAnswers = (answers: readonly Answer[]): SavedAnswer[] =>
  answers.flatMap(({ question, answer }, at) =>
    answer.trim() === "" ? [] : [{ at, question, answer, version: digest([question, answer]) }],
  );

/** Bytes of encrypted text; 0 when there is none. */
const sizeOf = (sealed: string) => sql<number>`coalesce(octet_length(${sql.ref(sealed)}), 0)`;

/** The start of sealed answers, which differs each time they are sealed (platform/crypto/seal.ts). */
export const stampOfEntry = sql<string | null>`substr(journal_answer, 1, 40)`;

/** Also lessons that were completed without answers and have a draft since. */
function entriesOf(db: Query, userId: string) {
  return db
    .selectFrom("progress")
    .select([
      "lessonId",
      "createdAt",
      sizeOf("journal_answer").as("size"),
      stampOfEntry.as("stamp"),
    ])
    .where("userId", "=", userId)
    .where((eb) =>
      eb.or([
        eb("journalAnswer", "is not", null),
        eb(
          "lessonId",
          "in",
          eb
            .selectFrom("drafts")
            .select("lessonId")
            .where("kind", "=", "journal")
            .where("userId", "=", userId),
        ),
      ]),
    )
    .execute();
}

function draftsOf(db: Query, userId: string) {
  return db
    .selectFrom("drafts")
    .select(["id", "lessonId", "revision", "updatedAt", sizeOf("content").as("size")])
    .where("kind", "=", "journal")
    .where("userId", "=", userId)
    .where(isActive)
    .where(sizeOf("content"), ">", 0)
    .orderBy("updatedAt")
    .orderBy("id")
    .execute();
}

async function entryWords(db: Query, userId: string, lessonIds: string[]) {
  if (lessonIds.length === 0) return [];
  return db
    .selectFrom("progress")
    .select(["lessonId", "journalAnswer"])
    .where("userId", "=", userId)
    .where("lessonId", "in", lessonIds)
    .execute();
}

async function draftWords(db: Query, userId: string, by: "id" | "lessonId", ids: string[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom("drafts")
    .select(["id", "lessonId", "content", "revision", "updatedAt"])
    .where("kind", "=", "journal")
    .where("userId", "=", userId)
    .where(by, "in", ids)
    .where(isActive)
    .orderBy("updatedAt")
    .orderBy("id")
    .execute();
}

type DraftRow = Awaited<ReturnType<typeof draftWords>>[number];

function openDrafts(open: Opener, rows: DraftRow[]): JournalDraft[] {
  return rows.flatMap(({ lessonId, ...row }) => {
    const { answers, ...draft } = openDraft(open, lessonId, row);
    const given = givenAnswers(answers);
    return given.length > 0 || draft.unreadable ? [{ ...draft, answers: given }] : [];
  });
}

/** Lessons in the order of their courses, also deleted ones. */
async function lessonPlaces(db: Query, userId: string, lessonIds: string[]) {
  // Databases limit the values of a statement.
  const atOnce = 500;
  const rows = [];
  for (let from = 0; from < lessonIds.length; from += atOnce)
    rows.push(...(await placesOf(db, userId, lessonIds.slice(from, from + atOnce))));
  const sorted = rows.toSorted(
    (one, other) =>
      one.moduleNum - other.moduleNum ||
      one.moduleCreatedAt.getTime() - other.moduleCreatedAt.getTime() ||
      compare(one.moduleId, other.moduleId) ||
      one.orderNum - other.orderNum ||
      one.createdAt.getTime() - other.createdAt.getTime() ||
      compare(one.id, other.id),
  );
  return sorted.map((row) => ({
    id: row.id,
    slug: row.slug,
    title: row.title,
    module: row.module,
    isDeleted: row.deletedAt !== null || row.moduleDeletedAt !== null,
    isOpen: row.enrollmentId !== null,
    course: {
      id: row.courseId,
      slug: row.courseSlug,
      title: row.course,
      closed: row.courseDeletedAt
        ? ("deleted" as const)
        : row.enrollmentId === null
          ? ("left" as const)
          : null,
    },
  }));
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

function placesOf(db: Query, userId: string, lessonIds: string[]) {
  return db
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .innerJoin("products", "products.id", "modules.productId")
    .leftJoin("enrollments", (join) =>
      join.onRef("enrollments.productId", "=", "products.id").on("enrollments.userId", "=", userId),
    )
    .select(["lessons.id", "lessons.slug", "lessons.title", "lessons.orderNum"])
    .select(["lessons.createdAt", "lessons.deletedAt", "lessons.moduleId"])
    .select(["modules.title as module", "modules.orderNum as moduleNum"])
    .select(["modules.createdAt as moduleCreatedAt", "modules.deletedAt as moduleDeletedAt"])
    .select(["products.id as courseId", "products.slug as courseSlug"])
    .select(["products.title as course", "products.deletedAt as courseDeletedAt"])
    .select("enrollments.id as enrollmentId")
    .where("lessons.id", "in", lessonIds)
    .execute();
}

const digest = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 22);
