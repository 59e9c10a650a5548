import { createHash } from "node:crypto";
import { sql } from "kysely";
import { isActive } from "~/features/drafts/drafts.server.ts";
import { studyOrder } from "~/features/enrollments/access.server.ts";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { openDraft } from "./drafts.server.ts";
import { openerOf, progressPlace } from "./encryption.server.ts";
import { listAllPhotographs, storedPhotographs } from "./photographs.server.ts";
import { givenAnswers, journalPages } from "./rules.ts";
import type {
  Answer,
  JournalCourse,
  JournalCourseOutline,
  LessonOutline,
  SavedAnswer,
  WrittenLesson,
} from "./schema.ts";

/** A user's journal without its text, by course (first written in, first) and in the course's order;
 * also what they wrote in courses and lessons that were deleted or are closed to them. */
export async function findOutline(db: Query, userId: string): Promise<JournalCourseOutline[]> {
  // Read before the answers: a draft may become one in between.
  const drafts = Map.groupBy(await listDraftSizes(db, userId), ({ lessonId }) => lessonId);
  const photographs = Map.groupBy(await listAllPhotographs(db, userId), ({ lessonId }) => lessonId);
  type Course = JournalCourseOutline & { since: number };
  const courses = new Map<string, Course>();
  for (const row of await listWrittenLessons(db, userId)) {
    const own = (drafts.get(row.id) ?? []).map(({ lessonId: _, ...draft }) => draft);
    const seen = (photographs.get(row.id) ?? []).map(({ lessonId: _, ...picture }) => picture);
    const { id, slug, title, module, finishedAt, size, stamp } = row;
    const isLeft = row.enrollmentId === null;
    const isDeleted = [row.deletedAt, row.moduleDeletedAt, row.courseDeletedAt].some(Boolean);
    const lesson: LessonOutline = {
      ...{ id, slug, title, module, finishedAt, size, stamp },
      drafts: own,
      photographs: seen,
      version: digest([
        stamp,
        own.map((draft) => [draft.id, draft.revision]),
        seen.map((picture) => picture.id),
      ]),
      isOpen: !isLeft && !isDeleted,
      isContinued: false,
    };
    const course: Course = courses.get(row.courseId) ?? {
      ...{ id: row.courseId, slug: row.courseSlug, title: row.course },
      closed: row.courseDeletedAt ? "deleted" : isLeft ? "left" : null,
      since: Number.POSITIVE_INFINITY,
      lessons: [],
    };
    const dates = [
      finishedAt,
      ...own.map(({ updatedAt }) => updatedAt),
      ...seen.map(({ createdAt }) => createdAt),
    ];
    course.since = Math.min(course.since, ...dates.map((date) => date?.getTime() ?? Infinity));
    course.lessons.push(lesson);
    courses.set(course.id, course);
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
  const drafts = await listDraftTexts(db.read, userId, "id", listed);
  const there = new Set(drafts.map(({ id }) => id));
  const isChanged = (lesson: LessonOutline) => lesson.drafts.some(({ id }) => !there.has(id));
  const changed = lessons.filter(isChanged).map(({ id }) => id);
  const others = await listDraftTexts(db.read, userId, "lessonId", changed);
  drafts.push(...others.filter(({ id }) => !there.has(id)));
  // After the drafts, which become answers.
  const entries = await listAnswerTexts(
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
  return lessons
    .map(({ size: _, stamp: __, ...lesson }): WrittenLesson => {
      const answers = answersOf.get(lesson.id);
      return {
        ...lesson,
        answers: savedAnswers(answers ?? []),
        unreadable: answers === null,
        drafts: (draftsIn.get(lesson.id) ?? [])
          .map(({ lessonId, ...sealed }) => openDraft(open, lessonId, sealed))
          .map((draft) => ({ ...draft, answers: givenAnswers(draft.answers) }))
          .filter((draft) => draft.answers.length > 0 || draft.unreadable),
      };
    })
    .filter(
      ({ answers, drafts, photographs, unreadable }) =>
        answers.length + drafts.length + photographs.length > 0 || unreadable,
    );
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
  const all = page.flatMap(({ lessons }) => lessons);
  const opened = new Map(
    (await openLessons(services, userId, all)).map((lesson) => [lesson.id, lesson]),
  );
  return page
    .map((course) => ({
      ...course,
      lessons: course.lessons.flatMap(({ id }) => opened.get(id) ?? []),
    }))
    .filter(({ lessons }) => lessons.length > 0);
}

/** A lesson's answers; `asRead` is what an update must find unchanged, and what is `unreadable`
 * cannot be decrypted and must not be overwritten. Null where the user has not completed the lesson. */
export async function findEntry(
  services: Services,
  { userId, lessonId }: { userId: string; lessonId: string },
) {
  const row = await services.db.write
    .selectFrom("progress")
    .select("journalAnswer as asRead")
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .executeTakeFirst();
  if (!row) return null;
  const open = await openerOf(services, userId, services.db.write);
  const answers = open(progressPlace(lessonId), row.asRead);
  return { ...row, answers: answers ?? [], unreadable: answers === null };
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

const activeDrafts = (db: Query, userId: string) =>
  db
    .selectFrom("drafts")
    .where("kind", "=", "journal")
    .where("userId", "=", userId)
    .where(isActive);

function listDraftSizes(db: Query, userId: string) {
  return activeDrafts(db, userId)
    .select(["id", "lessonId", "revision", "updatedAt", sizeOf("content").as("size")])
    .where(sizeOf("content"), ">", 0)
    .orderBy("updatedAt")
    .orderBy("id")
    .execute();
}

/** Lessons with answers, drafts or photographs in the order of their courses, also deleted ones. */
function listWrittenLessons(db: Query, userId: string) {
  const written = db
    .selectFrom("progress")
    .select("lessonId")
    .where("userId", "=", userId)
    .where("journalAnswer", "is not", null)
    .union(activeDrafts(db, userId).select("lessonId").where(sizeOf("content"), ">", 0))
    .union(storedPhotographs(db, userId).select("lessonId"));
  return db
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .innerJoin("products", "products.id", "modules.productId")
    .leftJoin("enrollments", (join) =>
      join.onRef("enrollments.productId", "=", "products.id").on("enrollments.userId", "=", userId),
    )
    .leftJoin("progress", (join) =>
      join.onRef("progress.lessonId", "=", "lessons.id").on("progress.userId", "=", userId),
    )
    .select(["lessons.id", "lessons.slug", "lessons.title", "lessons.deletedAt"])
    .select(["modules.title as module", "modules.deletedAt as moduleDeletedAt"])
    .select(["products.id as courseId", "products.slug as courseSlug"])
    .select(["products.title as course", "products.deletedAt as courseDeletedAt"])
    .select(["enrollments.id as enrollmentId", "progress.createdAt as finishedAt"])
    .select([sizeOf("journal_answer").as("size"), stampOfEntry.as("stamp")])
    .where("lessons.id", "in", written)
    .orderBy(studyOrder)
    .execute();
}

async function listAnswerTexts(db: Query, userId: string, lessonIds: string[]) {
  if (lessonIds.length === 0) return [];
  return db
    .selectFrom("progress")
    .select(["lessonId", "journalAnswer"])
    .where("userId", "=", userId)
    .where("lessonId", "in", lessonIds)
    .execute();
}

async function listDraftTexts(db: Query, userId: string, by: "id" | "lessonId", ids: string[]) {
  if (ids.length === 0) return [];
  return activeDrafts(db, userId)
    .select(["id", "lessonId", "content", "revision", "updatedAt"])
    .where(by, "in", ids)
    .orderBy("updatedAt")
    .orderBy("id")
    .execute();
}

const digest = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 22);
