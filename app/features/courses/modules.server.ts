import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId, newId } from "~/platform/db/ids.ts";
import { countedPage, type Portion } from "~/platform/db/keyset.ts";
import { hasWords } from "~/platform/db/search.ts";
import type { ListParams } from "~/platform/http/list-params.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { Changed, lockCourse } from "./courses.server.ts";
import { moduleMessages } from "./messages.ts";
import type { ModuleFields } from "./schema.ts";

/** By order number by default (spec 2, Admin dashboard). */
export const moduleSorts = { order: "asc", title: "asc", course: "asc", created: "desc" } as const;

const columns = {
  order: "modules.orderNum",
  title: "modules.title",
  course: "products.title",
  created: "modules.createdAt",
} as const;

/** A page of all modules with their course titles; ties by creation time, oldest first. */
export function listModulesOfAll(
  { db }: Services,
  params: ListParams<keyof typeof moduleSorts> & Portion,
) {
  const column = columns[params.sort];
  let query = db.read
    .selectFrom("modules")
    .innerJoin("products", "products.id", "modules.productId")
    .select(["modules.id", "modules.title", "modules.orderNum", "modules.productId"])
    .select(["products.title as courseTitle", `${column} as sortValue`])
    .select("modules.createdAt as timeValue")
    .select((eb) =>
      eb
        .selectFrom("lessons")
        .select(({ fn }) => fn.countAll<number>().as("n"))
        .whereRef("lessons.moduleId", "=", "modules.id")
        .where("lessons.deletedAt", "is", null)
        .$asScalar()
        .$notNull()
        .as("lessons"),
    )
    .where("modules.deletedAt", "is", null)
    .where("products.deletedAt", "is", null);
  if (params.courseId) query = query.where("modules.productId", "=", params.courseId);
  if (params.search)
    query = query.where((eb) =>
      eb.or([hasWords("modules.title", params.search), hasWords("products.title", params.search)]),
    );
  const kind = params.sort === "order" ? { kind: "number" as const } : {};
  const ties = { time: "modules.createdAt", id: "modules.id" };
  const order = { column, ...ties, direction: params.direction, ...kind };
  return countedPage(db.read, query, order, params);
}

/** A module for editing; null if there is none or it is deleted. */
export async function getModule({ db }: Services, id: string) {
  if (!isId(id)) return null;
  const module = await db.write
    .selectFrom("modules")
    .select(["id", "productId", "title", "orderNum", "revision"])
    .where("id", "=", id)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  return module ?? null;
}

/** The order number after the last module of a course; 1 if it has none (spec 9, Defaults). */
export async function nextModuleNumber({ db }: Services, productId: string | null) {
  const last = await db.read
    .selectFrom("modules")
    .select("orderNum")
    .where("productId", "=", productId ?? "")
    .where("deletedAt", "is", null)
    .orderBy("orderNum", "desc")
    .executeTakeFirst();
  return (last?.orderNum ?? 0) + 1;
}

/** The lessons of modules in their order. */
export function listLessonsOfModules(db: Query, moduleIds: readonly string[]) {
  return db
    .selectFrom("lessons")
    .select(["id", "title", "slug"])
    .where("moduleId", "in", [...moduleIds, ""])
    .where("deletedAt", "is", null)
    .orderBy("orderNum")
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
}

/** Adds a module to a course, active or not (docs/decisions/004); returns its id. Idempotent by id.
 * @throws {Refused} not_found if the course is deleted */
export async function createModule(
  services: Services,
  { id, ...fields }: ModuleFields & { id: string },
): Promise<string> {
  const { db, clock } = services;
  const now = clock.now();
  const dates = { createdAt: now, updatedAt: now };
  return db.transaction(async (trx) => {
    await lockCourse(trx, fields.productId, now);
    const insert = async (key: string) => {
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto("modules")
        .values({ id: key, ...fields, ...dates })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .executeTakeFirst();
      if (!numInsertedOrUpdatedRows) return false;
      await recordAudit(trx, services, { action: "module.created", id: key, label: fields.title });
      return true;
    };
    const made = isId(id) ? id : newId();
    if (await insert(made)) return made;
    const existing = await trx
      .selectFrom("modules")
      .select(["productId", "title", "orderNum"])
      .where("id", "=", made)
      .executeTakeFirstOrThrow();
    if (isSame(existing, fields)) return made;
    const other = newId();
    await insert(other);
    return other;
  });
}

const isSame = (module: ModuleFields, fields: ModuleFields) =>
  module.productId === fields.productId &&
  module.title === fields.title &&
  module.orderNum === fields.orderNum;

/** Saves a module over the revision its form was opened with. A change of course takes its lessons
 * along; students keep their progress. `orderNum` is written only if the form changed it: it also
 * changes without the form. Returns the revision and the place.
 * @throws {Changed} if a newer revision differs; {Refused} not_found, module or course */
export async function updateModule(
  services: Services,
  {
    id,
    revision,
    orderBefore,
    ...fields
  }: ModuleFields & { id: string; revision: number; orderBefore: number },
): Promise<{ revision: number; orderNum: number }> {
  const { db, clock } = services;
  const now = clock.now();
  const { orderNum, ...words } = fields;
  const wanted = { ...words, ...(orderNum === orderBefore ? {} : { orderNum }) };
  const saved = await db.transaction(async (trx) => {
    const from = await holdBoth(trx, { id, to: fields.productId, now });
    const row = await trx
      .updateTable("modules")
      .set({ ...wanted, updatedAt: now })
      .set((eb) => ({ revision: eb("revision", "+", 1) }))
      .where("id", "=", id)
      .where("revision", "=", revision)
      .where("productId", "=", from)
      .where("deletedAt", "is", null)
      .returning(["revision", "orderNum"])
      .executeTakeFirst();
    if (row)
      await recordAudit(trx, services, { action: "module.updated", id, label: fields.title });
    return row;
  });
  if (saved) return saved;
  const module = await getModule(services, id);
  if (!module) throw new Refused("not_found", moduleMessages.gone);
  if (!isSame(module, { ...module, ...wanted })) throw new Changed(moduleMessages.changed, module);
  return module;
}

/** Locks a module's course and the target course in the order of their ids, which avoids a
 * deadlock. Returns the former. @throws {Refused} not_found, for the module or the target course */
async function holdBoth(trx: Query, { id, to, now }: { id: string; to: string; now: Date }) {
  const module = await trx
    .selectFrom("modules")
    .select("productId")
    .where("id", "=", id)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (!module) throw new Refused("not_found", moduleMessages.gone);
  for (const course of [...new Set([module.productId, to])].sort()) {
    await lockCourse(trx, course, now).catch((error: unknown) => {
      // Deleting a course has deleted its modules too.
      const isGone = error instanceof Refused && course !== to;
      throw isGone ? new Refused("not_found", moduleMessages.gone) : error;
    });
  }
  return module.productId;
}
