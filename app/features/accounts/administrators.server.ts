import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import type { SecurityAlertKind } from "~/features/auth/messages.ts";
import { sendSecurityAlert } from "~/features/auth/security-alerts.server.ts";
import { isAny, type Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import type { Services } from "~/platform/http/services.ts";
import type { Job } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { administratorMessages, suspensionMessages } from "./messages.ts";

const activeAdmins = (db: Query) =>
  db.selectFrom("profiles").where("role", "=", "admin").where("suspendedAt", "is", null);

/** Whom an email to an administrator goes to; null for one who is none any more or suspended. */
export async function findActiveAdmin(db: Query, userId: string) {
  const admin = await activeAdmins(db)
    .select(["name", "email as address", "timeZone"])
    .where("id", "=", userId)
    .executeTakeFirst();
  return admin ?? null;
}

/** Enqueues an email to every administrator, in the transaction of its cause: wake the worker
 * afterwards. Whether they want it is read when it is sent. */
export async function enqueueToAdmins<Payload>(
  trx: Query,
  job: Pick<Job<Payload & { userId: string }>, "kind">,
  payload: Payload,
  now: Date,
): Promise<void> {
  const admins = await activeAdmins(trx).select("id").orderBy("id").execute();
  for (const { id: userId } of admins)
    await enqueue(trx, job, { ...payload, userId }, { now, to: { userId } });
}

/** All administrators, the first one first; a suspended one has no access. */
export function listAdministrators({ db }: Services) {
  return db.read
    .selectFrom("profiles")
    .select(["id", "name", "email", "createdAt", "suspendedAt"])
    .where("role", "=", "admin")
    .orderBy("createdAt")
    .orderBy("id")
    .limit(mostShown)
    .execute();
}

const mostShown = 100;

/** Refuses who is no active administrator, or not any more: to be asked under the lock
 * `administrators`. @throws {Refused} forbidden */
export async function assertActiveAdmin(trx: Query, id: string): Promise<void> {
  const caller = activeAdmins(trx).where("id", "=", id).where("deletionDueAt", "is", null);
  if (!(await isAny(caller))) throw new Refused("forbidden", suspensionMessages.notYou);
}

/** Before the digest of the token, in a row of `verifications`; the address is its value. */
export const invitationPrefix = "admin-invitation:";

/** Ends all invitations, since the administrator who goes may have sent any of them, or have them
 * read: under the lock `administrators`. */
export async function endAdminInvitations(
  trx: Query,
  services: Pick<Services, "actor" | "clock">,
): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom("verifications")
    .where("identifier", "like", `${invitationPrefix}%`)
    .where("expiresAt", ">", services.clock.now())
    .executeTakeFirst();
  const details = { count: Number(numDeletedRows) };
  if (numDeletedRows > 0n)
    await recordAudit(trx, services, { action: "account.admin-invitation-withdrawn", details });
}

/** Makes an administrator a student again, ends all invitations and tells the others. Idempotent.
 * The caller stays, so one always remains. @throws {Refused} for oneself, or a caller who is no administrator now */
export async function removeAdministrator(
  { db, clock, actor }: Services,
  { id, by }: { id: string; by: string },
): Promise<void> {
  if (id === by) throw new Refused("forbidden", administratorMessages.self);
  await db.transaction(async (trx) => {
    // Serializes two administrators who remove each other: the second is no longer one.
    await lockId(db, trx, "administrators");
    await assertActiveAdmin(trx, by);
    const removed = await trx
      .updateTable("profiles")
      .set({ role: "student", updatedAt: clock.now() })
      .where("id", "=", id)
      .where("role", "=", "admin")
      .returning("name")
      .executeTakeFirst();
    if (!removed) return;
    await trx.deleteFrom("sessions").where("userId", "=", id).execute();
    const audit = { action: "account.admin-removed", personId: id } as const;
    await recordAudit(trx, { actor, clock }, audit);
    await endAdminInvitations(trx, { actor, clock });
    await alertAdmins(trx, { clock }, { change: "admin-removed", name: removed.name, also: id });
  });
}

type Alert = { change: SecurityAlertKind; name: string | null; also?: string };

/** A security alert to every active administrator, and to one `also`; wake the worker afterwards. */
export async function alertAdmins(
  trx: Query,
  services: Pick<Services, "clock">,
  { change, name, also }: Alert,
): Promise<void> {
  const admins = await activeAdmins(trx).select("id").orderBy("id").execute();
  const ids = new Set([...admins.map(({ id }) => id), ...(also ? [also] : [])]);
  for (const userId of ids) await sendSecurityAlert(services, trx, { userId, change, name });
}
