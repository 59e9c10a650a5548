import { sql } from "kysely";
import type { Query } from "~/platform/db/database.ts";
import { isId } from "~/platform/db/ids.ts";
import { keysetPage, type ListPage } from "~/platform/db/keyset.ts";
import type { Services } from "~/platform/services.ts";
import { mostCounted, restorableSince, restorableUntil } from "./rules.ts";

/** What is gone with a course or module, in numbers: never a word of what students wrote. */
export type Going = {
  id: string;
  title: string;
  modules: number;
  lessons: number;
  /** The first of them, by title. */
  lessonTitles: string[];
  /** How many are enrolled in the course; more than {@link mostCounted} are not counted. */
  students: number;
  /** How often one of the lessons was completed; so far as well. */
  completions: number;
  /** How many of those that were counted have something in the journal. */
  journals: number;
};

const titlesShown = 8;

/** What deleting a course takes along; null when there is no such course. */
export async function goingWithCourse({ db }: Services, id: string): Promise<Going | null> {
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

/** What deleting a module takes along; null when there is no such module. */
export async function goingWithModule({ db }: Services, id: string): Promise<Going | null> {
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

/**
 * How often these lessons were completed, and how many of those have something in the journal.
 * It ends after {@link mostCounted} and one: nobody waits while millions are looked at.
 */
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

/** Something that can be brought back. */
export type Deleted = {
  id: string;
  kind: "course" | "module" | "lesson";
  title: string;
  deletedAt: Date;
  until: Date;
  /** Where it belongs; null for a course. */
  parent: { title: string /** What must be restored before it. */; first: string | null } | null;
};

/**
 * A page of what can be brought back, newest first: courses of the last 30 days, and modules and
 * lessons that were deleted by themselves. What went along with something else comes back with it.
 */
export async function listDeleted(
  { db, clock }: Services,
  page: { cursor: string | null; limit: number },
): Promise<ListPage<Deleted>> {
  const deleted = deletedSince(db.read, restorableSince(clock.now())).as("deleted");
  const query = db.read.selectFrom(deleted).selectAll().select("deletedAt as sortValue");
  const order = { column: "deleted.deletedAt", id: "deleted.id", direction: "desc" } as const;
  const { rows, ...rest } = await keysetPage(query, order, page);
  return { ...rest, rows: rows.flatMap(toDeleted) };
}

/** PostgreSQL takes the types of a union from its beginning: so it begins where all are known. */
function deletedSince(db: Query, since: Date) {
  const lessons = db
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .innerJoin("products", "products.id", "modules.productId")
    .select(["lessons.id", "lessons.title", "lessons.deletedAt"])
    .select(sql<Deleted["kind"]>`'lesson'`.as("kind"))
    .select(["modules.title as parentTitle", "modules.deletedAt as parentDeletedAt"])
    .select(["products.title as courseTitle", "products.deletedAt as courseDeletedAt"])
    .where("lessons.deletedAt", ">", since)
    .whereRef("lessons.deletedAt", "is distinct from", "modules.deletedAt");
  const modules = db
    .selectFrom("modules")
    .innerJoin("products", "products.id", "modules.productId")
    .select(["modules.id", "modules.title", "modules.deletedAt"])
    .select(sql<Deleted["kind"]>`'module'`.as("kind"))
    .select(["products.title as parentTitle", "products.deletedAt as parentDeletedAt"])
    .select(["products.title as courseTitle", "products.deletedAt as courseDeletedAt"])
    .where("modules.deletedAt", ">", since)
    .whereRef("modules.deletedAt", "is distinct from", "products.deletedAt");
  const courses = db
    .selectFrom("products")
    .select(["id", "title", "deletedAt", sql<Deleted["kind"]>`'course'`.as("kind")])
    .select([sql<string>`null`.as("parentTitle"), sql<Date | null>`null`.as("parentDeletedAt")])
    .select([sql<string>`null`.as("courseTitle"), sql<Date | null>`null`.as("courseDeletedAt")])
    .where("deletedAt", ">", since);
  return lessons.unionAll(modules).unionAll(courses);
}

type Found = Awaited<ReturnType<ReturnType<typeof deletedSince>["execute"]>>[number];

function toDeleted({ deletedAt, kind, ...row }: Found): Deleted[] {
  if (!deletedAt) return [];
  const { id, title, parentTitle, parentDeletedAt, courseTitle, courseDeletedAt } = row;
  const first = courseDeletedAt ? courseTitle : parentDeletedAt && parentTitle;
  const parent = kind === "course" ? null : { title: parentTitle, first };
  return [{ id, kind, title, deletedAt, until: restorableUntil(deletedAt), parent }];
}
