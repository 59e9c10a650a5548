import { createHash } from "node:crypto";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/services.ts";
import { isAlive, openDraft } from "../drafts/queries.server.ts";
import type { Answer } from "../schema.ts";
import { type Opener, openerOf, progressPlace } from "../sealing/queries.server.ts";
import { givenAnswers } from "./rules.ts";
import type { JournalCourse, JournalLesson, KeptAnswer, KeptDraft } from "./schema.ts";

/**
 * Everything somebody has written in lessons, by course (those she began first come first) and in
 * the course's order. Also what is in courses and lessons that were deleted, or that are closed to
 * her. Only ever asked for the person herself.
 */
export async function readJournal(services: Services, userId: string): Promise<JournalCourse[]> {
  const [entryRows, draftRows] = await Promise.all([
    entriesOf(services, userId),
    draftsOf(services, userId),
  ]);
  // After the words: whoever has some has a key.
  const open = await openerOf(services, userId);
  const entries = openEntries(open, entryRows);
  const drafts = openDrafts(open, draftRows);
  const written = [...entries].filter(([, one]) => one.unreadable || one.answers.length > 0);
  const ids = [...new Set([...written.map(([id]) => id), ...drafts.keys()])];
  const places = await lessonPlaces(services.db.read, userId, ids);
  const courses = new Map<string, JournalCourse & { since: number }>();
  for (const { course, isDeleted, isOpen, ...place } of places) {
    const entry = entries.get(place.id);
    const lesson: JournalLesson = {
      ...place,
      isOpen: isOpen && !isDeleted && course.closed === null,
      finishedAt: entry?.finishedAt ?? null,
      answers: entry?.answers ?? [],
      unreadable: entry?.unreadable ?? false,
      drafts: drafts.get(place.id) ?? [],
      version: "",
    };
    lesson.version = versionOf(lesson.answers, lesson.drafts);
    const since = Math.min(
      ...[lesson.finishedAt, ...lesson.drafts.map(({ updatedAt }) => updatedAt)].flatMap((date) =>
        date ? [date.getTime()] : [],
      ),
    );
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

/** Of a whole journal: another one as soon as anything in it is. */
export const journalVersion = (courses: readonly JournalCourse[]): string =>
  digest(courses.flatMap(({ lessons }) => lessons.map(({ id, version }) => [id, version])));

/** A lesson's answers, with what an update has to find unchanged. */
export type StoredEntry = {
  asRead: string | null;
  finishedAt: Date;
  answers: Answer[];
  /** Answers are there, and cannot be opened: nothing may be put in their place. */
  unreadable: boolean;
};

/** Null where she has not completed the lesson. */
export async function findEntry(
  services: Services,
  { userId, lessonId }: { userId: string; lessonId: string },
): Promise<StoredEntry | null> {
  const row = await services.db.write
    .selectFrom("progress")
    .select(["journalAnswer", "answers", "createdAt"])
    .where("userId", "=", userId)
    .where("lessonId", "=", lessonId)
    .executeTakeFirst();
  if (!row) return null;
  const { journalAnswer: sealed, answers: readable, createdAt: finishedAt } = row;
  const open = await openerOf(services, userId, services.db.write);
  const answers = open(progressPlace(lessonId), { sealed, readable });
  return { asRead: sealed, finishedAt, answers: answers ?? [], unreadable: answers === null };
}

/** Answers with their places and versions. */
export const kept = (answers: readonly Answer[]): KeptAnswer[] =>
  answers.flatMap(({ question, answer }, at) =>
    answer.trim() === "" ? [] : [{ at, question, answer, version: digest([question, answer]) }],
  );

/** Also those that were completed with nothing written, and have a draft since. */
function entriesOf({ db }: Services, userId: string) {
  return db.read
    .selectFrom("progress")
    .select(["lessonId", "journalAnswer", "answers", "createdAt"])
    .where("userId", "=", userId)
    .where((eb) =>
      eb.or([
        eb("journalAnswer", "is not", null),
        eb(
          "lessonId",
          "in",
          eb.selectFrom("lessonDrafts").select("lessonId").where("userId", "=", userId),
        ),
      ]),
    )
    .execute();
}

type EntryRow = Awaited<ReturnType<typeof entriesOf>>[number];

function openEntries(open: Opener, rows: EntryRow[]) {
  const entries = rows.map(({ lessonId, journalAnswer: sealed, answers: readable, createdAt }) => {
    const opened = open(progressPlace(lessonId), { sealed, readable });
    const [answers, unreadable] = [kept(opened ?? []), opened === null];
    return [lessonId, { finishedAt: createdAt, answers, unreadable }] as const;
  });
  return new Map(entries);
}

function draftsOf({ db }: Services, userId: string) {
  return db.read
    .selectFrom("lessonDrafts")
    .select(["id", "lessonId", "sealedAnswers", "answers", "revision", "updatedAt"])
    .where("userId", "=", userId)
    .where(isAlive)
    .orderBy("updatedAt")
    .orderBy("id")
    .execute();
}

type DraftRow = Awaited<ReturnType<typeof draftsOf>>[number];

function openDrafts(open: Opener, rows: DraftRow[]): Map<string, KeptDraft[]> {
  const drafts = new Map<string, KeptDraft[]>();
  for (const { lessonId, ...row } of rows) {
    const { answers, ...draft } = openDraft(open, lessonId, row);
    const given = givenAnswers(answers);
    if (given.length > 0 || draft.unreadable)
      drafts.set(lessonId, [...(drafts.get(lessonId) ?? []), { ...draft, answers: given }]);
  }
  return drafts;
}

/** Where lessons stand, whatever became of them, in the order of their courses. */
async function lessonPlaces(db: Query, userId: string, lessonIds: string[]) {
  // Databases take only so many values in one question.
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
    isOpen: row.seat !== null,
    course: {
      id: row.courseId,
      slug: row.courseSlug,
      title: row.course,
      closed: row.courseDeletedAt
        ? ("deleted" as const)
        : row.seat === null
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
    .select("enrollments.id as seat")
    .where("lessons.id", "in", lessonIds)
    .execute();
}

function versionOf(answers: readonly KeptAnswer[], drafts: readonly KeptDraft[]): string {
  return digest([
    answers.map(({ version }) => version),
    drafts.map(({ id, revision }) => [id, revision]),
  ]);
}

const digest = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 22);
