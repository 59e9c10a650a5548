import { audit } from "~/features/accounts/audit/commands.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { isId, newId } from "~/platform/db/ids.ts";
import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { Changed, holdCourse } from "../products/commands.server.ts";
import { type AuthoredModule, getModule } from "./queries.server.ts";
import type { ModuleFields } from "./schema.ts";
import { moduleTexts } from "./texts.ts";

/**
 * Adds a module to a course, active or not: a course is filled before it is shown
 * (docs/decisions/017). The same form sent twice makes one module.
 * @returns its id
 * @throws {Refused} not_found when the course is gone
 */
export async function createModule(
  services: Services,
  { id, ...fields }: ModuleFields & { id: string },
): Promise<string> {
  const { db, clock } = services;
  const now = clock.now();
  const dates = { createdAt: now, updatedAt: now };
  return db.transaction(async (trx) => {
    await holdCourse(trx, fields.productId, now);
    const insert = async (key: string) => {
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto("modules")
        .values({ id: key, ...fields, ...dates })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .executeTakeFirst();
      if (!numInsertedOrUpdatedRows) return false;
      await audit(trx, services, { action: "module.created", id: key, label: fields.title });
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

/** The order number is written only by a form in which it was changed: it moves without forms too. */
export type ModuleUpdate = ModuleFields & { id: string; revision: number; orderBefore: number };

/**
 * Saves a module over the revision that its form was opened with. In another course its lessons
 * come along, and what students have there stays theirs.
 * @returns its revision and its place now: it may have been moved without this form
 * @throws {Changed} when it has another revision by now, and other words in it
 * @throws {Refused} not_found, for the module or the course
 */
export async function updateModule(
  services: Services,
  { id, revision, orderBefore, ...fields }: ModuleUpdate,
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
    if (row) await audit(trx, services, { action: "module.updated", id, label: fields.title });
    return row;
  });
  if (saved) return saved;
  const module: AuthoredModule | null = await getModule(services, id);
  if (!module) throw new Refused("not_found", moduleTexts.gone);
  if (!isSame(module, { ...module, ...wanted })) throw new Changed(moduleTexts.changed, module);
  return module;
}

/**
 * Holds the course that a module is in and the one that it goes to, in the order of their ids:
 * two modules that change places do not wait for each other for ever.
 * @returns the course that it is in
 * @throws {Refused} not_found, for the module or the course that it goes to
 */
async function holdBoth(trx: Query, { id, to, now }: { id: string; to: string; now: Date }) {
  const module = await trx
    .selectFrom("modules")
    .select("productId")
    .where("id", "=", id)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (!module) throw new Refused("not_found", moduleTexts.gone);
  for (const course of [...new Set([module.productId, to])].sort()) {
    await holdCourse(trx, course, now).catch((error: unknown) => {
      // A deleted course has taken its modules along.
      const isGone = error instanceof Refused && course !== to;
      throw isGone ? new Refused("not_found", moduleTexts.gone) : error;
    });
  }
  return module.productId;
}
