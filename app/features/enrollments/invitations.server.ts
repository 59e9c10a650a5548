import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import type { AuditAction } from "~/features/audit-log/messages.ts";
import { findProfile } from "~/features/auth/users.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { keysetPage, type ListPage } from "~/platform/db/keyset.ts";
import { withinLimit } from "~/platform/db/rate-limit.ts";
import { EmailRefused } from "~/platform/email/mail.ts";
import { greetingOf, receiver } from "~/platform/email/message.ts";
import { renderEmail } from "~/platform/email/render.ts";
import type { Services } from "~/platform/http/services.ts";
import { defineJob, Expired } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { Invitation } from "./emails/invitation.tsx";
import { enrollPerson } from "./manual-enrollments.server.ts";
import { enrollmentMessages, invitationMessages, invitationPath } from "./messages.ts";
import { expiryOf, invitationState, sentAtOf } from "./rules.ts";
import type { Enrolled, FoundInvitation, PendingInvitation } from "./schema.ts";

/** Only the hash of an email's token is stored. */
export function invitationDigest(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Invitations that were not accepted yet, newest first; expired ones can be sent again. */
export async function listPendingInvitations(
  { db, clock }: Services,
  page: { cursor: string | null; limit: number },
): Promise<ListPage<PendingInvitation>> {
  const now = clock.now();
  const query = waiting(db.read)
    .select(["invitations.id", "invitations.email", "invitations.name"])
    .select(["invitations.expiresAt", "invitations.emailRefusedAt"])
    .select(["invitations.createdAt as sortValue", "products.title as course"]);
  const order = {
    column: "invitations.createdAt",
    id: "invitations.id",
    direction: "desc",
    kind: "time",
  } as const;
  const { rows, ...rest } = await keysetPage(query, order, page);
  return {
    ...rest,
    rows: rows.map(({ sortValue: _, emailRefusedAt, ...row }) => ({
      ...row,
      sentAt: sentAtOf(row.expiresAt),
      isExpired: row.expiresAt <= now,
      isRefused: emailRefusedAt !== null,
    })),
  };
}

export async function hasPendingInvitations({ db }: Services): Promise<boolean> {
  const row = await waiting(db.read).select("invitations.id").limit(1).executeTakeFirst();
  return row !== undefined;
}

function waiting(db: Query) {
  return db
    .selectFrom("invitations")
    .innerJoin("products", "products.id", "invitations.productId")
    .where("invitations.acceptedAt", "is", null)
    .where("invitations.withdrawnAt", "is", null)
    .where("products.deletedAt", "is", null);
}

/** The invitation email. Nothing is sent if the invitation was withdrawn, accepted or sent again
 * meanwhile. An address that its mail server rejects is shown to the coach. */
export const invitationEmail = defineJob({
  kind: "enrollments.invitation",
  label: "Invitation to a course",
  instead: "Send the invitation again: Enrollments, Invite by email.",
  payload: z.object({ id: z.string(), token: z.string() }),
  async run({ db, mail, clock, config }, payload, { id }) {
    const invitation = await db.read
      .selectFrom("invitations")
      .innerJoin("products", "products.id", "invitations.productId")
      .select(["invitations.email", "invitations.name", "invitations.expiresAt"])
      .select("products.title as course")
      .where("invitations.id", "=", payload.id)
      .where("invitations.tokenHash", "=", invitationDigest(payload.token))
      .where("invitations.acceptedAt", "is", null)
      .where("invitations.withdrawnAt", "is", null)
      .where("products.deletedAt", "is", null)
      .executeTakeFirst();
    if (!invitation) return;
    const { email, name, course, expiresAt } = invitation;
    if (expiresAt <= clock.now()) throw new Expired();
    const link = `${config.appUrl}${invitationPath}?token=${payload.token}`;
    const body = await renderEmail(Invitation({ greeting: greetingOf(name), course, link }));
    const to = receiver(name, email);
    try {
      await mail.send({ id, to, subject: `An invitation to “${course}”`, ...body });
    } catch (error) {
      if (error instanceof EmailRefused)
        await db.write
          .updateTable("invitations")
          .set({ emailRefusedAt: clock.now() })
          .where("id", "=", payload.id)
          .execute();
      throw error;
    }
  },
});

type Invitee = { email: string; name: string | null; productId: string };

/** Per administrator, so that a stolen account cannot send emails without end. */
const emailsPerHour = 100;

const pressMs = 60_000;

function newToken() {
  const token = randomBytes(24).toString("base64url");
  return { token, tokenHash: invitationDigest(token) };
}

/** Invites an address to a course by email. There is one invitation for each address and course: a
 * second one sends the first again. A confirmed account is enrolled at once instead.
 * @returns the enrollment, or null when an email is sent
 * @throws {Refused} for an inactive or deleted course, or too many emails */
export async function inviteStudent(
  services: Services,
  { email, name, productId, invitedBy }: Invitee & { invitedBy: string },
): Promise<Enrolled | null> {
  const profile = await findProfile(services, email);
  if (profile?.emailVerified) return enrollPerson(services, { ...profile, productId });
  await assertActive(services.db.read, productId);
  await countEmail(services, invitedBy);
  const now = services.clock.now();
  const { token, tokenHash } = newToken();
  const id = newId();
  await services.db.transaction(async (trx) => {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("invitations")
      .values({
        id,
        email,
        name,
        productId,
        tokenHash,
        invitedBy,
        createdAt: now,
        expiresAt: expiryOf(now),
      })
      .onConflict((conflict) =>
        conflict
          .columns(["email", "productId"])
          .where("acceptedAt", "is", null)
          .where("withdrawnAt", "is", null)
          .doNothing(),
      )
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows) {
      await auditInvitation(trx, services, { action: "invitation.sent", id });
      return writeEmail(trx, { id, token, email }, now);
    }
    const waiting = await trx
      .updateTable("invitations")
      // Without another name it is written as it is: what counts is that it waits.
      .set(name ? { name } : { email })
      .where("email", "=", email)
      .where("productId", "=", productId)
      .where("acceptedAt", "is", null)
      .where("withdrawnAt", "is", null)
      .returning("id")
      .executeTakeFirst();
    return waiting && renew(trx, services, waiting.id);
  });
  services.wakeWorker();
  return null;
}

/** Sends an invitation again with a new link; the earlier link stops working.
 * @throws {Refused} not_found unless the invitation is open */
export async function resendInvitation(
  services: Services,
  { id, sentBy }: { id: string; sentBy: string },
): Promise<void> {
  const waiting = await services.db.read
    .selectFrom("invitations")
    .select("productId")
    .where("id", "=", id)
    .where("acceptedAt", "is", null)
    .where("withdrawnAt", "is", null)
    .executeTakeFirst();
  if (!waiting) throw new Refused("not_found", invitationMessages.notWaiting);
  await assertActive(services.db.read, waiting.productId);
  await countEmail(services, sentBy);
  await services.db.transaction((trx) => renew(trx, services, id));
  services.wakeWorker();
}

async function renew(trx: Query, services: Services, id: string): Promise<void> {
  const now = services.clock.now();
  const { token, tokenHash } = newToken();
  const renewed = await trx
    .updateTable("invitations")
    .set({ tokenHash, expiresAt: expiryOf(now), emailRefusedAt: null })
    .where("id", "=", id)
    .where("acceptedAt", "is", null)
    .where("withdrawnAt", "is", null)
    .where("expiresAt", "<", expiryOf(new Date(now.getTime() - pressMs)))
    .returning("email")
    .executeTakeFirst();
  if (!renewed) return;
  await auditInvitation(trx, services, { action: "invitation.sent-again", id });
  await writeEmail(trx, { id, token, ...renewed }, now);
}

async function auditInvitation(
  trx: Query,
  services: Services,
  { action, id }: { action: AuditAction; id: string },
): Promise<void> {
  const { title } = await trx
    .selectFrom("invitations")
    .innerJoin("products", "products.id", "invitations.productId")
    .select("products.title")
    .where("invitations.id", "=", id)
    .executeTakeFirstOrThrow();
  await recordAudit(trx, services, { action, id, label: title });
}

function writeEmail(
  trx: Query,
  { id, token, email }: { id: string; token: string; email: string },
  now: Date,
): Promise<string> {
  const writing = { now, to: { address: email }, worksUntil: expiryOf(now) };
  return enqueue(trx, invitationEmail, { id, token }, writing);
}

/** Withdraws an invitation: its link stops working. Idempotent.
 * @throws {Refused} not_found when it was accepted */
export async function withdrawInvitation(services: Services, id: string): Promise<void> {
  const { db, clock } = services;
  const isThere = await db.transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("invitations")
      .set({ withdrawnAt: clock.now() })
      .where("id", "=", id)
      .where("acceptedAt", "is", null)
      .where("withdrawnAt", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows) {
      await auditInvitation(trx, services, { action: "invitation.withdrawn", id });
      return true;
    }
    const known = await trx
      .selectFrom("invitations")
      .select("id")
      .where("id", "=", id)
      .where("acceptedAt", "is", null)
      .executeTakeFirst();
    return known !== undefined;
  });
  if (!isThere) throw new Refused("not_found", invitationMessages.notWaiting);
}

async function assertActive(db: Query, productId: string): Promise<void> {
  const course = await db
    .selectFrom("products")
    .select("active")
    .where("id", "=", productId)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  if (!course) throw new Refused("not_found", enrollmentMessages.noSuchCourse);
  if (!course.active) throw new Refused("invalid", enrollmentMessages.onlyActive);
}

async function countEmail(services: Services, whose: string): Promise<void> {
  const limit = { what: "invitations", whose, max: emailsPerHour, windowSeconds: 3600 };
  if (!(await withinLimit(services, limit)))
    throw new Refused("rate_limited", invitationMessages.tooMany);
}

const keptMs = 90 * 24 * 3600_000;

/** Deletes the addresses of invitations that were never accepted. */
export const deleteOldInvitations: RegularTask = {
  name: "invitations.forget",
  async run({ db, clock }) {
    const before = new Date(clock.now().getTime() - keptMs);
    await db.write.deleteFrom("invitations").where("expiresAt", "<", before).execute();
  },
};

/** Reads only: mail programs open links, too. */
export async function findInvitation(services: Services, token: string): Promise<FoundInvitation> {
  const { db, clock } = services;
  const row = await db.read
    .selectFrom("invitations")
    .innerJoin("products", "products.id", "invitations.productId")
    .select(["invitations.id", "invitations.email", "invitations.name", "invitations.productId"])
    .select(["invitations.acceptedAt", "invitations.withdrawnAt", "invitations.expiresAt"])
    .select(["products.title as course", "products.slug", "products.active", "products.deletedAt"])
    .where("invitations.tokenHash", "=", invitationDigest(token))
    .executeTakeFirst();
  if (!row) return { state: "unknown" };
  const { id, email, name, productId, course, slug } = row;
  const state = invitationState(row, clock.now());
  if (state === "used") return { state, email, slug };
  if (state !== "open") return { state };
  if (row.deletedAt) return { state: "gone" };
  if (!row.active) return { state: "closed" };
  const profile = await findProfile(services, email);
  const hasAccount = profile?.emailVerified ?? false;
  return { state, invitation: { id, email, name, productId, course, slug, hasAccount } };
}
