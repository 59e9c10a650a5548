import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { isDuplicate } from "~/platform/db/errors.ts";
import { isId } from "~/platform/db/ids.ts";
import { failure } from "~/platform/http/flash.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { lessonsOf, listModuleTitles, lockCourse } from "./courses.server.ts";
import {
  courseFormMessages,
  lessonPlaced,
  modulePlaced,
  outlineMessages,
  slugGiven,
} from "./messages.ts";
import {
  applyOutlineChange,
  type OutlineChange,
  type OutlineOrder,
  outlinePlace,
} from "./rules.ts";
import { outlineChange } from "./schema.ts";
import { freeSlug } from "./slugs.server.ts";

/** A course's modules and lessons in order, for editing. */
export function getCourseOutline({ db }: Services, productId: string) {
  return readOutline(db.write, productId);
}

export type OutlineModule = Awaited<ReturnType<typeof readOutline>>[number];
export type OutlineLesson = OutlineModule["lessons"][number];

async function readOutline(db: Query, productId: string) {
  const modules = await listModuleTitles(db, productId);
  const lessons = await lessonsOf(db, productId)
    .select(["lessons.id", "lessons.moduleId", "lessons.title", "lessons.slug", "lessons.dripDay"])
    .select(["lessons.muxPlaybackId", "lessons.audioKey"])
    .execute();
  const byModule = Map.groupBy(lessons, ({ moduleId }) => moduleId);
  return modules.map((module) => ({
    ...module,
    lessons: (byModule.get(module.id) ?? []).map(
      ({ moduleId: _, muxPlaybackId, audioKey, ...lesson }) => ({
        ...lesson,
        hasVideo: muxPlaybackId !== null,
        hasAudio: audioKey !== null,
      }),
    ),
  }));
}

/** Changes the order of a course from its current one, so that concurrent changes are not lost. Order
 * numbers become 1 to n. Returns the new place in words.
 * @throws {Refused} not_found for a course, conflict for a lesson or module that is not in it */
async function reorderOutline(
  services: Services,
  productId: string,
  change: OutlineChange,
): Promise<string> {
  const { db, clock } = services;
  if (!isId(productId)) throw new Refused("not_found", courseFormMessages.gone);
  const work = () =>
    db.transaction(async (trx) => {
      const now = clock.now();
      await lockCourse(trx, productId, now);
      const outline = await readOutline(trx, productId);
      const before = outline.map(({ id, lessons }) => ({ id, lessons: lessons.map((l) => l.id) }));
      const after = applyOutlineChange(before, change);
      if (!after) throw new Refused("conflict", outlineMessages.missing);
      const slug = await moveOut(trx, before, after, change, now);
      await renumber(trx, after);
      if (JSON.stringify(after) !== JSON.stringify(before))
        await auditOrder(trx, services, productId);
      return said(outline, after, change) + (slug ? ` ${slugGiven(slug)}` : "");
    });
  // A concurrent new lesson may take the same slug: the second attempt finds another one.
  return work().catch((error) => (isDuplicate(error) ? work() : Promise.reject(error)));
}

/** The same from a form; null if the form asks for something else. */
export async function submitReorder(
  services: Services,
  productId: string,
  fields: Record<string, string | undefined>,
) {
  const { data: change } = outlineChange.safeParse(fields);
  if (!change) return null;
  try {
    const said = await reorderOutline(services, productId, change);
    return { said, toast: { title: said, tone: "success" as const } };
  } catch (error) {
    const { message, toast } = failure(services, error, outlineMessages.failed);
    return { problem: message, toast };
  }
}

async function auditOrder(trx: Query, services: Services, id: string) {
  const { title } = await trx
    .selectFrom("products")
    .select("title")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await recordAudit(trx, services, { action: "course.arranged", id, label: title });
}

/** Moves a lesson to another module; returns its new slug if the old one was taken there. */
async function moveOut(
  trx: Query,
  before: OutlineOrder,
  after: OutlineOrder,
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
    // A form that was opened earlier would otherwise move it back.
    .set((eb) => ({ revision: eb("revision", "+", 1) }))
    .where("id", "=", lessonId)
    .execute();
  return free === slug ? null : free;
}

function moduleOf(modules: OutlineOrder, lessonId: string) {
  const place = outlinePlace(modules, lessonId);
  return place && (modules[place.module]?.id ?? null);
}

/** Writes only changed numbers. The revision stays, because no text has changed. */
async function renumber(trx: Query, modules: OutlineOrder) {
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

function said(outline: OutlineModule[], after: OutlineOrder, change: OutlineChange): string {
  if (!("lessonId" in change)) {
    const title = outline.find(({ id }) => id === change.moduleId)?.title ?? "";
    const place = after.findIndex(({ id }) => id === change.moduleId) + 1;
    return modulePlaced(title, place, after.length);
  }
  const place = outlinePlace(after, change.lessonId);
  const module = place && after[place.module];
  const lessons = outline.flatMap((entry) => entry.lessons);
  const title = lessons.find(({ id }) => id === change.lessonId)?.title ?? "";
  const inModule = outline.find(({ id }) => id === module?.id)?.title ?? "";
  return lessonPlaced(title, (place?.lesson ?? 0) + 1, module?.lessons.length ?? 0, inModule);
}
