import { randomBytes } from "node:crypto";
import { audit } from "~/features/accounts/audit/commands.server.ts";
import type { AuditAction } from "~/features/accounts/audit/texts.ts";
import { findProfile } from "~/features/accounts/queries.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { newId } from "~/platform/db/ids.ts";
import { Refused } from "~/platform/http/errors.ts";
import { withinLimit } from "~/platform/http/rate-limit.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import type { Services } from "~/platform/services.ts";
import { enrollPerson } from "../roster/commands.server.ts";
import type { Enrolled } from "../roster/schema.ts";
import { messages as enrollmentMessages } from "../texts.ts";
import { invitationLetter } from "./jobs.server.ts";
import { digestOf } from "./queries.server.ts";
import { expiryOf } from "./rules.ts";
import { messages } from "./texts.ts";

type Invitee = { email: string; name: string | null; productId: string };

/** Letters of one administrator: an account in the wrong hands is no machine for sending mail. */
const lettersAnHour = 100;

/** A second press within this time is the same press. */
const pressMs = 60_000;

function newToken() {
  const token = randomBytes(24).toString("base64url");
  return { token, tokenHash: digestOf(token) };
}

/**
 * Asks somebody into a course by letter. One invitation waits for an address and a course: a
 * second one sends the first again. Whoever has a confirmed account is enrolled instead, at once.
 * @returns the enrollment, or null when a letter is on its way
 * @throws {Refused} for a course that is inactive or gone, or too many letters
 */
export async function invite(
  services: Services,
  { email, name, productId, invitedBy }: Invitee & { invitedBy: string },
): Promise<Enrolled | null> {
  const profile = await findProfile(services, email);
  if (profile?.emailVerified) return enrollPerson(services, { ...profile, productId });
  await assertActive(services.db.read, productId);
  await countLetter(services, invitedBy);
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
      return writeLetter(trx, { id, token, email }, now);
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

/**
 * Another letter with a new link; the link of the earlier one is dead from now on.
 * @throws {Refused} not_found when the invitation is not waiting any more
 */
export async function sendAgain(
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
  if (!waiting) throw new Refused("not_found", messages.notWaiting);
  await assertActive(services.db.read, waiting.productId);
  await countLetter(services, sentBy);
  await services.db.transaction((trx) => renew(trx, services, id));
  services.wakeWorker();
}

async function renew(trx: Query, services: Services, id: string): Promise<void> {
  const now = services.clock.now();
  const { token, tokenHash } = newToken();
  const renewed = await trx
    .updateTable("invitations")
    .set({ tokenHash, expiresAt: expiryOf(now), letterRefusedAt: null })
    .where("id", "=", id)
    .where("acceptedAt", "is", null)
    .where("withdrawnAt", "is", null)
    .where("expiresAt", "<", expiryOf(new Date(now.getTime() - pressMs)))
    .returning("email")
    .executeTakeFirst();
  if (!renewed) return;
  await auditInvitation(trx, services, { action: "invitation.sent-again", id });
  await writeLetter(trx, { id, token, ...renewed }, now);
}

/** Whom it asks stands in the invitation alone, as long as that is kept. */
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
  await audit(trx, services, { action, id, label: title });
}

function writeLetter(
  trx: Query,
  { id, token, email }: { id: string; token: string; email: string },
  now: Date,
): Promise<string> {
  const writing = { now, to: { address: email }, worksUntil: expiryOf(now) };
  return enqueue(trx, invitationLetter, { id, token }, writing);
}

/**
 * Takes an invitation back: its link is dead. Twice is once.
 * @throws {Refused} not_found when she has accepted it already
 */
export async function withdraw(services: Services, id: string): Promise<void> {
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
  if (!isThere) throw new Refused("not_found", messages.notWaiting);
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

async function countLetter(services: Services, whose: string): Promise<void> {
  const limit = { what: "invitations", whose, max: lettersAnHour, windowSeconds: 3600 };
  if (!(await withinLimit(services, limit))) throw new Refused("rate_limited", messages.tooMany);
}

const keptMs = 90 * 24 * 3600_000;

/** Addresses of people who never came are not kept for ever. */
export const forgetInvitations: RegularTask = {
  name: "invitations.forget",
  async run({ db, clock }) {
    const before = new Date(clock.now().getTime() - keptMs);
    await db.write.deleteFrom("invitations").where("expiresAt", "<", before).execute();
  },
};
