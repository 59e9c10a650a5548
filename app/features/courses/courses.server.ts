import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { coversOf } from "~/features/pictures/pictures.server.ts";
import { redirectCourse } from "~/features/redirects/redirects.server.ts";
import { compiledOnce } from "~/platform/db/compiled.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId, newId } from "~/platform/db/ids.ts";
import { countedPage, type Portion } from "~/platform/db/keyset.ts";
import { hasWords } from "~/platform/db/search.ts";
import type { ListParams } from "~/platform/http/list-params.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { recordCourseVersion } from "./course-versions.server.ts";
import { courseFormMessages } from "./messages.ts";
import type { Course, CourseChoice, CourseFields } from "./schema.ts";
import { freeSlug, orSlugTaken, SlugTaken } from "./slugs.server.ts";

const columns = [
  ...(["id", "slug", "title", "description"] as const),
  ...(["priceCents", "active", "comingSoon", "coverId", "coverAlt"] as const),
] as const;

/** Active courses, oldest first (spec 7, products). */
export async function listActiveCourses({ db }: Services): Promise<Course[]> {
  return coversOf(db.read, await activeProducts(db.read).select(columns).execute());
}

/** The slug and last change of each active course, oldest first. */
export function listCourseAddresses({ db }: Services) {
  return activeProducts(db.read).select(["slug", "updatedAt"]).execute();
}

function activeProducts(db: Query) {
  return db
    .selectFrom("products")
    .where("active", "=", true)
    .where("deletedAt", "is", null)
    .orderBy("createdAt")
    .orderBy("id");
}

/** A course by its slug or id, active or not; null if there is none or it is deleted. */
export async function findCourse(
  { db }: Services,
  value: string,
  column: "slug" | "id" = "slug",
): Promise<Course | null> {
  const course = await db.read
    .selectFrom("products")
    .select(columns)
    .where(column, "=", value)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  const [found = null] = await coversOf(db.read, course ? [course] : []);
  return found;
}

/** A course's modules in order, with lesson titles and days but no lesson content. */
export async function listModules({ db }: { db: Pick<Services["db"], "read"> }, productId: string) {
  const [modules, lessons] = await Promise.all([
    listModuleTitles(db.read, productId),
    lessonsOf(db.read, productId)
      .select(["lessons.id", "lessons.moduleId", "lessons.title", "lessons.dripDay"])
      .execute(),
  ]);
  const byModule = Map.groupBy(lessons, ({ moduleId }) => moduleId);
  return modules.map((module) => ({
    ...module,
    lessons: (byModule.get(module.id) ?? []).map(({ moduleId: _, ...lesson }) => lesson),
  }));
}

/** A course's modules in order (ties by creation time, then id). */
export function listModuleTitles(db: Query, productId: string) {
  return db
    .selectFrom("modules")
    .select(["id", "title"])
    .where("productId", "=", productId)
    .where("deletedAt", "is", null)
    .orderBy("orderNum")
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
}

/** A course's lessons, in order within each module; the caller selects the columns. */
export function lessonsOf(db: Query, productId: string) {
  return db
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .where("modules.productId", "=", productId)
    .where("modules.deletedAt", "is", null)
    .where("lessons.deletedAt", "is", null)
    .orderBy("lessons.orderNum")
    .orderBy("lessons.createdAt")
    .orderBy("lessons.id");
}

/** Lessons that are not deleted, with their modules and courses; the caller selects the columns. */
export function presentLessons(db: Query) {
  return db
    .selectFrom("lessons")
    .innerJoin("modules", "modules.id", "lessons.moduleId")
    .innerJoin("products", "products.id", "modules.productId")
    .where("lessons.deletedAt", "is", null)
    .where("modules.deletedAt", "is", null)
    .where("products.deletedAt", "is", null);
}

/** Newest first by default (spec 2, Admin dashboard). */
export const courseSorts = { created: "desc", title: "asc", price: "asc" } as const;

const courseColumns = { created: "createdAt", title: "title", price: "priceCents" } as const;

/** A page of all courses that are not deleted, active or not. */
export function listCourses(
  { db }: Services,
  params: ListParams<keyof typeof courseSorts> & Portion,
) {
  const column = `products.${courseColumns[params.sort]}` as const;
  let query = db.read
    .selectFrom("products")
    .select(["products.id", "products.slug", "products.title", "products.priceCents"])
    .select(["products.active", "products.comingSoon", `${column} as sortValue`])
    .select((eb) =>
      eb
        .selectFrom("lessons")
        .innerJoin("modules", "modules.id", "lessons.moduleId")
        .select(({ fn }) => fn.countAll<number>().as("n"))
        .whereRef("modules.productId", "=", "products.id")
        .where("modules.deletedAt", "is", null)
        .where("lessons.deletedAt", "is", null)
        .$asScalar()
        .$notNull()
        .as("lessons"),
    )
    .where("products.deletedAt", "is", null);
  if (params.search)
    query = query.where((eb) =>
      eb.or([hasWords("products.title", params.search), hasWords("products.slug", params.search)]),
    );
  const kind = params.sort === "price" ? { kind: "number" as const } : {};
  const order = { column, id: "products.id", direction: params.direction, ...kind };
  return countedPage(db.read, query, order, params);
}

/** A course for editing; null if there is none or it is deleted. */
export async function getCourse({ db }: Services, id: string) {
  if (!isId(id)) return null;
  const course = await db.write
    .selectFrom("products")
    .select([...columns, "lessonEmails", "revision"])
    .where("id", "=", id)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  return course ?? null;
}

export type AuthoredCourse = NonNullable<Awaited<ReturnType<typeof getCourse>>>;

/** Active courses by title (spec 7, Data: admin), and the chosen one even if it is inactive. */
export async function listCourseChoices(services: Services, chosen: string | null = null) {
  const courses = await listCourseFilters(services);
  return courses.filter(({ id, active }) => active || id === chosen);
}

const courseFilters = compiledOnce((db, _: object) =>
  db
    .selectFrom("products")
    .select(["id", "slug", "title", "active"])
    .where("deletedAt", "is", null)
    .orderBy("title")
    .orderBy("id"),
);

export function listCourseFilters({ db }: Pick<Services, "db">): Promise<CourseChoice[]> {
  return courseFilters(db.read, {});
}

/** The item was saved elsewhere since the form was opened; `now` is what is stored. */
export class Changed<Now> extends Refused {
  readonly now: Now;
  constructor(message: string, now: Now) {
    super("conflict", message);
    this.now = now;
  }
}

const scope = { kind: "course" } as const;

/** What the versions of a course have of it. */
const versioned = [
  ...(["title", "slug", "description", "priceCents"] as const),
  ...(["lessonEmails", "comingSoon", "active"] as const),
] as const;

/** Adds an inactive course, to be filled first (docs/decisions/004), and returns its id.
 * Idempotent: the form brings the id.
 * @throws {SlugTaken} */
export async function createCourse(
  services: Services,
  { id, ...fields }: CourseFields & { id: string },
): Promise<string> {
  const { db, clock } = services;
  const now = clock.now();
  const row = { ...fields, active: false, createdAt: now, updatedAt: now };
  const insert = (key: string) =>
    db.transaction(async (trx) => {
      const saved = await trx
        .insertInto("products")
        .values({ id: key, ...row })
        .onConflict((conflict) => conflict.doNothing())
        .returning(versioned)
        .executeTakeFirst();
      if (!saved) return false;
      await recordCourseVersion(trx, services, key, { before: null, now: saved });
      await recordAudit(trx, services, { action: "course.created", id: key, label: fields.title });
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

type SavedFields = CourseFields & { active?: boolean };

const isSame = (course: AuthoredCourse, fields: SavedFields) =>
  course.title === fields.title &&
  course.slug === fields.slug &&
  course.description === fields.description &&
  course.priceCents === fields.priceCents &&
  course.lessonEmails === (fields.lessonEmails ?? course.lessonEmails) &&
  course.comingSoon === (fields.comingSoon ?? course.comingSoon) &&
  course.active === (fields.active ?? course.active);

/** Saves a course over the revision that its form was opened with; returns its new revision. What
 * its address was leads to the new one. Without `active`, it stays as active as it is.
 * @throws {SlugTaken}; {Changed} if a newer revision differs; {Refused} not_found */
export async function updateCourse(
  services: Services,
  { id, revision, ...fields }: SavedFields & { id: string; revision: number },
): Promise<number> {
  const now = services.clock.now();
  const saved = await orSlugTaken(services, { scope, slug: fields.slug, id }, () =>
    services.db.transaction(async (trx) => {
      const before = await trx
        .selectFrom("products")
        .select([...versioned, "updatedAt"])
        .where("id", "=", id)
        .executeTakeFirst();
      const row = await trx
        .updateTable("products")
        .set({ ...fields, updatedAt: now })
        .set((eb) => ({ revision: eb("revision", "+", 1) }))
        .where("id", "=", id)
        .where("revision", "=", revision)
        .where("deletedAt", "is", null)
        .returning([...versioned, "revision"])
        .executeTakeFirst();
      if (!row || !before) return null;
      await recordCourseVersion(trx, services, id, { before, now: row });
      await recordAudit(trx, services, { action: "course.updated", id, label: fields.title });
      if (row.active !== before.active) await auditActive(trx, services, id, row);
      await redirectCourse(trx, services, { from: before.slug, to: fields.slug });
      return row;
    }),
  );
  if (saved) return saved.revision;
  const course = await getCourse(services, id);
  if (!course) throw new Refused("not_found", courseFormMessages.gone);
  if (!isSame(course, fields)) throw new Changed(courseFormMessages.changed, course);
  return course.revision;
}

type Switches = Partial<Record<"active" | "comingSoon", boolean> & { priceCents: number }>;

/** Sets fields of a course in a transaction of the caller's, unless one is not what it was `from`.
 * @returns whether they were set */
export async function changeCourseFields(
  trx: Query,
  services: Services,
  { id, from, to }: { id: string; from: Switches; to: Switches },
): Promise<boolean> {
  const before = await trx
    .selectFrom("products")
    .select([...versioned, "updatedAt"])
    .where("id", "=", id)
    .executeTakeFirst();
  let update = trx
    .updateTable("products")
    .set({ ...to, updatedAt: services.clock.now() })
    .set((eb) => ({ revision: eb("revision", "+", 1) }))
    .where("id", "=", id)
    .where("deletedAt", "is", null);
  for (const [field, value] of Object.entries(from))
    update = update.where(field as "active", "=", value as boolean);
  const row = await update.returning([...versioned]).executeTakeFirst();
  if (!row || !before) return false;
  await recordCourseVersion(trx, services, id, { before, now: row });
  await recordAudit(trx, services, { action: "course.updated", id, label: row.title });
  return true;
}

/** Makes a course public, or visible only to admins and its enrolled students. Idempotent.
 * @throws {Refused} not_found */
export async function setActive(
  services: Services,
  { id, active }: { id: string; active: boolean },
): Promise<void> {
  const changed = await services.db.transaction(async (trx) => {
    const before = await trx
      .selectFrom("products")
      .select("updatedAt")
      .where("id", "=", id)
      .executeTakeFirst();
    const course = await trx
      .updateTable("products")
      .set({ active, updatedAt: services.clock.now() })
      .where("id", "=", id)
      .where("active", "<>", active)
      .where("deletedAt", "is", null)
      .returning(versioned)
      .executeTakeFirst();
    if (!before || !course) return null;
    const was = { ...course, ...before, active: !active };
    await recordCourseVersion(trx, services, id, { before: was, now: course });
    await auditActive(trx, services, id, course);
    return course;
  });
  if (changed || (await getCourse(services, id))) return;
  throw new Refused("not_found", courseFormMessages.gone);
}

function auditActive(
  trx: Query,
  services: Services,
  id: string,
  { active, title }: { active: boolean; title: string },
) {
  const action = active ? "course.activated" : "course.deactivated";
  return recordAudit(trx, services, { action, id, label: title });
}

/** Serializes outline changes. Must come first in a transaction. @throws {Refused} not_found */
export async function lockCourse(trx: Query, id: string, now: Date): Promise<void> {
  const held = await trx
    .updateTable("products")
    .set({ updatedAt: now })
    .where("id", "=", id)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (!held.numUpdatedRows) throw new Refused("not_found", courseFormMessages.gone);
}
