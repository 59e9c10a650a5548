import { isId } from "~/platform/db/ids.ts";
import { keysetPage, type ListPage } from "~/platform/db/keyset.ts";
import { hasWords } from "~/platform/db/search.ts";
import type { ListParams } from "~/platform/http/list-params.ts";
import type { Services } from "~/platform/services.ts";
import type { CourseChoice, LessonMails } from "./schema.ts";

/** Newest first (spec 2, Admin dashboard), unless she asks for something else. */
export const courseSorts = { created: "desc", title: "asc", price: "asc" } as const;
export type CourseSort = keyof typeof courseSorts;

const columns = { created: "createdAt", title: "title", price: "priceCents" } as const;

export type ListedCourse = {
  id: string;
  sortValue: unknown;
  slug: string;
  title: string;
  priceCents: number;
  active: boolean;
  lessons: number;
};

/** A page of all courses that are not deleted, active or not. */
export function listCourses(
  { db }: Services,
  params: ListParams<CourseSort> & { limit: number },
): Promise<ListPage<ListedCourse>> {
  const column = `products.${columns[params.sort]}` as const;
  let query = db.read
    .selectFrom("products")
    .select(["products.id", "products.slug", "products.title", "products.priceCents"])
    .select(["products.active", `${column} as sortValue`])
    .select((eb) =>
      eb
        .selectFrom("lessons")
        .innerJoin("modules", "modules.id", "lessons.moduleId")
        .select(({ fn }) => fn.countAll<number>().as("n"))
        .whereRef("modules.productId", "=", "products.id")
        .where("modules.deletedAt", "is", null)
        .where("lessons.deletedAt", "is", null)
        .$asScalar()
        .$notNull()
        .as("lessons"),
    )
    .where("products.deletedAt", "is", null);
  if (params.search)
    query = query.where((eb) =>
      eb.or([hasWords("products.title", params.search), hasWords("products.slug", params.search)]),
    );
  const kind = params.sort === "price" ? { kind: "number" as const } : {};
  const order = { column, id: "products.id", direction: params.direction, ...kind };
  return keysetPage(query, order, params);
}

export type AuthoredCourse = {
  id: string;
  slug: string;
  title: string;
  description: string | null;
  priceCents: number;
  active: boolean;
  lessonMails: LessonMails;
  revision: number;
};

/** A course as its author sees it; null when there is none or it was deleted. */
export async function getCourse({ db }: Services, id: string): Promise<AuthoredCourse | null> {
  if (!isId(id)) return null;
  const course = await db.write
    .selectFrom("products")
    .select(["id", "slug", "title", "description", "priceCents", "active"])
    .select(["lessonMails", "revision"])
    .where("id", "=", id)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  return course ?? null;
}

/** Whether anybody is enrolled. */
export async function hasStudents({ db }: Services, id: string): Promise<boolean> {
  const one = await db.read
    .selectFrom("enrollments")
    .select("id")
    .where("productId", "=", id)
    .limit(1)
    .executeTakeFirst();
  return one !== undefined;
}

/**
 * The courses that can be chosen: the active ones by title (spec 7, Data: admin), and one more
 * that is chosen already, active or not.
 */
export function listCourseChoices(
  { db }: Services,
  chosen: string | null = null,
): Promise<CourseChoice[]> {
  return db.read
    .selectFrom("products")
    .select(["id", "title", "active"])
    .where("deletedAt", "is", null)
    .where((eb) => eb.or([eb("active", "=", true), eb("id", "=", isId(chosen) ? chosen : "")]))
    .orderBy("title")
    .orderBy("id")
    .execute();
}

/** All courses by title, to filter a list by. */
export function listCourseFilters({ db }: Services): Promise<CourseChoice[]> {
  return db.read
    .selectFrom("products")
    .select(["id", "title", "active"])
    .where("deletedAt", "is", null)
    .orderBy("title")
    .orderBy("id")
    .execute();
}
