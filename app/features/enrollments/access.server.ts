import { type NotNull, sql } from "kysely";
import { presentLessons } from "~/features/courses/courses.server.ts";
import { compiledOnce } from "~/platform/db/compiled.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { isLocked } from "./lesson-order.ts";
import { accessMessages } from "./messages.ts";
import type { Module } from "./rules.ts";

/** From when the days of an enrollment's lessons count: read wherever a lesson may be locked. */
export const lessonsFrom = sql<Date>`coalesce(enrollments.lessons_from_at, enrollments.created_at)`;

/** A user's access to a course; `enrolledAt` is from when the days of its lessons count, and null for
 * a user who is not enrolled. */
export type CourseAccess = { id: string; slug: string; title: string; enrolledAt: Date | null };

const courseAccess = compiledOnce((db, { userId, slug }: { userId: string; slug: string }) =>
  db
    .selectFrom("products")
    .leftJoin("enrollments", (join) =>
      join.onRef("enrollments.productId", "=", "products.id").on("enrollments.userId", "=", userId),
    )
    .select(["products.id", "products.slug", "products.title"])
    .select(lessonsFrom.$castTo<Date | null>().as("enrolledAt"))
    .where("products.slug", "=", slug)
    .where("products.deletedAt", "is", null),
);

/** The course with this slug and the student's access to it; null when it is missing or deleted. */
export async function findCourseAccess(
  { db }: Services,
  asked: { userId: string; slug: string },
): Promise<CourseAccess | null> {
  const [row] = await courseAccess(db.read, asked);
  return row ?? null;
}

/** Modules in order, then the lessons of each (ties by creation time, then id). */
export const studyOrder = sql`modules.order_num, modules.created_at, modules.id,
  lessons.order_num, lessons.created_at, lessons.id`;

const outlineRows = compiledOnce((db, asked: { userId: string; productId: string }) =>
  db
    .selectFrom("modules")
    .leftJoin("lessons", (join) =>
      join.onRef("lessons.moduleId", "=", "modules.id").on("lessons.deletedAt", "is", null),
    )
    .leftJoin("progress", (join) =>
      join.onRef("progress.lessonId", "=", "lessons.id").on("progress.userId", "=", asked.userId),
    )
    .select(["modules.id as moduleId", "modules.title as module"])
    .select(["lessons.id", "lessons.slug", "lessons.title", "lessons.dripDay"])
    .select("progress.userId as completedBy")
    .where("modules.productId", "=", asked.productId)
    .where("modules.deletedAt", "is", null)
    .orderBy(studyOrder)
    .$narrowType<{ slug: NotNull; title: NotNull; dripDay: NotNull }>(),
);

/** The course's modules and lessons, each lesson with its state for this student. */
export async function getOutline(
  { db, clock }: Services,
  { userId, productId, enrolledAt }: { userId: string; productId: string; enrolledAt: Date },
): Promise<Module[]> {
  const rows = await outlineRows(db.read, { userId, productId });
  const now = clock.now();
  const modules = new Map<string, Module>();
  for (const { moduleId, module: title, completedBy, id, ...lesson } of rows) {
    const module = modules.get(moduleId) ?? { id: moduleId, title, lessons: [] };
    modules.set(moduleId, module);
    // A module without lessons is a row without one.
    if (id === null) continue;
    module.lessons.push({
      id,
      ...lesson,
      isLocked: isLocked(lesson.dripDay, enrolledAt, now),
      isCompleted: completedBy !== null,
    });
  }
  return [...modules.values()];
}

/** @throws {Refused} not_found, not_enrolled or locked, unless the student may work in the lesson now */
export async function requireOpenLesson(
  db: Query,
  { userId, lessonId, now }: { userId: string; lessonId: string; now: Date },
): Promise<{ moduleId: string }> {
  const missing = new Refused("not_found", "This lesson does not exist.");
  if (!isId(lessonId)) throw missing;
  const row = await presentLessons(db)
    .leftJoin("enrollments", (join) =>
      join.onRef("enrollments.productId", "=", "products.id").on("enrollments.userId", "=", userId),
    )
    .select(["lessons.moduleId", "lessons.dripDay"])
    .select(lessonsFrom.$castTo<Date | null>().as("enrolledAt"))
    .where("lessons.id", "=", lessonId)
    .executeTakeFirst();
  if (!row) throw missing;
  if (!row.enrolledAt) throw new Refused("not_enrolled", accessMessages.notEnrolled.description);
  if (isLocked(row.dripDay, row.enrolledAt, now))
    throw new Refused("locked", accessMessages.locked);
  return { moduleId: row.moduleId };
}
