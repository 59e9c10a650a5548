import { audit } from "~/features/accounts/audit/commands.server.ts";
import { isDuplicate } from "~/platform/db/errors.ts";
import { isId, newId } from "~/platform/db/ids.ts";
import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { courseTexts, longestTitle } from "../products/texts.ts";
import { lessonsOf, listModuleTitles } from "../queries.server.ts";
import { freeSlug } from "../slugs/queries.server.ts";

const scope = { kind: "course" } as const;
const mark = " (copy)";

/**
 * Makes another course with everything that an author wrote: modules, lessons, prompts, days,
 * captions and transcripts. It names the same media files, has no students and is not active.
 * @param copyId from the page it was asked on: asked twice is once
 * @throws {Refused} not_found
 */
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
        .select(["slug", "title", "description", "priceCents", "lessonMails"])
        .where("id", "=", id)
        .where("deletedAt", "is", null)
        .executeTakeFirst();
      if (!course) throw new Refused("not_found", courseTexts.gone);
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
      await audit(trx, services, { action: "course.duplicated", id: key, label: title });
      const lessons = await lessonsOf(trx, id).selectAll("lessons").execute();
      const byModule = Map.groupBy(lessons, ({ moduleId }) => moduleId);
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
        for (const [place, lesson] of (byModule.get(module.id) ?? []).entries())
          await trx
            .insertInto("lessons")
            .values({
              ...lesson,
              ...dates,
              id: newId(),
              moduleId,
              orderNum: place + 1,
              prompts: lesson.prompts && JSON.stringify(lesson.prompts),
              revision: 1,
            })
            .execute();
      }
    });
  // Two who copy at once find the same slug free: the second looks again.
  await copy().catch((error) => (isDuplicate(error) ? copy() : Promise.reject(error)));
  return key;
}
