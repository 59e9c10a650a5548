import { redirectDocument } from "react-router";
import { z } from "zod";
import { reauthenticate } from "~/features/auth/reauthentication.server.ts";
import type { FieldError } from "~/features/auth/schema.ts";
import { findEmailRecipient } from "~/features/auth/users.server.ts";
import { readLinkToken, signToken } from "~/platform/crypto/signed-token.ts";
import type { Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import { findUnwiped, noteDeletion, noteWiped, wipeDeleted } from "~/platform/db/wipe.ts";
import { sendEmail } from "~/platform/email/render.ts";
import { sessionContext } from "~/platform/http/context.ts";
import { isFromScript } from "~/platform/http/flash.ts";
import type { Services } from "~/platform/http/services.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { dayInWords, knownZone, namedUtc } from "~/platform/time/words.ts";
import { AccountDeleted, DeletionScheduled } from "./emails/account-deletion.tsx";

import {
  cancelDeletionPath,
  deletionMessages,
  deletionPendingPath,
  pathsOpenWhileDeleting,
} from "./messages.ts";

const weekMs = 7 * 24 * 3600_000;

export const deletionDueAt = (now: Date): Date => new Date(now.getTime() + weekMs);

type Context = { get<T>(context: { defaultValue?: T }): T };

/** Runs before every page. @throws a redirect for users who must first decide on their deletion */
export function redirectWhileDeleting(context: Context, request: Request): void {
  // Form posts pass: their actions see no viewer and return the input to the form.
  if (!context.get(sessionContext).pendingDeletion || request.method !== "GET") return;
  const { pathname } = new URL(request.url);
  if (isFromScript(request) || pathsOpenWhileDeleting.includes(pathname)) return;
  throw redirectDocument(deletionPendingPath);
}

// A purpose of its own, so that tokens of other links do not work here.
const keeping = "keep account";

export type DeletionToCancel = { userId: string; dueAt: Date };

/** Links to canceling a deletion; valid until the account is deleted or the deletion canceled. */
export function cancelDeletionUrl(
  { config }: Pick<Services, "config">,
  { userId, dueAt }: DeletionToCancel,
): string {
  const token = signToken(config.authSecret, keeping, `${userId}.${dueAt.getTime()}`);
  return `${config.appUrl}${cancelDeletionPath}?token=${token}`;
}

/** The content of a token; null when it is not ours. */
export function readCancelDeletionToken(
  services: Services,
  token: string,
): DeletionToCancel | null {
  const [userId, due] = readLinkToken(services, keeping, token)?.split(".") ?? [];
  return userId && due ? { userId, dueAt: new Date(Number(due)) } : null;
}

/** The day of deletion for an emailed link; null when there is nothing to cancel. */
export async function findDeletionToCancel(
  services: Services,
  token: string,
): Promise<string | null> {
  const asked = readCancelDeletionToken(services, token);
  const owner = asked && (await findEmailRecipient(services, asked.userId));
  if (!owner?.deletionDueAt || owner.deletionDueAt.getTime() !== asked?.dueAt.getTime())
    return null;
  return deletionDay(services, owner.deletionDueAt, owner.timeZone);
}

export function deletionDay(
  { clock }: Pick<Services, "clock">,
  date: Date,
  timeZone: string | null,
) {
  const zone = knownZone(timeZone, "UTC");
  return namedUtc(dayInWords(date, clock.now(), zone), zone);
}

export const deletionScheduledEmail = defineJob({
  kind: "accounts.deletion-scheduled",
  label: "The account will be deleted",
  ignoresSuppression: true,
  instead: "When they sign in, they are asked whether to keep their account.",
  priority: "urgent",
  payload: z.object({ userId: z.string(), dueAt: z.iso.datetime() }),
  async run(services, { userId, dueAt }, { id }) {
    const owner = await findEmailRecipient(services, userId);
    const due = new Date(dueAt);
    // The deletion was canceled, or canceled and scheduled again.
    if (owner?.deletionDueAt?.getTime() !== due.getTime()) return;
    const link = cancelDeletionUrl(services, { userId, dueAt: due });
    const day = deletionDay(services, due, owner.timeZone);
    const to = { name: owner.name, address: owner.email };
    const subject = "Your account will be deleted";
    await sendEmail(services, { id, to, subject }, DeletionScheduled, { day, link });
  },
});

/** The last email; once it is sent, the site no longer knows the address. */
export const accountDeletedEmail = defineJob({
  kind: "accounts.deleted",
  label: "The account is deleted",
  ignoresSuppression: true,
  recorded: false,
  payload: z.object({ name: z.string(), email: z.string() }),
  async run(services, { name, email }, { id }) {
    const message = { id, to: { name, address: email }, subject: "Your account is deleted" };
    await sendEmail(services, message, AccountDeleted, {});
    // The email may have been retried for longer than the time until the next wipe.
    await noteDeletion(services.db.write, services.clock.now());
  },
});

// A little less than a day, since the hourly task does not run at exact times.
const wipeEveryMs = 24 * 3600_000 - 600_000;

/** Wipes deleted names and addresses from the bytes of the database files. Runs before accounts are
 * deleted, so that their last emails have an hour to be sent. */
export const eraseDeletedAccounts: RegularTask = {
  name: "accounts.wipe",
  async run(services) {
    const { db, clock } = services;
    // PostgreSQL would have to lock out all users (docs/decisions/015).
    if (db.engine === "postgres") return;
    const noted = await findUnwiped(services, new Date(clock.now().getTime() - wipeEveryMs));
    if (noted && (await wipeDeleted(db))) await noteWiped(services, noted);
  },
};

const most = 500;

/** Reauthenticates and schedules the deletion. @returns its day in the reader's time zone */
export async function submitDeletionForm(
  services: Services,
  own: { userId: string; sessionId: string; timeZone: string },
  fields: Record<string, string | undefined>,
): Promise<{ day: string } | { fieldError: FieldError }> {
  const fieldError = await reauthenticate(services, { ...own, fields });
  if (fieldError) return { fieldError };
  if (!(await scheduleDeletion(services, own.userId)))
    return { fieldError: { field: "role", message: deletionMessages.lastAdministrator } };
  const owner = await findEmailRecipient(services, own.userId);
  const dueAt = owner?.deletionDueAt ?? deletionDueAt(services.clock.now());
  return { day: deletionDay(services, dueAt, own.timeZone) };
}

/** Schedules an account's deletion in a week and ends its sessions; until then it cannot be used.
 * Idempotent. @returns false for the last administrator, whose account cannot be deleted */
export async function scheduleDeletion(services: Services, userId: string): Promise<boolean> {
  const { db, clock } = services;
  const now = clock.now();
  const dueAt = deletionDueAt(now);
  const isGoing = await db.transaction(async (trx) => {
    // The lock of suspensions too, or two administrators could go at once, counting on each other.
    await lockId(db, trx, "administrators");
    if (await isLastAdministrator(trx, userId)) return false;
    const { numUpdatedRows } = await trx
      .updateTable("profiles")
      .set({ deletionDueAt: dueAt })
      .where("id", "=", userId)
      .where("deletionDueAt", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return true;
    await trx.deleteFrom("sessions").where("userId", "=", userId).execute();
    await trx.deleteFrom("emailChanges").where("userId", "=", userId).execute();
    await enqueue(
      trx,
      deletionScheduledEmail,
      { userId, dueAt: dueAt.toISOString() },
      { now, to: { userId }, worksUntil: dueAt },
    );
    return true;
  });
  services.wakeWorker();
  return isGoing;
}

async function isLastAdministrator(db: Query, userId: string): Promise<boolean> {
  const own = await db.selectFrom("profiles").select("role").where("id", "=", userId).execute();
  if (own[0]?.role !== "admin") return false;
  const other = await db
    .selectFrom("profiles")
    .select("id")
    .where("role", "=", "admin")
    .where("id", "!=", userId)
    .where("deletionDueAt", "is", null)
    .where("suspendedAt", "is", null)
    .executeTakeFirst();
  return other === undefined;
}

/** @returns whether a deletion was scheduled */
export async function cancelDeletion({ db }: Services, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await db.write
    .updateTable("profiles")
    .set({ deletionDueAt: null })
    .where("id", "=", userId)
    .where("deletionDueAt", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Cancels a deletion with its emailed link; the link of another deletion does nothing. */
export async function cancelDeletionByLink(services: Services, token: string): Promise<boolean> {
  const asked = readCancelDeletionToken(services, token);
  if (!asked) return false;
  const { numUpdatedRows } = await services.db.write
    .updateTable("profiles")
    .set({ deletionDueAt: null })
    .where("id", "=", asked.userId)
    .where("deletionDueAt", "=", asked.dueAt)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes the accounts that are due. Each deletion is atomic and happens once, on any machine. */
export const deleteAccounts: RegularTask = {
  name: "accounts.delete",
  async run(services) {
    const { db, clock } = services;
    const due = await db.read
      .selectFrom("profiles")
      .select("id")
      .where("deletionDueAt", "<=", clock.now())
      .orderBy("deletionDueAt")
      .limit(most)
      .execute();
    const failures: unknown[] = [];
    for (const { id } of due)
      await deleteAccount(services, id).catch((error: unknown) => failures.push(error));
    if (due.length > 0) services.wakeWorker();
    // Retried in an hour; one failure does not block the other accounts.
    if (failures.length > 0) throw new AggregateError(failures, "accounts were not deleted");
  },
};

// Foreign keys cascade to the user's data; rows that refer to their address are deleted here.
// Payments stay, without the user. The newsletter is separate: it needs no account.
async function deleteAccount({ db, clock }: Services, userId: string): Promise<void> {
  const now = clock.now();
  await db.transaction(async (trx) => {
    const gone = await trx
      .deleteFrom("profiles")
      .where("id", "=", userId)
      .where("deletionDueAt", "<=", now)
      .returning(["name", "email"])
      .executeTakeFirst();
    if (!gone) return;
    const { name, email } = gone;
    await trx.deleteFrom("verifications").where("value", "like", `%${userId}%`).execute();
    // Invitations of administrators have the address as their value.
    await trx.deleteFrom("verifications").where("value", "=", email).execute();
    await trx.deleteFrom("invitations").where("email", "=", email).execute();
    await trx
      .deleteFrom("outbox")
      .where("address", "=", email)
      .where("kind", "not like", "newsletter.%")
      .execute();
    // Rows of other users that name this person as the administrator.
    await trx
      .updateTable("invitations")
      .set({ invitedBy: "deleted" })
      .where("invitedBy", "=", userId)
      .execute();
    await trx
      .updateTable("formerEnrollments")
      .set({ removedBy: "deleted" })
      .where("removedBy", "=", userId)
      .execute();
    await noteDeletion(trx, now);
    await enqueue(trx, accountDeletedEmail, { name, email }, { now, to: { address: email } });
  });
}
