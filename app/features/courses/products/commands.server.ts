import { audit } from "~/features/accounts/audit/commands.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId, newId } from "~/platform/db/ids.ts";
import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { orSlugTaken, SlugTaken } from "../slugs/commands.server.ts";
import { freeSlug } from "../slugs/queries.server.ts";
import { type AuthoredCourse, getCourse } from "./queries.server.ts";
import type { CourseFields } from "./schema.ts";
import { courseTexts } from "./texts.ts";

/** Somebody saved something else since the form was opened; `now` is what stands there. */
export class Changed<Now> extends Refused {
  readonly now: Now;
  constructor(message: string, now: Now) {
    super("conflict", message);
    this.now = now;
  }
}

const scope = { kind: "course" } as const;

/**
 * Adds a course that is not active yet: it is filled first (docs/decisions/017). The form brings
 * the id, so that the same form sent twice makes one course.
 * @returns its id
 * @throws {SlugTaken}
 */
export async function createCourse(
  services: Services,
  { id, ...fields }: CourseFields & { id: string },
): Promise<string> {
  const { db, clock } = services;
  const now = clock.now();
  const row = { ...fields, active: false, createdAt: now, updatedAt: now };
  const insert = (key: string) =>
    db.transaction(async (trx) => {
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto("products")
        .values({ id: key, ...row })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (!numInsertedOrUpdatedRows) return false;
      await audit(trx, services, { action: "course.created", id: key, label: fields.title });
      return true;
    });
  const made = isId(id) ? id : newId();
  if (await insert(made)) return made;
  const existing = await getCourse(services, made);
  if (existing && isSame(existing, fields)) return made;
  const other = newId();
  if (existing && (await insert(other))) return other;
  throw new SlugTaken("course", await freeSlug(db.write, scope, fields.slug));
}

const isSame = (course: AuthoredCourse, fields: CourseFields) =>
  course.title === fields.title &&
  course.slug === fields.slug &&
  course.description === fields.description &&
  course.priceCents === fields.priceCents &&
  course.lessonMails === (fields.lessonMails ?? course.lessonMails);

/**
 * Saves a course over the revision that its form was opened with.
 * @returns its revision now
 * @throws {SlugTaken}
 * @throws {Changed} when it has another revision by now, and other words in it
 * @throws {Refused} not_found
 */
export async function updateCourse(
  services: Services,
  { id, revision, ...fields }: CourseFields & { id: string; revision: number },
): Promise<number> {
  const now = services.clock.now();
  const saved = await orSlugTaken(services, { scope, slug: fields.slug, id }, () =>
    services.db.transaction(async (trx) => {
      const row = await trx
        .updateTable("products")
        .set({ ...fields, updatedAt: now })
        .set((eb) => ({ revision: eb("revision", "+", 1) }))
        .where("id", "=", id)
        .where("revision", "=", revision)
        .where("deletedAt", "is", null)
        .returning("revision")
        .executeTakeFirst();
      if (row) await audit(trx, services, { action: "course.updated", id, label: fields.title });
      return row;
    }),
  );
  if (saved) return saved.revision;
  const course = await getCourse(services, id);
  if (!course) throw new Refused("not_found", courseTexts.gone);
  if (!isSame(course, fields)) throw new Changed(courseTexts.changed, course);
  return course.revision;
}

/**
 * Shows a course to everybody, or to nobody but her and those who are enrolled. Says what it is
 * to be, so that a second press changes nothing.
 * @throws {Refused} not_found
 */
export async function setActive(
  services: Services,
  { id, active }: { id: string; active: boolean },
): Promise<void> {
  const changed = await services.db.transaction(async (trx) => {
    const course = await trx
      .updateTable("products")
      .set({ active, updatedAt: services.clock.now() })
      .where("id", "=", id)
      .where("active", "<>", active)
      .where("deletedAt", "is", null)
      .returning("title")
      .executeTakeFirst();
    const action = active ? "course.activated" : "course.deactivated";
    if (course) await audit(trx, services, { action, id, label: course.title });
    return course;
  });
  if (changed || (await getCourse(services, id))) return;
  throw new Refused("not_found", courseTexts.gone);
}

/**
 * Makes whoever changes a course's modules and lessons wait for each other: first in each such
 * transaction.
 * @throws {Refused} not_found
 */
export async function holdCourse(trx: Query, id: string, now: Date): Promise<void> {
  const held = await trx
    .updateTable("products")
    .set({ updatedAt: now })
    .where("id", "=", id)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (!held.numUpdatedRows) throw new Refused("not_found", courseTexts.gone);
}
