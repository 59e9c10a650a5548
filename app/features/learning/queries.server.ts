import { lessonsOf, listModuleTitles } from "~/features/courses/queries.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { listDrafts, openDraft } from "./drafts/queries.server.ts";
import { isLocked, percent } from "./rules.ts";
import type { Lesson, Module } from "./schema.ts";
import { openerOf, progressPlace } from "./sealing/queries.server.ts";
import { outcomes } from "./texts.ts";

/** Somebody's way into a course: `enrolledAt` null means not enrolled. */
export type Seat = { id: string; slug: string; title: string; enrolledAt: Date | null };

/** The course with this slug and the student's seat in it; null when it is missing or deleted. */
export async function findSeat(
  { db }: Services,
  { userId, slug }: { userId: string; slug: string },
): Promise<Seat | null> {
  const row = await db.read
    .selectFrom("products")
    .leftJoin("enrollments", (join) =>
      join.onRef("enrollments.productId", "=", "products.id").on("enrollments.userId", "=", userId),
    )
    .select(["products.id", "products.slug", "products.title"])
    .select("enrollments.createdAt as enrolledAt")
    .where("products.slug", "=", slug)
    .where("products.deletedAt", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/** The course's modules and lessons in order, each lesson with its state for this student. */
export async function getOutline(
  { db, clock }: Services,
  { userId, productId, enrolledAt }: { userId: string; productId: string; enrolledAt: Date },
): Promise<Module[]> {
  const [modules, lessons] = await Promise.all([
    listModuleTitles(db.read, productId),
    outlineLessons(db.read, userId, productId),
  ]);
  const now = clock.now();
  const byModule = Map.groupBy(lessons, (lesson) => lesson.moduleId);
  return modules.map((module) => ({
    ...module,
    lessons: (byModule.get(module.id) ?? []).map(
      ({ moduleId: _, completedBy, ...lesson }): Lesson => ({
        ...lesson,
        isLocked: isLocked(lesson.dripDay, enrolledAt, now),
        isCompleted: completedBy !== null,
      }),
    ),
  }));
}

function outlineLessons(db: Query, userId: string, productId: string) {
  return lessonsOf(db, productId)
    .leftJoin("progress", (join) =>
      join.onRef("progress.lessonId", "=", "lessons.id").on("progress.userId", "=", userId),
    )
    .select(["lessons.id", "lessons.moduleId", "lessons.slug", "lessons.title", "lessons.dripDay"])
    .select("progress.userId as completedBy")
    .execute();
}

/** What an open lesson shows. Only for lessons that the outline calls open. */
export async function getLessonContent(
  services: Services,
  { userId, lessonId }: { userId: string; lessonId: string },
) {
  const { db } = services;
  const [lesson, drafts] = await Promise.all([
    db.read
      .selectFrom("lessons")
      .leftJoin("progress", (join) =>
        join.onRef("progress.lessonId", "=", "lessons.id").on("progress.userId", "=", userId),
      )
      .select([
        "lessons.contentHtml",
        "lessons.prompts",
        "progress.journalAnswer",
        "progress.answers",
      ])
      .where("lessons.id", "=", lessonId)
      .executeTakeFirstOrThrow(),
    listDrafts(db.read, userId, lessonId),
  ]);
  // After the words: whoever has some has a key.
  const open = await openerOf(services, userId);
  const { contentHtml, journalAnswer: sealed, answers: readable } = lesson;
  const answers = open(progressPlace(lessonId), { sealed, readable });
  return {
    contentHtml,
    prompts: lesson.prompts ?? [],
    answers: answers ?? [],
    unreadable: answers === null,
    drafts: drafts
      .map((draft) => openDraft(open, lessonId, draft))
      .filter((draft) => !draft.unreadable),
  };
}

/** A course on My Courses. */
export type StudiedCourse = {
  id: string;
  slug: string;
  title: string;
  description: string | null;
  percent: number;
};

/** The student's courses, newest enrollment first, with their progress (spec 2, /my-courses). */
export async function listMyCourses({ db }: Services, userId: string): Promise<StudiedCourse[]> {
  const rows = await db.read
    .selectFrom("enrollments")
    .innerJoin("products", "products.id", "enrollments.productId")
    .select(["products.id", "products.slug", "products.title", "products.description"])
    .select((eb) => [
      eb
        .selectFrom("lessons")
        .innerJoin("modules", "modules.id", "lessons.moduleId")
        .select(({ fn }) => fn.countAll<number>().as("n"))
        .whereRef("modules.productId", "=", "products.id")
        .where("modules.deletedAt", "is", null)
        .where("lessons.deletedAt", "is", null)
        .as("total"),
      eb
        .selectFrom("progress")
        .innerJoin("lessons", "lessons.id", "progress.lessonId")
        .innerJoin("modules", "modules.id", "lessons.moduleId")
        .select(({ fn }) => fn.countAll<number>().as("n"))
        .whereRef("progress.userId", "=", "enrollments.userId")
        .whereRef("modules.productId", "=", "products.id")
        .where("modules.deletedAt", "is", null)
        .where("lessons.deletedAt", "is", null)
        .as("completed"),
    ])
    .where("enrollments.userId", "=", userId)
    .where("products.deletedAt", "is", null)
    .orderBy("enrollments.createdAt", "desc")
    .orderBy("enrollments.id", "desc")
    .execute();
  return rows.map(({ total, completed, ...course }) => ({
    ...course,
    percent: percent(completed ?? 0, total ?? 0),
  }));
}

/**
 * The lesson, if this student may work in it now: enrolled, open, nothing of it deleted.
 * Takes the handle, so that commands can ask inside their transaction.
 * @throws {Refused} not_found, not_enrolled or locked
 */
export async function requireOpenLesson(
  db: Query,
  { userId, lessonId, now }: { userId: string; lessonId: string; now: Date },
): Promise<{ moduleId: string }> {
  const missing = new Refused("not_found", "This lesson does not exist.");
  if (!isId(lessonId)) throw missing;
  const row = await db
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .innerJoin("products", "products.id", "modules.productId")
    .leftJoin("enrollments", (join) =>
      join.onRef("enrollments.productId", "=", "products.id").on("enrollments.userId", "=", userId),
    )
    .select(["lessons.moduleId", "lessons.dripDay", "enrollments.createdAt as enrolledAt"])
    .where("lessons.id", "=", lessonId)
    .where("lessons.deletedAt", "is", null)
    .where("modules.deletedAt", "is", null)
    .where("products.deletedAt", "is", null)
    .executeTakeFirst();
  if (!row) throw missing;
  if (!row.enrolledAt) throw new Refused("not_enrolled", outcomes.notEnrolled.description);
  if (isLocked(row.dripDay, row.enrolledAt, now)) throw new Refused("locked", outcomes.locked);
  return { moduleId: row.moduleId };
}
