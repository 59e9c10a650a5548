import type { Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import { noteDeletion } from "~/platform/db/wiped.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import type { Services } from "~/platform/services.ts";
import { proveOwner } from "../owner/commands.server.ts";
import type { Complaint } from "../settings/commands.server.ts";
import { deletedMail, leavingMail } from "./jobs.server.ts";
import { type Keeping, readKeepToken } from "./queries.server.ts";
import { dueAfter } from "./rules.ts";
import { leavingWords } from "./texts.ts";

/** How many accounts are deleted in a round of the regular task at most. */
const most = 500;

type Own = { userId: string; sessionId: string };

/** The form of the page: she shows that it is she. @returns what is wrong, or null */
export async function askFromForm(
  services: Services,
  own: Own,
  fields: Record<string, string | undefined>,
): Promise<Complaint | null> {
  const complaint = await proveOwner(services, { ...own, fields });
  if (complaint) return complaint;
  if (await askToLeave(services, own.userId)) return null;
  return { field: "role", message: leavingWords.lastAdministrator };
}

/**
 * Somebody wants her account deleted: in a week it is. Until then it stands still, and all her
 * sessions have ended. Twice is once.
 * @returns false for the last administrator, who cannot go
 */
export async function askToLeave(services: Services, userId: string): Promise<boolean> {
  const { db, clock } = services;
  const now = clock.now();
  const dueAt = dueAfter(now);
  const isGoing = await db.transaction(async (trx) => {
    // Two administrators who leave at once would each take the other for the one who stays.
    await lockId(db, trx, "administrators who leave");
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
      leavingMail,
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

/** She has changed her mind: everything is as it was. @returns whether there was anything to keep */
export async function keepAccount({ db }: Services, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await db.write
    .updateTable("profiles")
    .set({ deletionDueAt: null })
    .where("id", "=", userId)
    .where("deletionDueAt", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The same with the link of the letter; that of another deletion keeps nothing. */
export async function keepByLetter(services: Services, token: string): Promise<boolean> {
  const asked: Keeping | null = readKeepToken(services, token);
  if (!asked) return false;
  const { numUpdatedRows } = await services.db.write
    .updateTable("profiles")
    .set({ deletionDueAt: null })
    .where("id", "=", asked.userId)
    .where("deletionDueAt", "=", asked.dueAt)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes the accounts whose week is over. Each goes whole or not at all, and once, on any machine. */
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
    // They are tried again in an hour; one that cannot go holds nobody else back.
    if (failures.length > 0) throw new AggregateError(failures, "accounts were not deleted");
  },
};

/**
 * The account, and by the database's own rules all that is hers; beside it what names her by her
 * address. Payments stay, without her. The newsletter is another matter: nobody needs an account for it.
 */
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
    await trx.deleteFrom("invitations").where("email", "=", email).execute();
    await trx
      .deleteFrom("outbox")
      .where("address", "=", email)
      .where("kind", "not like", "newsletter.%")
      .execute();
    // What the person did as an administrator to others' rows.
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
    await enqueue(trx, deletedMail, { name, email }, { now, to: { address: email } });
  });
}
