import type { Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import { Refused } from "~/platform/http/errors.ts";
import type { Services } from "~/platform/services.ts";
import { audit } from "../audit/commands.server.ts";
import { longestReason, suspensionTexts as texts } from "./texts.ts";

type Suspending = {
  id: string;
  /** For administrators only. */
  reason: string;
  /** The administrator's id. */
  by: string;
};

/**
 * Shuts an account: nobody can sign in to it by any way, and every session of it ends with this.
 * What she wrote, her courses and payments stay. Twice is once.
 * @throws {Refused} for one's own account, for the last administrator, and for who is none any more
 */
export async function suspend(
  { db, clock, actor }: Services,
  { id, reason, by }: Suspending,
): Promise<void> {
  if (id === by) throw new Refused("forbidden", texts.self);
  await db.transaction(async (trx) => {
    // Two who suspend each other go one after the other, and the second is none any more.
    await lockId(db, trx, "administrators");
    const active = await activeAdmins(trx);
    if (!active.includes(by)) throw new Refused("forbidden", texts.notYou);
    if (active.every((admin) => admin === id)) throw new Refused("conflict", texts.last);
    const { numUpdatedRows } = await trx
      .updateTable("profiles")
      .set({ suspendedAt: clock.now(), suspendedReason: reason.trim().slice(0, longestReason) })
      .where("id", "=", id)
      .where("suspendedAt", "is", null)
      .executeTakeFirst();
    await trx.deleteFrom("sessions").where("userId", "=", id).execute();
    if (numUpdatedRows)
      return audit(trx, { actor, clock }, { action: "account.suspended", personId: id });
    await assertKnown(trx, id);
  });
}

/** Opens a suspended account again: whoever has it signs in as before. Twice is once. */
export async function letInAgain({ db, clock, actor }: Services, id: string): Promise<void> {
  await db.transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("profiles")
      .set({ suspendedAt: null, suspendedReason: null })
      .where("id", "=", id)
      .where("suspendedAt", "is not", null)
      .executeTakeFirst();
    if (numUpdatedRows)
      return audit(trx, { actor, clock }, { action: "account.let-in", personId: id });
    await assertKnown(trx, id);
  });
}

async function activeAdmins(trx: Query): Promise<string[]> {
  const rows = await trx
    .selectFrom("profiles")
    .select("id")
    .where("role", "=", "admin")
    .where("suspendedAt", "is", null)
    .execute();
  return rows.map(({ id }) => id);
}

async function assertKnown(trx: Query, id: string): Promise<void> {
  const row = await trx.selectFrom("profiles").select("id").where("id", "=", id).executeTakeFirst();
  if (!row) throw new Refused("not_found", texts.gone);
}
