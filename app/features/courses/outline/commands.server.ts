import { audit } from "~/features/accounts/audit/commands.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { isDuplicate } from "~/platform/db/errors.ts";
import { isId } from "~/platform/db/ids.ts";
import { Refused } from "~/platform/http/errors.ts";
import { failure } from "~/platform/http/failure.ts";
import type { Services } from "~/platform/services.ts";
import { holdCourse } from "../products/commands.server.ts";
import { courseTexts } from "../products/texts.ts";
import { freeSlug } from "../slugs/queries.server.ts";
import { type OutlineModule, readOutline } from "./queries.server.ts";
import { type Arrangement, changed, type OutlineChange, placeOf } from "./rules.ts";
import { outlineChange } from "./schema.ts";
import { lessonPlaced, modulePlaced, outlineTexts, slugGiven } from "./texts.ts";

/**
 * Changes the order of a course, beginning with how it is at this moment, so that two who do it
 * at once lose nothing; the order numbers become 1 to n. Students keep what they have.
 * @returns where it is now, in words
 * @throws {Refused} not_found for a course, conflict for a lesson or module that is not in it
 */
export async function arrange(
  services: Services,
  productId: string,
  change: OutlineChange,
): Promise<string> {
  const { db, clock } = services;
  if (!isId(productId)) throw new Refused("not_found", courseTexts.gone);
  const work = () =>
    db.transaction(async (trx) => {
      const now = clock.now();
      await holdCourse(trx, productId, now);
      const outline = await readOutline(trx, productId);
      const before = outline.map(({ id, lessons }) => ({ id, lessons: lessons.map((l) => l.id) }));
      const after = changed(before, change);
      if (!after) throw new Refused("conflict", outlineTexts.missing);
      const slug = await moveOut(trx, before, after, change, now);
      await renumber(trx, after);
      if (JSON.stringify(after) !== JSON.stringify(before))
        await auditOrder(trx, services, productId);
      return said(outline, after, change) + (slug ? ` ${slugGiven(slug)}` : "");
    });
  // Somebody may give a new lesson of that module the very slug: then there is another one.
  return work().catch((error) => (isDuplicate(error) ? work() : Promise.reject(error)));
}

/**
 * The same from a form.
 * @returns null when the form asks for something else
 */
export async function arrangeFromForm(
  services: Services,
  productId: string,
  fields: Record<string, string | undefined>,
): Promise<{ said: string } | { problem: string; status: number } | null> {
  const { data: change } = outlineChange.safeParse(fields);
  if (!change) return null;
  try {
    return { said: await arrange(services, productId, change) };
  } catch (error) {
    const { message, status } = failure(services, error, outlineTexts.failed);
    return { problem: message, status };
  }
}

async function auditOrder(trx: Query, services: Services, id: string): Promise<void> {
  const { title } = await trx
    .selectFrom("products")
    .select("title")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await audit(trx, services, { action: "course.arranged", id, label: title });
}

/** Gives a lesson to another module. @returns its slug, if it had to be another one there */
async function moveOut(
  trx: Query,
  before: Arrangement,
  after: Arrangement,
  change: OutlineChange,
  now: Date,
): Promise<string | null> {
  if (!("lessonId" in change)) return null;
  const { lessonId } = change;
  const moduleId = moduleOf(after, lessonId);
  if (!moduleId || moduleOf(before, lessonId) === moduleId) return null;
  const { slug } = await trx
    .selectFrom("lessons")
    .select("slug")
    .where("id", "=", lessonId)
    .executeTakeFirstOrThrow();
  const free = await freeSlug(trx, { kind: "lesson", moduleId }, slug, lessonId);
  await trx
    .updateTable("lessons")
    .set({ moduleId, slug: free, updatedAt: now })
    // A form that was opened before would move it back.
    .set((eb) => ({ revision: eb("revision", "+", 1) }))
    .where("id", "=", lessonId)
    .execute();
  return free === slug ? null : free;
}

function moduleOf(modules: Arrangement, lessonId: string) {
  const place = placeOf(modules, lessonId);
  return place && (modules[place.module]?.id ?? null);
}

/** Writes the numbers that are others now; the revision stays, nobody's words have changed. */
async function renumber(trx: Query, modules: Arrangement) {
  for (const [index, { id, lessons }] of modules.entries()) {
    await setNumber(trx, "modules", id, index + 1);
    for (const [place, lesson] of lessons.entries())
      await setNumber(trx, "lessons", lesson, place + 1);
  }
}

function setNumber(trx: Query, table: "modules" | "lessons", id: string, orderNum: number) {
  return trx
    .updateTable(table)
    .set({ orderNum })
    .where("id", "=", id)
    .where("orderNum", "<>", orderNum)
    .execute();
}

function said(outline: OutlineModule[], after: Arrangement, change: OutlineChange): string {
  if (!("lessonId" in change)) {
    const title = outline.find(({ id }) => id === change.moduleId)?.title ?? "";
    const place = after.findIndex(({ id }) => id === change.moduleId) + 1;
    return modulePlaced(title, place, after.length);
  }
  const place = placeOf(after, change.lessonId);
  const module = place && after[place.module];
  const lessons = outline.flatMap((entry) => entry.lessons);
  const title = lessons.find(({ id }) => id === change.lessonId)?.title ?? "";
  const inModule = outline.find(({ id }) => id === module?.id)?.title ?? "";
  return lessonPlaced(title, (place?.lesson ?? 0) + 1, module?.lessons.length ?? 0, inModule);
}
