import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { endAdminInvitations } from "./administrators.server.ts";
import { longestReason, suspensionMessages } from "./messages.ts";

type Suspending = {
  id: string;
  reason: string;
  by: string;
};

/** Suspends an account: nobody can sign in to it, and its sessions end. Its data stays. With an
 * administrator, all invitations of administrators end. Idempotent.
 * @throws {Refused} for one's own account, the last administrator, or a caller who is none now */
export async function suspend(
  { db, clock, actor }: Services,
  { id, reason, by }: Suspending,
): Promise<void> {
  if (id === by) throw new Refused("forbidden", suspensionMessages.self);
  await db.transaction(async (trx) => {
    // Serializes two administrators who suspend each other: the second is no longer one.
    await lockId(db, trx, "administrators");
    const active = await activeAdmins(trx);
    if (!active.includes(by)) throw new Refused("forbidden", suspensionMessages.notYou);
    if (active.every((admin) => admin === id))
      throw new Refused("conflict", suspensionMessages.last);
    const suspended = await trx
      .updateTable("profiles")
      .set({ suspendedAt: clock.now(), suspendedReason: reason.trim().slice(0, longestReason) })
      .where("id", "=", id)
      .where("suspendedAt", "is", null)
      .returning("role")
      .executeTakeFirst();
    await trx.deleteFrom("sessions").where("userId", "=", id).execute();
    if (!suspended) return assertKnown(trx, id);
    await recordAudit(trx, { actor, clock }, { action: "account.suspended", personId: id });
    if (suspended.role === "admin") await endAdminInvitations(trx, { actor, clock });
  });
}

/** Ends a suspension. Idempotent. */
export async function unsuspend({ db, clock, actor }: Services, id: string): Promise<void> {
  await db.transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("profiles")
      .set({ suspendedAt: null, suspendedReason: null })
      .where("id", "=", id)
      .where("suspendedAt", "is not", null)
      .executeTakeFirst();
    if (numUpdatedRows)
      return recordAudit(trx, { actor, clock }, { action: "account.let-in", personId: id });
    await assertKnown(trx, id);
  });
}

async function activeAdmins(trx: Query): Promise<string[]> {
  const rows = await trx
    .selectFrom("profiles")
    .select("id")
    .where("role", "=", "admin")
    .where("suspendedAt", "is", null)
    .where("deletionDueAt", "is", null)
    .execute();
  return rows.map(({ id }) => id);
}

async function assertKnown(trx: Query, id: string): Promise<void> {
  const row = await trx.selectFrom("profiles").select("id").where("id", "=", id).executeTakeFirst();
  if (!row) throw new Refused("not_found", suspensionMessages.gone);
}
