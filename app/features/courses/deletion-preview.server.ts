import { sql } from "kysely";
import { countOf, type Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import { keysetPage } from "~/platform/db/keyset.ts";
import type { Services } from "~/platform/http/services.ts";
import { listLessonsOfModules } from "./modules.server.ts";
import { mostCounted, restorableSince, restorableUntil } from "./rules.ts";

const titlesShown = 8;

/** What deleting a course removes, in numbers, never in a student's words. Null without such a course. */
export async function previewCourseDeletion({ db }: Services, id: string) {
  if (!isId(id)) return null;
  const course = await db.read
    .selectFrom("products")
    .select(["id", "title"])
    .where("id", "=", id)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (!course) return null;
  const modules = await db.read
    .selectFrom("modules")
    .select("id")
    .where("productId", "=", id)
    .where("deletedAt", "is", null)
    .execute();
  const ids = modules.map((module) => module.id);
  return { ...course, modules: ids.length, ...(await going(db.read, id, ids)) };
}

export type DeletionPreview = NonNullable<Awaited<ReturnType<typeof previewCourseDeletion>>>;

/** The same of a module. */
export async function previewModuleDeletion(
  { db }: Services,
  id: string,
): Promise<DeletionPreview | null> {
  if (!isId(id)) return null;
  const module = await db.read
    .selectFrom("modules")
    .select(["id", "title", "productId"])
    .where("id", "=", id)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (!module) return null;
  const { productId, ...named } = module;
  return { ...named, modules: 1, ...(await going(db.read, productId, [id])) };
}

async function going(db: Query, productId: string, moduleIds: string[]) {
  const lessons = await listLessonsOfModules(db, moduleIds);
  const ids = lessons.map(({ id }) => id).concat("");
  const some = db
    .selectFrom("enrollments")
    .select("id")
    .where("productId", "=", productId)
    .limit(mostCounted + 1)
    .as("some");
  const [students, { completions, journals }] = await Promise.all([
    countOf(db.selectFrom(some)),
    countProgress(db, ids),
  ]);
  const lessonTitles = lessons.slice(0, titlesShown).map(({ title }) => title);
  return { lessons: lessons.length, lessonTitles, students, completions, journals };
}

/** Counts lesson completions, and those with words or photographs in the journal; stops above
 * {@link mostCounted} to stay fast. */
export function countProgress(db: Query, lessonIds: string[]) {
  return db
    .selectFrom(({ selectFrom }) =>
      selectFrom("progress")
        .select(({ or, eb, exists, selectFrom: within }) => {
          const photographs = within("journalPictures")
            .select("id")
            .whereRef("journalPictures.userId", "=", "progress.userId")
            .whereRef("journalPictures.lessonId", "=", "progress.lessonId")
            .where("deletedAt", "is", null);
          return or([eb("journalAnswer", "is not", null), exists(photographs)]).as("hasJournal");
        })
        .where("lessonId", "in", lessonIds)
        .limit(mostCounted + 1)
        .as("some"),
    )
    .select(({ fn }) => fn.countAll<number>().as("completions"))
    .select(sql<number>`count(case when has_journal then 1 end)`.as("journals"))
    .executeTakeFirstOrThrow();
}

/** A page of what can be restored, newest first: courses of the last 30 days, and modules and
 * lessons deleted on their own. Items deleted with a parent are restored with it. */
export async function listDeleted(
  { db, clock }: Services,
  page: { cursor: string | null; limit: number },
) {
  const deleted = deletedSince(db.read, restorableSince(clock.now())).as("deleted");
  const query = db.read.selectFrom(deleted).selectAll().select("deletedAt as sortValue");
  const order = { column: "deleted.deletedAt", id: "deleted.id", direction: "desc" } as const;
  const { rows, ...rest } = await keysetPage(query, order, page);
  return { ...rest, rows: rows.flatMap(toDeleted) };
}

type DeletedKind = "course" | "module" | "lesson";

/** PostgreSQL takes a union's types from its first query, so that one has all types known. */
function deletedSince(db: Query, since: Date) {
  const lessons = db
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .innerJoin("products", "products.id", "modules.productId")
    .select(["lessons.id", "lessons.title", "lessons.deletedAt"])
    .select(sql<DeletedKind>`'lesson'`.as("kind"))
    .select(["modules.title as parentTitle", "modules.deletedAt as parentDeletedAt"])
    .select(["products.title as courseTitle", "products.deletedAt as courseDeletedAt"])
    .where("lessons.deletedAt", ">", since)
    .whereRef("lessons.deletedAt", "is distinct from", "modules.deletedAt");
  const modules = db
    .selectFrom("modules")
    .innerJoin("products", "products.id", "modules.productId")
    .select(["modules.id", "modules.title", "modules.deletedAt"])
    .select(sql<DeletedKind>`'module'`.as("kind"))
    .select(["products.title as parentTitle", "products.deletedAt as parentDeletedAt"])
    .select(["products.title as courseTitle", "products.deletedAt as courseDeletedAt"])
    .where("modules.deletedAt", ">", since)
    .whereRef("modules.deletedAt", "is distinct from", "products.deletedAt");
  const courses = db
    .selectFrom("products")
    .select(["id", "title", "deletedAt", sql<DeletedKind>`'course'`.as("kind")])
    .select([sql<string>`null`.as("parentTitle"), sql<Date | null>`null`.as("parentDeletedAt")])
    .select([sql<string>`null`.as("courseTitle"), sql<Date | null>`null`.as("courseDeletedAt")])
    .where("deletedAt", ">", since);
  return lessons.unionAll(modules).unionAll(courses);
}

type Found = Awaited<ReturnType<ReturnType<typeof deletedSince>["execute"]>>[number];

export type DeletedItem = ReturnType<typeof toDeleted>[number];

function toDeleted({ deletedAt, kind, ...row }: Found) {
  if (!deletedAt) return [];
  const { id, title, parentTitle, parentDeletedAt, courseTitle, courseDeletedAt } = row;
  // This must be restored before the item.
  const first = courseDeletedAt ? courseTitle : parentDeletedAt && parentTitle;
  const parent = kind === "course" ? null : { title: parentTitle, first };
  return [{ id, kind, title, deletedAt, until: restorableUntil(deletedAt), parent }];
}
