import type { Services } from "~/platform/services.ts";
import type { Course } from "./schema.ts";

const columns = ["id", "slug", "title", "description", "priceCents", "active"] as const;

/** Active courses, oldest first (spec 7, products). */
export function listActiveCourses({ db }: Services): Promise<Course[]> {
  return db.read
    .selectFrom("products")
    .select(columns)
    .where("active", "=", true)
    .where("deletedAt", "is", null)
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
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
