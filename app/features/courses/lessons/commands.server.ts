import { audit } from "~/features/accounts/audit/commands.server.ts";
import type { Database, Query } from "~/platform/db/database.ts";
import { isDuplicate } from "~/platform/db/errors.ts";
import { isId } from "~/platform/db/ids.ts";
import { keepCourseOf, lockId } from "~/platform/db/locks.ts";
import type { Services } from "~/platform/services.ts";
import { prepareLesson } from "../commands.server.ts";
import { takeOverMedia } from "../media/commands.server.ts";
import { holdCourse } from "../products/commands.server.ts";
import type { PromptsAsked } from "../prompts/rules.ts";
import type { Prompt } from "../schema.ts";
import { freeSlug } from "../slugs/queries.server.ts";
import { findVersion, type LessonVersion } from "./queries.server.ts";
import type { LessonValues } from "./rules.ts";

/** A lesson as its author wants it. */
export type WantedLesson = LessonValues & { id: string; prompts: PromptsAsked };

/**
 * What became of a save. `stale`: it was changed since, and nothing was written; `current` is
 * what is stored. `slug`: taken in this module; `proposal` is free.
 */
export type SaveResult =
  | { kind: "saved"; how: "created" | "updated"; revision: number }
  | { kind: "stale"; current: LessonVersion }
  | { kind: "slug"; proposal: string }
  | { kind: "module" }
  | { kind: "gone" };

/**
 * Adds a lesson under the id that its form was given. Twice is once; other words under the same
 * id are `stale`, with what the first save stored.
 */
export async function createLesson(services: Services, lesson: WantedLesson): Promise<SaveResult> {
  if (!isId(lesson.id)) return { kind: "gone" };
  const prepared = await prepareLesson(lesson);
  return saving(services, lesson, async (trx) => {
    // An upload of it that ends in this very moment waits, or is seen.
    await lockId(services.db, trx, lesson.id);
    const known = await stored(trx, lesson.id);
    if (known) return known.isDeleted ? { kind: "gone" } : same(trx, known, lesson);
    const refusal = await unfit(services.db, trx, lesson);
    if (refusal) return refusal;
    const now = services.clock.now();
    const { prompts, ...columns } = prepared;
    await trx
      .insertInto("lessons")
      .values({
        ...columns,
        prompts: asJson(prompts === "keep" ? null : prompts),
        // What was uploaded for it before it was saved.
        ...(await takeOverMedia(trx, lesson.id)),
        createdAt: now,
        updatedAt: now,
      })
      .execute();
    await audit(trx, services, { action: "lesson.created", id: lesson.id, label: lesson.title });
    return { kind: "saved", how: "created", revision: 1 };
  });
}

/**
 * Changes a lesson, if it still is as its author saw it: `revision` is the one she started from.
 * What is stored already as she wants it is saved. Media are not touched. Changes of the order
 * alone leave the revision as it is, so a number that is still `orderBefore` stays as it is stored.
 */
export async function updateLesson(
  services: Services,
  {
    revision,
    orderBefore = null,
    ...asked
  }: WantedLesson & { revision: number; orderBefore?: number | null },
): Promise<SaveResult> {
  const prepared = await prepareLesson(asked);
  return saving(services, asked, async (trx) => {
    const known = await stored(trx, asked.id);
    if (!known || known.isDeleted) return { kind: "gone" };
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
    // Somebody was faster, between the question above and this.
    if (!numUpdatedRows) return stale(trx, id);
    await audit(trx, services, { action: "lesson.updated", id, label: lesson.title });
    return { kind: "saved", how: "updated", revision: revision + 1 };
  });
}

/**
 * Deletes a lesson; what students wrote and completed stays. Twice is once. Not while its module
 * or course is being deleted: at one moment with it, it would come back with it.
 * @returns whether it ever was
 * @throws {Refused} not_found when its course is gone
 */
export async function deleteLesson(services: Services, { id }: { id: string }): Promise<boolean> {
  const { db, clock } = services;
  if (!isId(id)) return false;
  return db.transaction(async (trx) => {
    const now = clock.now();
    const lesson = await trx
      .selectFrom("lessons")
      .innerJoin("modules", "modules.id", "lessons.moduleId")
      .select(["modules.productId", "lessons.deletedAt", "lessons.title"])
      .where("lessons.id", "=", id)
      .executeTakeFirst();
    if (!lesson || lesson.deletedAt) return lesson !== undefined;
    await holdCourse(trx, lesson.productId, now);
    const { numUpdatedRows } = await trx
      .updateTable("lessons")
      .set({ deletedAt: now, updatedAt: now })
      .where("id", "=", id)
      .where("deletedAt", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows)
      await audit(trx, services, { action: "lesson.deleted", id, label: lesson.title });
    return true;
  });
}

type Place = { id: string; moduleId: string; slug: string };

/** One transaction; what only the index of slugs notices is told like what was noticed before. */
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
      // The same new lesson, sent twice at once.
      return known ? work(trx) : { kind: "gone" };
    });
  }
}

/** Why a lesson cannot stand where it is wanted; null when it can. */
async function unfit(db: Database, trx: Query, place: Place): Promise<SaveResult | null> {
  await keepCourseOf(db, trx, place.moduleId);
  const module = await trx
    .selectFrom("modules")
    .innerJoin("products", "products.id", "modules.productId")
    .select("modules.id")
    .where("modules.id", "=", place.moduleId)
    .where("modules.deletedAt", "is", null)
    .where("products.deletedAt", "is", null)
    .executeTakeFirst();
  if (!module) return { kind: "module" };
  const proposal = await freeSlug(trx, { kind: "lesson", ...place }, place.slug, place.id);
  return proposal === place.slug ? null : { kind: "slug", proposal };
}

type Stored = LessonValues & { prompts: Prompt[] | null; revision: number; isDeleted: boolean };

async function stored(db: Query, id: string): Promise<Stored | null> {
  const row = await db
    .selectFrom("lessons")
    .select(["title", "moduleId", "slug", "orderNum", "dripDay", "content"])
    .select(["prompts", "revision", "deletedAt"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) return null;
  const { deletedAt, ...lesson } = row;
  return { ...lesson, isDeleted: deletedAt !== null };
}

function isSame(known: Stored, wanted: WantedLesson): boolean {
  const names = ["title", "moduleId", "slug", "orderNum", "dripDay", "content"] as const;
  const keeps = wanted.prompts === "keep" || asJson(wanted.prompts) === asJson(known.prompts);
  return keeps && names.every((name) => known[name] === wanted[name]);
}

/** A new lesson that is stored already: the first of two equal sends, or somebody's other words. */
async function same(trx: Query, known: Stored, wanted: WantedLesson): Promise<SaveResult> {
  const isTwice = isSame(known, wanted) && (wanted.prompts !== "keep" || known.prompts === null);
  if (isTwice) return { kind: "saved", how: "created", revision: known.revision };
  return stale(trx, wanted.id);
}

async function stale(trx: Query, id: string): Promise<SaveResult> {
  const current = await findVersion(trx, id);
  return current ? { kind: "stale", current } : { kind: "gone" };
}

/** As text in the order of its parts, whatever order an engine gives them back in. */
function asJson(prompts: readonly Prompt[] | null): string | null {
  if (!prompts || prompts.length === 0) return null;
  return JSON.stringify(prompts.map(({ question, placeholder }) => ({ question, placeholder })));
}
