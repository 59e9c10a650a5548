import { createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { findProfile } from "~/features/auth/users.server.ts";
import { isAny, type Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { keysetPage } from "~/platform/db/keyset.ts";
import { withinLimit } from "~/platform/db/rate-limit.ts";
import { EmailRefused } from "~/platform/email/mail.ts";
import { sendEmail } from "~/platform/email/render.ts";
import type { Services } from "~/platform/http/services.ts";
import { defineJob, Expired } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { Invitation } from "./emails/enrollments.tsx";
import { requireCourse } from "./enrollments.server.ts";
import { enrollPerson } from "./manual-enrollments.server.ts";
import { invitationMessages, invitationPath } from "./messages.ts";
import { expiryOf, invitationState, sentAtOf } from "./rules.ts";
import type { Enrolled, FoundInvitation } from "./schema.ts";

/** Only the hash of an email's token is stored. */
export function invitationDigest(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

export const isWaiting = sql<boolean>`accepted_at is null and withdrawn_at is null`;

/** Invitations that were not accepted yet, newest first; expired ones can be sent again. */
export async function listPendingInvitations(
  { db, clock }: Services,
  page: { cursor: string | null; limit: number },
) {
  const now = clock.now();
  const query = waiting(db.read)
    .select(["invitations.id", "invitations.email", "invitations.name"])
    .select(["invitations.expiresAt", "invitations.emailRefusedAt"])
    .select(["invitations.createdAt as sortValue", "products.title as course"]);
  const order = { column: "invitations.createdAt", id: "invitations.id" };
  const { rows, ...rest } = await keysetPage(query, { ...order, direction: "desc" }, page);
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

export type PendingInvitation = Awaited<ReturnType<typeof listPendingInvitations>>["rows"][number];

export async function hasPendingInvitations({ db }: Services): Promise<boolean> {
  return isAny(waiting(db.read));
}

/** How many stop working within `ms` and were not accepted, up to `most`. */
export async function countExpiringInvitations(
  { db, clock }: Services,
  { ms, most }: { ms: number; most: number },
): Promise<number> {
  const now = clock.now();
  const rows = await waiting(db.read)
    .select("invitations.id")
    .where("invitations.expiresAt", ">", now)
    .where("invitations.expiresAt", "<=", new Date(now.getTime() + ms))
    .limit(most)
    .execute();
  return rows.length;
}

function waiting(db: Query) {
  return db
    .selectFrom("invitations")
    .innerJoin("products", "products.id", "invitations.productId")
    .where(isWaiting)
    .where("products.deletedAt", "is", null);
}

/** The invitation email. Nothing is sent if the invitation was withdrawn, accepted or sent again
 * meanwhile. An address that its mail server rejects is shown to the coach. */
export const invitationEmail = defineJob({
  kind: "enrollments.invitation",
  label: "Invitation to a course",
  instead: "Send the invitation again: Enrollments, Invite by email.",
  payload: z.object({ id: z.string(), token: z.string() }),
  async run(services, payload, { id }) {
    const { db, clock, config } = services;
    const invitation = await waiting(db.read)
      .select(["invitations.email", "invitations.name", "invitations.expiresAt"])
      .select("products.title as course")
      .where("invitations.id", "=", payload.id)
      .where("invitations.tokenHash", "=", invitationDigest(payload.token))
      .executeTakeFirst();
    if (!invitation) return;
    const { email, name, course, expiresAt } = invitation;
    if (expiresAt <= clock.now()) throw new Expired();
    const link = `${config.appUrl}${invitationPath}?token=${payload.token}`;
    const message = { id, to: { name, address: email }, subject: `An invitation to “${course}”` };
    try {
      await sendEmail(services, message, Invitation, { course, link });
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
  const { title } = await requireCourse(services.db.read, { productId, onlyActive: true });
  await countEmail(services, invitedBy);
  const now = services.clock.now();
  const { token, tokenHash } = newToken();
  const id = newId();
  await services.db.transaction(async (trx) => {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("invitations")
      .values({
        ...{ id, email, name, productId, tokenHash, invitedBy },
        createdAt: now,
        expiresAt: expiryOf(now),
      })
      .onConflict((conflict) =>
        conflict.columns(["email", "productId"]).where(isWaiting).doNothing(),
      )
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows) {
      await recordAudit(trx, services, { action: "invitation.sent", id, label: title });
      return writeEmail(trx, { id, token, email }, now);
    }
    const waiting = await trx
      .updateTable("invitations")
      // Without another name it is written as it is: what counts is that it waits.
      .set(name ? { name } : { email })
      .where("email", "=", email)
      .where("productId", "=", productId)
      .where(isWaiting)
      .returning("id")
      .executeTakeFirst();
    return waiting && renew(trx, services, { id: waiting.id, title });
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
  const invitation = await services.db.read
    .selectFrom("invitations")
    .select("productId")
    .where("id", "=", id)
    .where(isWaiting)
    .executeTakeFirst();
  if (!invitation) throw new Refused("not_found", invitationMessages.notWaiting);
  const { title } = await requireCourse(services.db.read, { ...invitation, onlyActive: true });
  await countEmail(services, sentBy);
  await services.db.transaction((trx) => renew(trx, services, { id, title }));
  services.wakeWorker();
}

async function renew(
  trx: Query,
  services: Services,
  { id, title }: Record<"id" | "title", string>,
) {
  const now = services.clock.now();
  const { token, tokenHash } = newToken();
  const renewed = await trx
    .updateTable("invitations")
    .set({ tokenHash, expiresAt: expiryOf(now), emailRefusedAt: null })
    .where("id", "=", id)
    .where(isWaiting)
    .where("expiresAt", "<", expiryOf(new Date(now.getTime() - pressMs)))
    .returning("email")
    .executeTakeFirst();
  if (!renewed) return;
  await recordAudit(trx, services, { action: "invitation.sent-again", id, label: title });
  await writeEmail(trx, { id, token, ...renewed }, now);
}

function writeEmail(
  trx: Query,
  { id, token, email }: Record<"id" | "token" | "email", string>,
  now: Date,
) {
  const writing = { now, to: { address: email }, worksUntil: expiryOf(now) };
  return enqueue(trx, invitationEmail, { id, token }, writing);
}

/** Withdraws an invitation: its link stops working. Idempotent.
 * @throws {Refused} not_found when it was accepted */
export async function withdrawInvitation(services: Services, id: string): Promise<void> {
  const { db, clock } = services;
  await db.transaction(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("invitations")
      .set({ withdrawnAt: clock.now() })
      .where("id", "=", id)
      .where(isWaiting)
      .executeTakeFirst();
    const invitation = await trx
      .selectFrom("invitations")
      .innerJoin("products", "products.id", "invitations.productId")
      .select("products.title")
      .where("invitations.id", "=", id)
      .where("invitations.acceptedAt", "is", null)
      .executeTakeFirst();
    if (!invitation) throw new Refused("not_found", invitationMessages.notWaiting);
    if (!numUpdatedRows) return;
    const done = { id, label: invitation.title };
    await recordAudit(trx, services, { action: "invitation.withdrawn", ...done });
  });
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
  const accountId = profile?.emailVerified ? profile.id : null;
  return { state, invitation: { id, email, name, productId, course, slug, accountId } };
}
