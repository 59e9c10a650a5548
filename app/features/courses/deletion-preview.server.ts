import { sql } from "kysely";
import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import { keysetPage, type ListPage } from "~/platform/db/keyset.ts";
import type { Services } from "~/platform/http/services.ts";
import { mostCounted, restorableSince, restorableUntil } from "./rules.ts";

/** What a deletion removes, in numbers: never anything that a student wrote. */
export type DeletionPreview = {
  id: string;
  title: string;
  modules: number;
  lessons: number;
  /** The first of them. */
  lessonTitles: string[];
  /** Enrolled students. No count goes on beyond {@link mostCounted}. */
  students: number;
  completions: number;
  /** How many of the counted completions have a journal entry. */
  journals: number;
};

const titlesShown = 8;

/** What deleting a course removes; null if there is no such course. */
export async function previewCourseDeletion(
  { db }: Services,
  id: string,
): Promise<DeletionPreview | null> {
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

/** What deleting a module removes; null if there is no such module. */
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
  const lessons = await db
    .selectFrom("lessons")
    .select(["id", "title"])
    .where("moduleId", "in", [...moduleIds, ""])
    .where("deletedAt", "is", null)
    .orderBy("orderNum")
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
  const ids = lessons.map(({ id }) => id).concat("");
  const [{ students }, { completions, journals }] = await Promise.all([
    db
      .selectFrom(({ selectFrom }) =>
        selectFrom("enrollments")
          .select("id")
          .where("productId", "=", productId)
          .limit(mostCounted + 1)
          .as("some"),
      )
      .select(({ fn }) => fn.countAll<number>().as("students"))
      .executeTakeFirstOrThrow(),
    countProgress(db, ids),
  ]);
  const lessonTitles = lessons.slice(0, titlesShown).map(({ title }) => title);
  return { lessons: lessons.length, lessonTitles, students, completions, journals };
}

/** Counts lesson completions and their journals; stops above {@link mostCounted} to stay fast. */
export function countProgress(
  db: Query,
  lessonIds: string[],
): Promise<{ completions: number; journals: number }> {
  return db
    .selectFrom(({ selectFrom }) =>
      selectFrom("progress")
        .select("journalAnswer")
        .where("lessonId", "in", lessonIds)
        .limit(mostCounted + 1)
        .as("some"),
    )
    .select(({ fn }) => fn.countAll<number>().as("completions"))
    .select(({ fn }) => fn.count<number>("journalAnswer").as("journals"))
    .executeTakeFirstOrThrow();
}

export type DeletedItem = {
  id: string;
  kind: "course" | "module" | "lesson";
  title: string;
  deletedAt: Date;
  until: Date;
  // Null for a course. `first` must be restored before this item.
  parent: { title: string; first: string | null } | null;
};

/** A page of what can be restored, newest first: courses of the last 30 days, and modules and
 * lessons deleted on their own. Items deleted with a parent are restored with it. */
export async function listDeleted(
  { db, clock }: Services,
  page: { cursor: string | null; limit: number },
): Promise<ListPage<DeletedItem>> {
  const deleted = deletedSince(db.read, restorableSince(clock.now())).as("deleted");
  const query = db.read.selectFrom(deleted).selectAll().select("deletedAt as sortValue");
  const order = { column: "deleted.deletedAt", id: "deleted.id", direction: "desc" } as const;
  const { rows, ...rest } = await keysetPage(query, order, page);
  return { ...rest, rows: rows.flatMap(toDeleted) };
}

/** PostgreSQL takes a union's types from its first query, so that one has all types known. */
function deletedSince(db: Query, since: Date) {
  const lessons = db
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .innerJoin("products", "products.id", "modules.productId")
    .select(["lessons.id", "lessons.title", "lessons.deletedAt"])
    .select(sql<DeletedItem["kind"]>`'lesson'`.as("kind"))
    .select(["modules.title as parentTitle", "modules.deletedAt as parentDeletedAt"])
    .select(["products.title as courseTitle", "products.deletedAt as courseDeletedAt"])
    .where("lessons.deletedAt", ">", since)
    .whereRef("lessons.deletedAt", "is distinct from", "modules.deletedAt");
  const modules = db
    .selectFrom("modules")
    .innerJoin("products", "products.id", "modules.productId")
    .select(["modules.id", "modules.title", "modules.deletedAt"])
    .select(sql<DeletedItem["kind"]>`'module'`.as("kind"))
    .select(["products.title as parentTitle", "products.deletedAt as parentDeletedAt"])
    .select(["products.title as courseTitle", "products.deletedAt as courseDeletedAt"])
    .where("modules.deletedAt", ">", since)
    .whereRef("modules.deletedAt", "is distinct from", "products.deletedAt");
  const courses = db
    .selectFrom("products")
    .select(["id", "title", "deletedAt", sql<DeletedItem["kind"]>`'course'`.as("kind")])
    .select([sql<string>`null`.as("parentTitle"), sql<Date | null>`null`.as("parentDeletedAt")])
    .select([sql<string>`null`.as("courseTitle"), sql<Date | null>`null`.as("courseDeletedAt")])
    .where("deletedAt", ">", since);
  return lessons.unionAll(modules).unionAll(courses);
}

type Found = Awaited<ReturnType<ReturnType<typeof deletedSince>["execute"]>>[number];

function toDeleted({ deletedAt, kind, ...row }: Found): DeletedItem[] {
  if (!deletedAt) return [];
  const { id, title, parentTitle, parentDeletedAt, courseTitle, courseDeletedAt } = row;
  const first = courseDeletedAt ? courseTitle : parentDeletedAt && parentTitle;
  const parent = kind === "course" ? null : { title: parentTitle, first };
  return [{ id, kind, title, deletedAt, until: restorableUntil(deletedAt), parent }];
}
