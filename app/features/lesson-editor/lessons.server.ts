import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { lockCourse, presentLessons } from "~/features/courses/courses.server.ts";
import { prepareLesson } from "~/features/courses/create-course.server.ts";
import { type PromptsAsked, promptsText } from "~/features/courses/prompts.ts";
import type { Prompt } from "~/features/courses/schema.ts";
import { freeSlug } from "~/features/courses/slugs.server.ts";
import { attachMedia } from "~/features/lesson-media/uploads.server.ts";
import { imagesOf, notePictures } from "~/features/pictures/pictures.server.ts";
import { picturesIn } from "~/features/pictures/rules.ts";
import { type Database, isAny, type Query } from "~/platform/db/database.ts";
import { isDuplicate } from "~/platform/db/errors.ts";
import { isId } from "~/platform/db/ids.ts";
import { lockCourseOf, lockId } from "~/platform/db/locks.ts";
import type { Services } from "~/platform/http/services.ts";
import { recordLessonVersion, storedPrompts } from "./lesson-versions.server.ts";
import type { Fields } from "./messages.ts";
import type { LessonValues } from "./schema.ts";

export type LessonVersion = NonNullable<Awaited<ReturnType<typeof findLesson>>>;

/** A lesson for its editor; null if there is none or it is deleted. */
export async function findLesson(db: Query, id: string) {
  if (!isId(id)) return null;
  const row = await presentLessons(db)
    .select(["lessons.title", "lessons.moduleId", "lessons.slug", "lessons.orderNum"])
    .select(["lessons.dripDay", "lessons.content", "lessons.prompts"])
    .select(["lessons.contentHtml", "lessons.revision", "lessons.updatedAt"])
    .select("products.slug as courseSlug")
    .where("lessons.id", "=", id)
    .executeTakeFirst();
  if (!row) return null;
  const { title, moduleId, slug, content, courseSlug, orderNum, dripDay, prompts, ...about } = row;
  const numbers = { orderNum: String(orderNum), dripDay: String(dripDay) };
  const fields: Fields = {
    title,
    moduleId,
    slug,
    ...numbers,
    content,
    prompts: promptsText(prompts),
  };
  // With the id, because slugs are unique only in their module.
  const query = new URLSearchParams({ view: "student", lesson: `${slug}~${id}` });
  return { id, moduleId, ...about, fields, studentPath: `/courses/${courseSlug}/learn?${query}` };
}

/** Whether a lesson was ever stored under this id, including deleted ones. */
export async function isStored({ db }: Services, id: string): Promise<boolean> {
  return isAny(db.read.selectFrom("lessons").where("id", "=", id));
}

export type LessonCourseChoice = Awaited<ReturnType<typeof listModuleChoices>>[number];

/** Modules in order, by course, courses by title (spec 7). `nextOrder` is the number after the last
 * lesson; 1 in an empty module (spec 9, Defaults). */
export async function listModuleChoices({ db }: Services) {
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

export type WantedLesson = LessonValues & { id: string; prompts: PromptsAsked };

/** The result of a save. `stale`: changed since, nothing was written; `proposal`: a free slug. */
export type SaveResult =
  | { kind: "saved"; how: "created" | "updated"; revision: number }
  | { kind: "stale"; current: LessonVersion }
  | { kind: "slug"; proposal: string }
  | { kind: "module" }
  | { kind: "gone" };

/** Adds a lesson under the id of its form. Idempotent; other content under the same id is `stale`,
 * with what the first save stored. */
export async function createLesson(services: Services, lesson: WantedLesson): Promise<SaveResult> {
  if (!isId(lesson.id)) return { kind: "gone" };
  const prepared = await prepareLesson(lesson, await imagesOf(services, lesson.content));
  return saving(services, lesson, async (trx) => {
    // An upload for it that ends at this moment waits, or is seen below.
    await lockId(services.db, trx, lesson.id);
    const known = await stored(trx, lesson.id);
    if (known) return known.deletedAt ? { kind: "gone" } : again(trx, known, lesson);
    const refusal = await unfit(services.db, trx, lesson);
    if (refusal) return refusal;
    const now = services.clock.now();
    const { prompts, ...columns } = prepared;
    await trx
      .insertInto("lessons")
      .values({
        ...columns,
        prompts: asJson(prompts === "keep" ? null : prompts),
        // Media uploaded before the lesson was saved.
        ...(await attachMedia(trx, lesson.id)),
        createdAt: now,
        updatedAt: now,
      })
      .execute();
    await notePictures(trx, { lessonId: lesson.id, pictureIds: picturesIn(lesson.content) });
    const saved = { ...lesson, prompts: prompts === "keep" ? null : prompts };
    await recordLessonVersion(trx, services, lesson.id, { before: null, now: saved });
    await recordAudit(trx, services, {
      action: "lesson.created",
      id: lesson.id,
      label: lesson.title,
    });
    return { kind: "saved", how: "created", revision: 1 };
  });
}

/** Updates a lesson if its stored revision is still `revision`; equal content counts as saved.
 * Media are not changed. Reordering alone keeps the revision, so a number that is still
 * `orderBefore` stays as it is stored. */
export async function updateLesson(
  services: Services,
  {
    revision,
    orderBefore = null,
    ...asked
  }: WantedLesson & { revision: number; orderBefore?: number | null },
): Promise<SaveResult> {
  const prepared = await prepareLesson(asked, await imagesOf(services, asked.content));
  return saving(services, asked, async (trx) => {
    const known = await stored(trx, asked.id);
    if (!known || known.deletedAt) return { kind: "gone" };
    const stays = asked.orderNum === orderBefore && asked.moduleId === known.moduleId;
    const lesson = stays ? { ...asked, orderNum: known.orderNum } : asked;
    if (isSame(known, lesson)) return { kind: "saved", how: "updated", revision: known.revision };
    if (known.revision !== revision) return stale(trx, lesson.id);
    const refusal = await unfit(services.db, trx, lesson);
    if (refusal) return refusal;
    const { id, prompts, ...columns } = { ...prepared, orderNum: lesson.orderNum };
    const { numUpdatedRows } = await trx
      .updateTable("lessons")
      .set({
        ...columns,
        ...(prompts === "keep" ? {} : { prompts: asJson(prompts) }),
        revision: revision + 1,
        updatedAt: services.clock.now(),
      })
      .where("id", "=", id)
      .where("revision", "=", revision)
      .where("deletedAt", "is", null)
      .executeTakeFirstOrThrow();
    // A concurrent save came between the read above and this write.
    if (!numUpdatedRows) return stale(trx, id);
    await notePictures(trx, { lessonId: id, pictureIds: picturesIn(lesson.content) });
    const saved = { ...lesson, prompts: prompts === "keep" ? known.prompts : prompts };
    await recordLessonVersion(trx, services, id, { before: known, now: saved });
    await recordAudit(trx, services, { action: "lesson.updated", id, label: lesson.title });
    return { kind: "saved", how: "updated", revision: revision + 1 };
  });
}

/** Deletes a lesson; student data stays. Idempotent. Waits for a deletion of its course or module:
 * with the same time, it would be restored with it. @returns its course's id;
 * null if there never was such a lesson @throws {Refused} not_found if its course is deleted */
export async function deleteLesson(
  services: Services,
  { id }: { id: string },
): Promise<string | null> {
  const { db, clock } = services;
  if (!isId(id)) return null;
  return db.transaction(async (trx) => {
    const now = clock.now();
    const lesson = await trx
      .selectFrom("lessons")
      .innerJoin("modules", "modules.id", "lessons.moduleId")
      .select(["modules.productId", "lessons.deletedAt", "lessons.title"])
      .where("lessons.id", "=", id)
      .executeTakeFirst();
    if (!lesson || lesson.deletedAt) return lesson?.productId ?? null;
    await lockCourse(trx, lesson.productId, now);
    const { numUpdatedRows } = await trx
      .updateTable("lessons")
      .set({ deletedAt: now, updatedAt: now })
      .where("id", "=", id)
      .where("deletedAt", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows)
      await recordAudit(trx, services, { action: "lesson.deleted", id, label: lesson.title });
    return lesson.productId;
  });
}

type Place = { id: string; moduleId: string; slug: string };

/** One transaction. A slug conflict that only the index notices gets the same result as others. */
async function saving(
  { db }: Services,
  place: Place,
  work: (trx: Query) => Promise<SaveResult>,
): Promise<SaveResult> {
  try {
    return await db.transaction(work);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return db.transaction(async (trx) => {
      const known = await stored(trx, place.id);
      const proposal = await freeSlug(trx, { kind: "lesson", ...place }, place.slug, place.id);
      if (proposal !== place.slug) return { kind: "slug", proposal };
      // The same new lesson was submitted twice at once.
      return known ? work(trx) : { kind: "gone" };
    });
  }
}

/** Why a lesson cannot be stored in its module; null if it can. */
async function unfit(db: Database, trx: Query, place: Place): Promise<SaveResult | null> {
  await lockCourseOf(db, trx, place.moduleId);
  const module = trx
    .selectFrom("modules")
    .innerJoin("products", "products.id", "modules.productId")
    .where("modules.id", "=", place.moduleId)
    .where("modules.deletedAt", "is", null)
    .where("products.deletedAt", "is", null);
  if (!(await isAny(module))) return { kind: "module" };
  const proposal = await freeSlug(trx, { kind: "lesson", ...place }, place.slug, place.id);
  return proposal === place.slug ? null : { kind: "slug", proposal };
}

type Stored = NonNullable<Awaited<ReturnType<typeof stored>>>;

function stored(db: Query, id: string) {
  return db
    .selectFrom("lessons")
    .select(["title", "moduleId", "slug", "orderNum", "dripDay", "content"])
    .select(["prompts", "revision", "updatedAt", "deletedAt"])
    .where("id", "=", id)
    .executeTakeFirst();
}

function isSame(known: Stored, wanted: WantedLesson): boolean {
  const names = ["title", "moduleId", "slug", "orderNum", "dripDay", "content"] as const;
  const keeps = wanted.prompts === "keep" || asJson(wanted.prompts) === asJson(known.prompts);
  return keeps && names.every((name) => known[name] === wanted[name]);
}

/** A new lesson that is stored already: the same submit again, or other content (stale). */
async function again(trx: Query, known: Stored, wanted: WantedLesson): Promise<SaveResult> {
  const isTwice = isSame(known, wanted) && (wanted.prompts !== "keep" || known.prompts === null);
  if (isTwice) return { kind: "saved", how: "created", revision: known.revision };
  return stale(trx, wanted.id);
}

async function stale(trx: Query, id: string): Promise<SaveResult> {
  const current = await findLesson(trx, id);
  return current ? { kind: "stale", current } : { kind: "gone" };
}

function asJson(prompts: readonly Prompt[] | null): string | null {
  const plain = storedPrompts(prompts);
  return plain && JSON.stringify(plain);
}
