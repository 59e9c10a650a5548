import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { authMessages } from "~/features/auth/messages.ts";
import { newPasswordError } from "~/features/auth/passwords.server.ts";
import { emailField, type FieldError, signUpFields } from "~/features/auth/schema.ts";
import { signIn } from "~/features/auth/sign-in.server.ts";
import { createUserForMailbox, findProfile } from "~/features/auth/users.server.ts";
import type { Caller } from "~/platform/auth/call.ts";
import { HashQueueFull, inHashQueue } from "~/platform/auth/hash-queue.ts";
import type { CurrentUser } from "~/platform/auth/session.ts";
import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { lockId } from "~/platform/db/locks.ts";
import { withinLimit, withinPlace } from "~/platform/db/rate-limit.ts";
import { sendEmail } from "~/platform/email/render.ts";
import type { Services } from "~/platform/http/services.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { alertAdmins, assertActiveAdmin, invitationPrefix } from "./administrators.server.ts";
import { AdminInvitation } from "./emails/admin-invitation.tsx";
import { adminInvitationPath, administratorMessages } from "./messages.ts";

const worksMs = 3 * 24 * 3600_000;

const digest = (token: string) =>
  invitationPrefix + createHash("sha256").update(token).digest("hex");

const invitations = (db: Query, now: Date) =>
  db
    .selectFrom("verifications")
    .select(["id", "value as email", "expiresAt"])
    .where("identifier", "like", `${invitationPrefix}%`)
    .where("expiresAt", ">", now);

/** Invitations that were neither accepted nor withdrawn, and have not expired. */
export const listAdminInvitations = ({ db, clock }: Services) =>
  invitations(db.read, clock.now()).orderBy("createdAt").orderBy("id").limit(100).execute();

/** The invitation of a link; null when it was used, withdrawn or replaced, or has expired. */
export async function findAdminInvitation({ db, clock }: Services, token: string) {
  const found = await invitations(db.write, clock.now())
    .where("identifier", "=", digest(token))
    .executeTakeFirst();
  return found ?? null;
}

/** The email with the link; nothing is sent once that works no more. */
export const adminInvitationEmail = defineJob({
  kind: "accounts.admin-invitation",
  label: "Invitation of an administrator",
  instead: "Invite them again: Settings, Administrators.",
  priority: "urgent",
  payload: z.object({ email: z.string(), token: z.string() }),
  async run(services, { email, token }, { id }) {
    const found = await findAdminInvitation(services, token);
    if (!found) return;
    const link = `${services.config.appUrl}${adminInvitationPath}?token=${token}`;
    const to = { name: null, address: email };
    const subject = "An invitation to look after the site";
    await sendEmail(services, { id, to, subject }, AdminInvitation, { link });
  },
});

/** Invites an address by email; an earlier invitation of it stops working. The caller has been
 * reauthenticated. @returns a field error, or null @throws {Refused} forbidden for a caller who is
 * no administrator now */
export async function inviteAdministrator(
  services: Services,
  { typed, by }: { typed: string | undefined; by: { id: string } },
): Promise<FieldError | null> {
  const { db, clock } = services;
  const parsed = emailField.safeParse({ email: typed });
  const field = "email";
  if (!parsed.success) return { field, message: parsed.error.issues[0]?.message ?? "" };
  const email = parsed.data.email.toLowerCase();
  const profile = await findProfile(services, email);
  if (profile?.role === "admin") return { field, message: administratorMessages.already };
  const limit = { what: "admin-invitations", whose: by.id, max: 10, windowSeconds: 3600 };
  if (!(await withinLimit(services, limit)))
    return { field, message: administratorMessages.tooMany };
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + worksMs);
  const token = randomBytes(24).toString("base64url");
  await db.transaction(async (trx) => {
    await lockId(db, trx, "administrators");
    await assertActiveAdmin(trx, by.id);
    await invitationsOf(trx, email).execute();
    const row = { id: newId(), identifier: digest(token), value: email, expiresAt };
    await trx
      .insertInto("verifications")
      .values({ ...row, createdAt: now, updatedAt: now })
      .execute();
    const audit = { action: "account.admin-invited", personId: profile?.id ?? null } as const;
    await recordAudit(trx, services, audit);
    const writing = { now, to: { address: email }, worksUntil: expiresAt };
    await enqueue(trx, adminInvitationEmail, { email, token }, writing);
    await alertAdmins(trx, services, { change: "admin-invited", name: null });
  });
  services.wakeWorker();
  return null;
}

const invitationsOf = (trx: Query, email: string) =>
  trx
    .deleteFrom("verifications")
    .where("identifier", "like", `${invitationPrefix}%`)
    .where("value", "=", email);

export async function withdrawAdminInvitation(services: Services, id: string): Promise<void> {
  await services.db.transaction(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom("verifications")
      .where("identifier", "like", `${invitationPrefix}%`)
      .where("id", "=", id)
      .executeTakeFirst();
    if (numDeletedRows > 0n)
      await recordAudit(trx, services, { action: "account.admin-invitation-withdrawn" });
  });
}

type Accepting = {
  token: string;
  viewer: CurrentUser | null;
  fields: { name?: string | undefined; password?: string | undefined };
};

/** `null`: nothing was done; the page says why when it is read again. */
type Accepted = { setCookies: string[]; isSignedIn: boolean } | { fieldError: FieldError } | null;

/** Accepts an invitation. Its token proves access to the mailbox, so it creates the account with
 * this name and password. The owner of a confirmed account must be signed in. Works once. */
export async function acceptAdminInvitation(
  services: Services,
  caller: Caller,
  { token, viewer, fields }: Accepting,
): Promise<Accepted> {
  const limit = { what: "invitation", max: 10, windowSeconds: 60 };
  if (!(await withinPlace(services, limit, caller.address)))
    return { fieldError: { field: "", message: authMessages.tooMany } };
  const found = await findAdminInvitation(services, token);
  if (!found) return null;
  const { email } = found;
  if (viewer) {
    const isDone = viewer.email === email && (await claim(services, { token, userId: viewer.id }));
    return isDone ? { setCookies: [], isSignedIn: true } : null;
  }
  if ((await findProfile(services, email))?.emailVerified) return null;
  const parsed = signUpFields.safeParse({ ...fields, email });
  const fieldError = await newPasswordError(services, parsed, { email });
  if (!parsed.success || fieldError)
    return { fieldError: fieldError ?? { field: "", message: "" } };
  try {
    const userId = await inHashQueue(() => createUserForMailbox(services, parsed.data));
    if (!userId || !(await claim(services, { token, userId }))) return null;
  } catch (error) {
    if (!(error instanceof HashQueueFull)) throw error;
    return { fieldError: { field: "", message: error.message } };
  }
  const { password } = parsed.data;
  const entered = await signIn(services, caller, { email, password, destination: "/admin" });
  const setCookies = entered.ok ? entered.setCookies : [];
  return { setCookies, isSignedIn: entered.ok };
}

// Uses the token and makes the administrator, in one transaction. @returns false when it is gone
async function claim(
  { db, clock, wakeWorker }: Services,
  { token, userId }: { token: string; userId: string },
): Promise<boolean> {
  const now = clock.now();
  const isDone = await db.transaction(async (trx) => {
    await lockId(db, trx, "administrators");
    const used = await invitations(trx, now)
      .where("identifier", "=", digest(token))
      .executeTakeFirst();
    const actor =
      used &&
      (await trx
        .selectFrom("profiles")
        .select(["id", "name"])
        .where("id", "=", userId)
        .where("email", "=", used.email)
        .where("emailVerified", "=", true)
        .executeTakeFirst());
    if (!used || !actor) return false;
    // Before the change: the new administrator needs no alert.
    await alertAdmins(trx, { clock }, { change: "admin-added", name: actor.name });
    await trx.deleteFrom("verifications").where("id", "=", used.id).execute();
    await trx
      .updateTable("profiles")
      .set({ role: "admin", updatedAt: now })
      .where("id", "=", userId)
      .execute();
    const audit = { action: "account.admin-accepted", personId: userId } as const;
    await recordAudit(trx, { actor, clock }, audit);
    return true;
  });
  if (isDone) wakeWorker();
  return isDone;
}
