import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/services.ts";
import type { Course, CourseModule } from "./schema.ts";

const columns = ["id", "slug", "title", "description", "priceCents", "active"] as const;

/** Active courses, oldest first (spec 7, products). */
export function listActiveCourses({ db }: Services): Promise<Course[]> {
  return activeProducts(db.read).select(columns).execute();
}

/** Where the active courses are to be found and when each was last changed, oldest first. */
export function listCourseAddresses({
  db,
}: Services): Promise<{ slug: string; updatedAt: Date }[]> {
  return activeProducts(db.read).select(["slug", "updatedAt"]).execute();
}

function activeProducts(db: Query) {
  return db
    .selectFrom("products")
    .where("active", "=", true)
    .where("deletedAt", "is", null)
    .orderBy("createdAt")
    .orderBy("id");
}

/** The course with this slug, active or not; null when there is none or it was deleted. */
export async function findCourse({ db }: Services, slug: string): Promise<Course | null> {
  const course = await db.read
    .selectFrom("products")
    .select(columns)
    .where("slug", "=", slug)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  return course ?? null;
}

/** A course's modules in order, each with the titles of its lessons. Nothing else of a lesson. */
export async function listModules({ db }: Services, productId: string): Promise<CourseModule[]> {
  const [modules, lessons] = await Promise.all([
    listModuleTitles(db.read, productId),
    lessonsOf(db.read, productId)
      .select(["lessons.id", "lessons.moduleId", "lessons.title", "lessons.dripDay"])
      .execute(),
  ]);
  const byModule = Map.groupBy(lessons, ({ moduleId }) => moduleId);
  return modules.map((module) => ({
    ...module,
    lessons: (byModule.get(module.id) ?? []).map(({ moduleId: _, ...lesson }) => lesson),
  }));
}

/** A course's modules in order (design section 5, ties by time of creation, then id). */
export function listModuleTitles(
  db: Query,
  productId: string,
): Promise<{ id: string; title: string }[]> {
  return db
    .selectFrom("modules")
    .select(["id", "title"])
    .where("productId", "=", productId)
    .where("deletedAt", "is", null)
    .orderBy("orderNum")
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
}

/** A course's lessons, each module's in order; what of them, its caller says. */
export function lessonsOf(db: Query, productId: string) {
  return db
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .where("modules.productId", "=", productId)
    .where("modules.deletedAt", "is", null)
    .where("lessons.deletedAt", "is", null)
    .orderBy("lessons.orderNum")
    .orderBy("lessons.createdAt")
    .orderBy("lessons.id");
}
