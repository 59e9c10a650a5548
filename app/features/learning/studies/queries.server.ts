import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/services.ts";
import { withLessons } from "../students/rules.ts";
import type { StudiedCourse, StudiedLesson } from "../students/schema.ts";

/**
 * What somebody studies, newest enrollment first, and what she studied before, each with its
 * lessons and how it stands with them. Of progress, nothing is read but when.
 */
export async function listStudies({ db, clock }: Services, userId: string) {
  const [courses, former] = await Promise.all([
    enrollmentsOf(db.read, userId),
    formerEnrollmentsOf(db.read, userId),
  ]);
  const all: StudiedCourse[] = [...courses, ...former];
  const lessons = await lessonsWithProgress(db.read, userId, [
    ...new Set(all.map(({ productId }) => productId)),
  ]);
  const now = clock.now();
  return {
    courses: courses.map((course) => withLessons(course, lessons, now)),
    former: former.map((course) => withLessons(course, lessons, now)),
  };
}

async function enrollmentsOf(db: Query, userId: string): Promise<StudiedCourse[]> {
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

async function formerEnrollmentsOf(db: Query, userId: string): Promise<StudiedCourse[]> {
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

type Enrollment = Pick<StudiedCourse, "id" | "productId" | "title" | "stripePaymentId"> & {
  active: boolean;
  deletedAt: Date | null;
  createdAt: Date;
  removedAt: Date | null;
};

function toStudied({ active, deletedAt, createdAt, removedAt, ...row }: Enrollment): StudiedCourse {
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
