import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { copyPictureUses } from "~/features/pictures/pictures.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { isDuplicate } from "~/platform/db/errors.ts";
import { isId, newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import type { MarkdownImages } from "~/platform/markdown/render.ts";
import { renderMarkdown } from "~/platform/markdown/renderer.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { lessonsOf, listModuleTitles } from "./courses.server.ts";
import { courseFormMessages, longestTitle } from "./messages.ts";
import type { LessonEmailMode, Prompt } from "./schema.ts";
import { freeSlug } from "./slugs.server.ts";

export type NewCourse = {
  slug: string;
  title: string;
  description: string | null;
  priceCents: number;
  lessonEmails?: LessonEmailMode;
  comingSoon?: boolean;
};

export type NewLesson = {
  moduleId: string;
  title: string;
  slug: string;
  orderNum: number;
  dripDay: number;
  content: string;
  prompts: Prompt[] | null;
  muxPlaybackId: string | null;
  audioKey: string | null;
};

/** Adds an active course. @returns its id */
export async function insertCourse(db: Query, course: NewCourse, now: Date): Promise<string> {
  const id = newId();
  await db
    .insertInto("products")
    .values({ id, ...course, active: true, createdAt: now, updatedAt: now })
    .execute();
  return id;
}

/** Adds a module to a course. @returns its id */
export async function insertModule(
  db: Query,
  module: { productId: string; title: string; orderNum: number },
  now: Date,
): Promise<string> {
  const id = newId();
  await db
    .insertInto("modules")
    .values({ id, ...module, createdAt: now, updatedAt: now })
    .execute();
  return id;
}

/** Adds safe HTML, rendered once, here, from the lesson's Markdown. @throws {MarkdownRefused} */
export async function prepareLesson<L extends { content: string }>(
  lesson: L,
  images?: MarkdownImages,
) {
  return { ...lesson, contentHtml: await renderMarkdown(lesson.content, images) };
}

/** Adds a lesson prepared by {@link prepareLesson}. @returns its id */
export async function insertLesson(
  db: Query,
  lesson: NewLesson & { contentHtml: string },
  now: Date,
): Promise<string> {
  const id = newId();
  const { prompts, ...columns } = lesson;
  await db
    .insertInto("lessons")
    .values({
      id,
      ...columns,
      prompts: prompts ? JSON.stringify(prompts) : null,
      createdAt: now,
      updatedAt: now,
    })
    .execute();
  return id;
}

const scope = { kind: "course" } as const;
const mark = " (copy)";

/** Copies everything the author wrote, captions and transcripts included, into an inactive course.
 * It uses the same media files and has no students. Returns its id. Idempotent by `copyId`.
 * @throws {Refused} not_found */
export async function duplicateCourse(
  services: Services,
  { id, copyId }: { id: string; copyId: string },
): Promise<string> {
  const { db, clock } = services;
  const now = clock.now();
  const key = isId(copyId) ? copyId : newId();
  const copy = () =>
    db.transaction(async (trx) => {
      const dates = { createdAt: now, updatedAt: now };
      const course = await trx
        .selectFrom("products")
        .select(["slug", "title", "description", "priceCents", "lessonEmails", "comingSoon"])
        .select(["coverId", "coverAlt"])
        .where("id", "=", id)
        .where("deletedAt", "is", null)
        .executeTakeFirst();
      if (!course) throw new Refused("not_found", courseFormMessages.gone);
      const slug = await freeSlug(
        trx,
        scope,
        `${course.slug}-copy`.slice(0, 100).replace(/-+$/, ""),
      );
      const title = course.title.slice(0, longestTitle - mark.length) + mark;
      const made = await trx
        .insertInto("products")
        .values({ ...course, ...dates, id: key, slug, title, active: false })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .executeTakeFirst();
      if (!made.numInsertedOrUpdatedRows) return;
      await recordAudit(trx, services, { action: "course.duplicated", id: key, label: title });
      const lessons = await lessonsOf(trx, id).selectAll("lessons").execute();
      const byModule = Map.groupBy(lessons, ({ moduleId }) => moduleId);
      const files = await filesByLesson(trx, id);
      for (const [index, module] of (await listModuleTitles(trx, id)).entries()) {
        const moduleId = newId();
        await trx
          .insertInto("modules")
          .values({
            id: moduleId,
            productId: key,
            title: module.title,
            orderNum: index + 1,
            ...dates,
          })
          .execute();
        for (const [place, lesson] of (byModule.get(module.id) ?? []).entries()) {
          const lessonId = newId();
          await trx
            .insertInto("lessons")
            .values({
              ...lesson,
              ...dates,
              id: lessonId,
              moduleId,
              orderNum: place + 1,
              prompts: lesson.prompts && JSON.stringify(lesson.prompts),
              revision: 1,
            })
            .execute();
          const own = (files.get(lesson.id) ?? []).map((file) => ({
            ...{ ...file, id: newId(), lessonId, createdAt: now },
          }));
          if (own.length > 0) await trx.insertInto("lessonFiles").values(own).execute();
          await copyPictureUses(trx, lesson.id, lessonId);
        }
      }
    });
  // Two concurrent copies find the same slug free: the second one tries again.
  await copy().catch((error) => (isDuplicate(error) ? copy() : Promise.reject(error)));
  return key;
}

/** The entries in the lists of downloads of a course's lessons. */
async function filesByLesson(db: Query, courseId: string) {
  const rows = await lessonsOf(db, courseId)
    .innerJoin("lessonFiles", "lessonFiles.lessonId", "lessons.id")
    .select(["lessonFiles.lessonId", "lessonFiles.fileId"])
    .select(["lessonFiles.title", "lessonFiles.orderNum"])
    .execute();
  return Map.groupBy(rows, ({ lessonId }) => lessonId);
}
