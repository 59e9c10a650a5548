import { lessonsOf, listModuleTitles } from "~/features/courses/courses.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { isLocked } from "./lesson-order.ts";
import { accessMessages } from "./messages.ts";
import type { Lesson, Module } from "./rules.ts";

/** A user's access to a course; `enrolledAt` is null for a user who is not enrolled. */
export type CourseAccess = { id: string; slug: string; title: string; enrolledAt: Date | null };

/** The course with this slug and the student's access to it; null when it is missing or deleted. */
export async function findCourseAccess(
  { db }: Services,
  { userId, slug }: { userId: string; slug: string },
): Promise<CourseAccess | null> {
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

/** @throws {Refused} not_found, not_enrolled or locked, unless the student may work in the lesson now */
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
  if (!row.enrolledAt) throw new Refused("not_enrolled", accessMessages.notEnrolled.description);
  if (isLocked(row.dripDay, row.enrolledAt, now))
    throw new Refused("locked", accessMessages.locked);
  return { moduleId: row.moduleId };
}
