import { isId } from "~/platform/db/ids.ts";
import { countedPage, type Portion } from "~/platform/db/keyset.ts";
import { hasWords } from "~/platform/db/search.ts";
import type { ListParams } from "~/platform/http/list-params.ts";
import type { Services } from "~/platform/http/services.ts";
import { presentLessons } from "./courses.server.ts";
import { countProgress } from "./deletion-preview.server.ts";

/** Sort columns of lessons, with their first direction. The first is the default (spec 7). */
export const lessonSorts = {
  order: "asc",
  title: "asc",
  created: "desc",
  updated: "desc",
} as const;

export type LessonListParams = ListParams<keyof typeof lessonSorts> &
  Portion & { moduleId?: string | null };

const columns = {
  order: "lessons.orderNum",
  title: "lessons.title",
  created: "lessons.createdAt",
  updated: "lessons.updatedAt",
} as const;

/** A page of lessons with the titles of their modules and courses (spec 2, Admin dashboard). */
export async function listLessons(
  { db }: Services,
  { search, courseId, moduleId = null, sort, direction, ...at }: LessonListParams,
) {
  const column = columns[sort];
  let query = presentLessons(db.read)
    .select(["lessons.id", "lessons.title", "lessons.slug", "lessons.orderNum", "lessons.dripDay"])
    .select(["lessons.muxPlaybackId", "lessons.audioKey", "lessons.updatedAt"])
    .select(["modules.id as moduleId", "modules.title as moduleTitle"])
    .select(["products.id as courseId", "products.title as courseTitle", "products.active"])
    .select([`${column} as sortValue`, "lessons.createdAt as timeValue"]);
  if (search)
    query = query.where((eb) =>
      eb.or([
        hasWords("lessons.title", search),
        hasWords("modules.title", search),
        hasWords("products.title", search),
      ]),
    );
  if (courseId) query = query.where("modules.productId", "=", courseId);
  if (moduleId) query = query.where("lessons.moduleId", "=", moduleId);
  const kind = sort === "order" ? "number" : sort === "title" ? "text" : "time";
  // By creation time before id: an id may be older than its lesson, made when the form opened.
  const ties = { time: "lessons.createdAt", id: "lessons.id" };
  const order = { column, ...ties, direction, kind } as const;
  const page = await countedPage(db.read, query, order, at);
  return {
    ...page,
    rows: page.rows.map(({ muxPlaybackId, audioKey, active, ...row }) => ({
      ...row,
      hasVideo: muxPlaybackId !== null,
      hasAudio: audioKey !== null,
      courseActive: active,
    })),
  };
}

export type LessonRow = Awaited<ReturnType<typeof listLessons>>["rows"][number];

/** The module that a list is filtered by, with its course; null if there is no such module. */
export async function findModulePlace({ db }: Services, id: string | null) {
  if (!isId(id)) return null;
  const module = await db.read
    .selectFrom("modules")
    .innerJoin("products", "products.id", "modules.productId")
    .select(["modules.id", "modules.title", "products.id as courseId"])
    .select("products.title as courseTitle")
    .where("modules.id", "=", id)
    .where("modules.deletedAt", "is", null)
    .where("products.deletedAt", "is", null)
    .executeTakeFirst();
  return module ?? null;
}

/** What deleting a lesson removes, with the students who completed it, and how many wrote something
 * (counts up to `mostCounted`); null if there is no such lesson. */
export async function previewLessonDeletion({ db }: Services, id: string | null) {
  if (!isId(id)) return null;
  const [lesson, counts] = await Promise.all([
    presentLessons(db.read)
      .select(["lessons.id", "lessons.title", "lessons.muxPlaybackId", "lessons.audioKey"])
      .select(["modules.title as moduleTitle", "products.title as courseTitle"])
      .where("lessons.id", "=", id)
      .executeTakeFirst(),
    countProgress(db.read, [id]),
  ]);
  if (!lesson) return null;
  const { muxPlaybackId, audioKey, ...names } = lesson;
  const media = { hasVideo: muxPlaybackId !== null, hasAudio: audioKey !== null };
  return { ...names, ...media, ...counts };
}

export type LessonDeletionPreview = NonNullable<Awaited<ReturnType<typeof previewLessonDeletion>>>;
