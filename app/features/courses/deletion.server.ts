import { sql } from "kysely";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { versionSubject } from "~/features/versions/versions.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { isDuplicate } from "~/platform/db/errors.ts";
import { isId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { lockCourse } from "./courses.server.ts";
import { courseDeletionMessages, restoredMessage } from "./messages.ts";
import { restorableSince } from "./rules.ts";
import { freeSlug, type SlugScope } from "./slugs.server.ts";

/** Deletes a course, its modules and its lessons at one time at which nothing else of it was
 * deleted: restoring finds them by this time. Student data stays.
 * @throws {Refused} not_found */
export function deleteCourse(services: Services, id: string): Promise<void> {
  const { db, clock } = services;
  return db.transaction(async (trx) => {
    const now = clock.now();
    await lockCourse(trx, id, now);
    const modules = await trx
      .selectFrom("modules")
      .select(["id", "deletedAt"])
      .where("productId", "=", id)
      .execute();
    const ids = modules.map((module) => module.id);
    const lessons = await trx
      .selectFrom("lessons")
      .select("deletedAt")
      .where("moduleId", "in", [...ids, ""])
      .execute();
    const deletedAt = after([...modules, ...lessons], now);
    await deleteLessonsOf(trx, ids, deletedAt);
    await trx
      .updateTable("modules")
      .set({ deletedAt })
      .where("productId", "=", id)
      .where("deletedAt", "is", null)
      .execute();
    const { title } = await trx
      .updateTable("products")
      .set({ deletedAt })
      .where("id", "=", id)
      .returning("title")
      .executeTakeFirstOrThrow();
    await recordAudit(trx, services, { action: "course.deleted", id, label: title });
  });
}

/** Deletes a module and its lessons, also at one unique time. @returns its course's id @throws
 * {Refused} not_found */
export function deleteModule(services: Services, id: string): Promise<string> {
  const { db, clock } = services;
  return db.transaction(async (trx) => {
    const now = clock.now();
    const module = await findModule(trx, id);
    if (!module || module.deletedAt) throw new Refused("not_found", courseDeletionMessages.gone);
    await lockCourse(trx, module.productId, now);
    const lessons = await trx
      .selectFrom("lessons")
      .select("deletedAt")
      .where("moduleId", "=", id)
      .execute();
    const deletedAt = after(lessons, now);
    const { numUpdatedRows } = await trx
      .updateTable("modules")
      .set({ deletedAt })
      .where("id", "=", id)
      .where("deletedAt", "is", null)
      .executeTakeFirst();
    if (!numUpdatedRows) throw new Refused("not_found", courseDeletionMessages.gone);
    await deleteLessonsOf(trx, [id], deletedAt);
    await recordAudit(trx, services, { action: "module.deleted", id, label: module.title });
    return module.productId;
  });
}

function deleteLessonsOf(trx: Query, moduleIds: string[], deletedAt: Date) {
  return trx
    .updateTable("lessons")
    .set({ deletedAt })
    .where("moduleId", "in", [...moduleIds, ""])
    .where("deletedAt", "is", null)
    .execute();
}

/** Now, or a little after the latest earlier deletion. */
function after(rows: { deletedAt: Date | null }[], now: Date): Date {
  const latest = rows.map(({ deletedAt }) => (deletedAt ? deletedAt.getTime() + 1 : 0));
  return new Date(Math.max(now.getTime(), ...latest));
}

type Which = { kind: "course" | "module" | "lesson"; id: string };

/** Restores a deleted item and returns the message to show.
 * @throws {Refused} not_found; conflict if its parent is deleted or it was deleted too long ago */
export async function restoreDeleted(services: Services, { kind, id }: Which) {
  if (kind === "module") {
    await restoreModule(services, id);
    return restoredMessage(kind, null);
  }
  const { slug, changed } = await (kind === "course" ? restoreCourse : restoreLesson)(services, id);
  return restoredMessage(kind, changed ? slug : null);
}

type Restored = { slug: string; changed: boolean };

/** Restores a course and what was deleted with it. It is active if it was before. */
function restoreCourse(services: Services, id: string): Promise<Restored> {
  return again(services, async (trx, now) => {
    const course = isId(id)
      ? await trx
          .selectFrom("products")
          .select(["slug", "title", "deletedAt"])
          .where("id", "=", id)
          .executeTakeFirst()
      : undefined;
    const deletedAt = restorable(course, now);
    const slug = await freeSlug(trx, { kind: "course" }, course?.slug ?? "");
    const { numUpdatedRows } = await trx
      .updateTable("products")
      .set({ deletedAt: null, slug, updatedAt: now })
      .where("id", "=", id)
      .where("deletedAt", "=", deletedAt)
      .executeTakeFirst();
    if (!numUpdatedRows) throw new Refused("not_found", courseDeletionMessages.notThere);
    const modules = await trx
      .selectFrom("modules")
      .select("id")
      .where("productId", "=", id)
      .where("deletedAt", "=", deletedAt)
      .execute();
    const ids = modules.map((module) => module.id);
    await restoreAll(trx, ids, deletedAt);
    await recordAudit(trx, services, { action: "course.restored", id, label: course?.title });
    return { slug, changed: slug !== course?.slug };
  });
}

/** Restores a module that was deleted on its own, with its lessons. */
function restoreModule(services: Services, id: string): Promise<void> {
  return again(services, async (trx, now) => {
    const module = await findModule(trx, id);
    const deletedAt = restorable(module, now);
    await holdParent(trx, module?.productId ?? "", now, courseDeletionMessages.courseFirst);
    await restoreAll(trx, [id], deletedAt);
    await recordAudit(trx, services, { action: "module.restored", id, label: module?.title });
  });
}

async function restoreAll(trx: Query, moduleIds: string[], deletedAt: Date) {
  await trx
    .updateTable("modules")
    .set({ deletedAt: null })
    .where("id", "in", [...moduleIds, ""])
    .where("deletedAt", "=", deletedAt)
    .execute();
  await trx
    .updateTable("lessons")
    .set({ deletedAt: null })
    .where("moduleId", "in", [...moduleIds, ""])
    .where("deletedAt", "=", deletedAt)
    .execute();
}

function restoreLesson(services: Services, id: string): Promise<Restored> {
  return again(services, async (trx, now) => {
    const lesson = isId(id)
      ? await trx
          .selectFrom("lessons")
          .innerJoin("modules", "modules.id", "lessons.moduleId")
          .select(["lessons.slug", "lessons.moduleId", "lessons.deletedAt", "modules.productId"])
          .select("lessons.title")
          .select("modules.deletedAt as moduleDeletedAt")
          .where("lessons.id", "=", id)
          .executeTakeFirst()
      : undefined;
    const deletedAt = restorable(lesson, now);
    if (!lesson) throw new Refused("not_found", courseDeletionMessages.notThere);
    await holdParent(trx, lesson.productId, now, courseDeletionMessages.courseFirst);
    const module = await findModule(trx, lesson.moduleId);
    if (!module || module.deletedAt)
      throw new Refused("conflict", courseDeletionMessages.moduleFirst);
    const scope: SlugScope = { kind: "lesson", moduleId: lesson.moduleId };
    const slug = await freeSlug(trx, scope, lesson.slug);
    await trx
      .updateTable("lessons")
      .set({ deletedAt: null, slug, updatedAt: now })
      .where("id", "=", id)
      .where("deletedAt", "=", deletedAt)
      .execute();
    await recordAudit(trx, services, { action: "lesson.restored", id, label: lesson.title });
    return { slug, changed: slug !== lesson.slug };
  });
}

async function findModule(trx: Query, id: string) {
  if (!isId(id)) return undefined;
  return trx
    .selectFrom("modules")
    .select(["productId", "title", "deletedAt"])
    .where("id", "=", id)
    .executeTakeFirst();
}

/** When it was deleted. @throws {Refused} if it was not, or too long ago */
function restorable(row: { deletedAt: Date | null } | undefined, now: Date): Date {
  if (!row?.deletedAt) throw new Refused("not_found", courseDeletionMessages.notThere);
  if (row.deletedAt <= restorableSince(now))
    throw new Refused("conflict", courseDeletionMessages.tooLate);
  return row.deletedAt;
}

async function holdParent(trx: Query, productId: string, now: Date, message: string) {
  await lockCourse(trx, productId, now).catch((error) => {
    throw error instanceof Refused ? new Refused("conflict", message) : error;
  });
}

/** A concurrent change may take the same slug: the next attempt finds another one. */
async function again<T>({ db, clock }: Services, work: (trx: Query, now: Date) => Promise<T>) {
  for (let attempt = 1; ; attempt++)
    try {
      return await db.transaction((trx) => work(trx, clock.now()));
    } catch (error) {
      if (!isDuplicate(error) || attempt === 3) throw error;
    }
}

/** An hour's share: the rest goes in the next hour. */
const mostVersionsAtOnce = 2_000;

/** Deletes the versions of courses and lessons that can no longer be restored. */
export const deleteVersionsOfDeleted: RegularTask = {
  name: "courses.delete-versions",
  async run({ db, clock }) {
    const before = restorableSince(clock.now());
    for (const kind of ["course", "lesson"] as const) {
      const deleted = db.write
        .selectFrom(kind === "course" ? ("products" as const) : ("lessons" as const))
        .select(sql<string>`${versionSubject(kind, "")} || id`.as("subject"))
        .where("deletedAt", "<=", before);
      const versions = db.write
        .selectFrom("versions")
        .select("id")
        .where("subject", "in", deleted)
        .limit(mostVersionsAtOnce);
      await db.write.deleteFrom("versions").where("id", "in", versions).execute();
    }
  },
};
