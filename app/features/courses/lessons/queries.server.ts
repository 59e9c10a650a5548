import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/services.ts";
import { promptsText } from "../prompts/rules.ts";
import type { Fields } from "./schema.ts";

/** A stored lesson as its form shows it. */
export type LessonVersion = { fields: Fields; revision: number; updatedAt: Date };

/** A lesson that is not deleted, ready to be written on; null when there is none. */
export async function findVersion(db: Query, id: string): Promise<LessonVersion | null> {
  if (!isId(id)) return null;
  const row = await db
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .innerJoin("products", "products.id", "modules.productId")
    .select([
      "lessons.title",
      "lessons.moduleId",
      "lessons.slug",
      "lessons.orderNum",
      "lessons.dripDay",
      "lessons.content",
      "lessons.prompts",
      "lessons.revision",
      "lessons.updatedAt",
    ])
    .where("lessons.id", "=", id)
    .where("lessons.deletedAt", "is", null)
    .where("modules.deletedAt", "is", null)
    .where("products.deletedAt", "is", null)
    .executeTakeFirst();
  if (!row) return null;
  const { revision, updatedAt, orderNum, dripDay, prompts, ...fields } = row;
  return {
    revision,
    updatedAt,
    fields: {
      ...fields,
      orderNum: String(orderNum),
      dripDay: String(dripDay),
      prompts: promptsText(prompts),
    },
  };
}

export type EditableLesson = LessonVersion & {
  id: string;
  contentHtml: string;
  courseTitle: string;
  moduleTitle: string;
  /** Where a student finds it. The id is in the name, as slugs are only unique in their module. */
  studentPath: string;
};

/** A lesson for its editor; null when there is none, or it was deleted. */
export async function findLesson({ db }: Services, id: string): Promise<EditableLesson | null> {
  const version = await findVersion(db.read, id);
  if (!version) return null;
  const place = await db.read
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .innerJoin("products", "products.id", "modules.productId")
    .select([
      "lessons.contentHtml",
      "lessons.slug",
      "modules.title as moduleTitle",
      "products.title as courseTitle",
      "products.slug as courseSlug",
    ])
    .where("lessons.id", "=", id)
    .executeTakeFirstOrThrow();
  const { contentHtml, moduleTitle, courseTitle, courseSlug, slug } = place;
  const query = new URLSearchParams({ view: "student", lesson: `${slug}~${id}` });
  const studentPath = `/courses/${courseSlug}/learn?${query}`;
  return { id, ...version, contentHtml, moduleTitle, courseTitle, studentPath };
}

/** Whether a lesson was ever stored under this id, deleted ones too. */
export async function isStored({ db }: Services, id: string): Promise<boolean> {
  const row = await db.read
    .selectFrom("lessons")
    .select("id")
    .where("id", "=", id)
    .executeTakeFirst();
  return row !== undefined;
}

export type ModuleChoice = { id: string; title: string; nextOrder: number };
export type CourseChoice = { id: string; title: string; active: boolean; modules: ModuleChoice[] };

/**
 * Modules by course, courses by title (spec 7), modules in order. `nextOrder` is the number that
 * a further lesson would have; 1 in an empty module (spec 9, Defaults).
 */
export async function listModuleChoices({ db }: Services): Promise<CourseChoice[]> {
  const [courses, modules, numbers] = await Promise.all([
    db.read
      .selectFrom("products")
      .select(["id", "title", "active"])
      .where("deletedAt", "is", null)
      .orderBy("active", "desc")
      .orderBy("title")
      .orderBy("id")
      .execute(),
    db.read
      .selectFrom("modules")
      .select(["id", "title", "productId"])
      .where("deletedAt", "is", null)
      .orderBy("orderNum")
      .orderBy("createdAt")
      .orderBy("id")
      .execute(),
    db.read
      .selectFrom("lessons")
      .select((eb) => ["moduleId", eb.fn.max("orderNum").as("highest")])
      .where("deletedAt", "is", null)
      .groupBy("moduleId")
      .execute(),
  ]);
  const highest = new Map(numbers.map(({ moduleId, highest }) => [moduleId, highest]));
  const byCourse = Map.groupBy(modules, ({ productId }) => productId);
  return courses
    .map((course) => ({
      ...course,
      modules: (byCourse.get(course.id) ?? []).map(({ id, title }) => ({
        id,
        title,
        nextOrder: (highest.get(id) ?? 0) + 1,
      })),
    }))
    .filter(({ modules }) => modules.length > 0);
}
