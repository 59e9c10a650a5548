import { createHash, randomBytes } from "node:crypto";
import { isAny, type Query } from "~/platform/db/database.ts";
import { isDuplicate } from "~/platform/db/errors.ts";
import { withinLimit } from "~/platform/db/rate-limit.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { clockTime, dayInWords, namedUtc } from "~/platform/time/words.ts";
import {
  confirmNewEmailEmail,
  confirmOldEmailEmail,
  emailChangedEmail,
  emailTakenEmail,
} from "./jobs.server.ts";
import { confirmEmailChangePath, emailChangeMessages } from "./messages.ts";
import { reauthenticate } from "./reauthentication.server.ts";
import { firstFieldError } from "./rules.ts";
import { emailField, type FieldError } from "./schema.ts";
import { revokeOtherSessions } from "./sessions.server.ts";

const worksMs = 24 * 3600_000;

export const emailChangeDigest = (token: string) =>
  createHash("sha256").update(token).digest("hex");
const newToken = () => randomBytes(32).toString("base64url");

type EmailChangeInput = {
  userId: string;
  sessionId: string;
  email: string;
  fields: Record<string, string | undefined>;
};

/** Starts an email change: both addresses get an email, and nothing changes until both confirm.
 * Replaces a pending change, whose links become invalid. @returns a field error, or null */
export async function requestEmailChange(
  services: Services,
  wish: EmailChangeInput,
): Promise<FieldError | null> {
  const parsed = emailField.safeParse({ email: wish.fields.email });
  if (!parsed.success) return firstFieldError(parsed);
  const newEmail = parsed.data.email.toLowerCase();
  if (newEmail === wish.email) return { field: "email", message: emailChangeMessages.same };
  const fieldError = await reauthenticate(services, wish);
  if (fieldError) return fieldError;
  const { userId } = wish;
  const limit = { what: "address-change", whose: userId, max: 5, windowSeconds: 24 * 3600 };
  if (!(await withinLimit(services, limit)))
    return { field: "email", message: emailChangeMessages.tooMany };
  await writeDown(services, { userId, email: wish.email, newEmail });
  services.wakeWorker();
  return null;
}

async function writeDown(
  { db, clock, config }: Services,
  { userId, email, newEmail }: { userId: string; email: string; newEmail: string },
) {
  const [oldToken, newOne] = [newToken(), newToken()];
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + worksMs);
  const link = (token: string) => `${config.appUrl}${confirmEmailChangePath}?token=${token}`;
  const change = {
    newEmail,
    oldTokenHash: emailChangeDigest(oldToken),
    newTokenHash: emailChangeDigest(newOne),
    oldConfirmedAt: null,
    newConfirmedAt: null,
    expiresAt,
    createdAt: now,
  };
  await db.transaction(async (trx) => {
    await trx
      .insertInto("emailChanges")
      .values({ userId, ...change })
      .onConflict((conflict) => conflict.column("userId").doUpdateSet(change))
      .execute();
    // The response must not reveal that the new address has an account, so only the email differs.
    const taken = await isTaken(trx, newEmail);
    const writing = { now, worksUntil: expiresAt };
    const old = { userId, email, newEmail, link: link(oldToken) };
    await enqueue(trx, confirmOldEmailEmail, old, { ...writing, to: { userId } });
    const to = { userId, address: newEmail };
    const known = { email: newEmail, link: `${config.appUrl}/auth` };
    const free = { email: newEmail, link: link(newOne) };
    if (taken) await enqueue(trx, emailTakenEmail, known, { now, to });
    else await enqueue(trx, confirmNewEmailEmail, free, { ...writing, to });
  });
}

async function isTaken(db: Query, email: string): Promise<boolean> {
  return isAny(db.selectFrom("profiles").where("email", "=", email));
}

export async function cancelEmailChange({ db }: Services, userId: string): Promise<void> {
  await db.write.deleteFrom("emailChanges").where("userId", "=", userId).execute();
}

/** Deletes expired email changes: the typed address is personal data. */
export const deleteExpiredEmailChanges: RegularTask = {
  name: "accounts.forget-address-changes",
  async run({ db, clock }) {
    await db.write.deleteFrom("emailChanges").where("expiresAt", "<", clock.now()).execute();
  },
};

/** `invalid`: the link is. `stranger`: the new mailbox, not signed in to the account that asked. */
export type EmailChangeResult = "changed" | "waits" | "taken" | "invalid" | "stranger";

/** Confirms one of the two addresses, in any order. Idempotent. The second confirmation changes the
 * address, once, and ends all other sessions. @param by the user and their session, which stays */
export async function confirmEmailChange(
  services: Services,
  token: string,
  by: Presser | null,
): Promise<EmailChangeResult> {
  const hash = emailChangeDigest(token);
  try {
    const result = await services.db.transaction((trx) => confirm(services, trx, { hash, by }));
    if (result === "changed") services.wakeWorker();
    return result;
  } catch (error) {
    // A sign-up took the address at the same time.
    if (!isDuplicate(error)) throw error;
    await services.db.write
      .deleteFrom("emailChanges")
      .where((eb) => eb.or([eb("oldTokenHash", "=", hash), eb("newTokenHash", "=", hash)]))
      .execute();
    return "taken";
  }
}

type Presser = { userId: string; sessionId: string };
type Press = { hash: string; by: Presser | null };

async function confirm(
  { clock }: Services,
  trx: Query,
  { hash, by }: Press,
): Promise<EmailChangeResult> {
  const now = clock.now();
  // Only a session of the account confirms the new address: its owner must not confirm it for a
  // stranger's account (docs/decisions/006).
  if (await isOtherUser(trx, { hash, by })) return "stranger";
  const change = await noteConfirmation(trx, hash, now);
  if (!change) return "invalid";
  const { userId, newEmail, oldConfirmedAt, newConfirmedAt } = change;
  if (!oldConfirmedAt || !newConfirmedAt) return "waits";
  await trx.deleteFrom("emailChanges").where("userId", "=", userId).execute();
  if (await isTaken(trx, newEmail)) return "taken";
  const before = await trx
    .selectFrom("profiles")
    .select(["name", "email"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  await trx
    .updateTable("profiles")
    .set({ email: newEmail, updatedAt: now })
    .where("id", "=", userId)
    .execute();
  await revokeOtherSessions(trx, { userId, sessionId: by?.sessionId ?? null });
  // Password reset links in the old mailbox must stop working.
  await trx.deleteFrom("verifications").where("value", "=", userId).execute();
  const { name, email } = before;
  // Rows that know the account by its old address would otherwise survive an account deletion.
  await trx
    .deleteFrom("invitations")
    .where("email", "=", email)
    .where("acceptedAt", "is not", null)
    .execute();
  await trx
    .updateTable("outbox")
    .set({ userId })
    .where("address", "=", email)
    .where("kind", "not like", "newsletter.%")
    .execute();
  await enqueue(trx, emailChangedEmail, { name, email, newEmail }, { now, to: { userId } });
  return "changed";
}

async function isOtherUser(trx: Query, { hash, by }: Press): Promise<boolean> {
  const change = await trx
    .selectFrom("emailChanges")
    .select("userId")
    .where("newTokenHash", "=", hash)
    .executeTakeFirst();
  return change !== undefined && change.userId !== by?.userId;
}

// One statement per side: of two concurrent confirmations, the second sees what the first wrote.
async function noteConfirmation(trx: Query, hash: string, now: Date) {
  for (const side of ["old", "new"] as const) {
    const change = await trx
      .updateTable("emailChanges")
      .set({ [`${side}ConfirmedAt`]: now })
      .where(`${side}TokenHash`, "=", hash)
      .where("expiresAt", ">", now)
      .returningAll()
      .executeTakeFirst();
    if (change) return change;
  }
  return null;
}

export type PendingEmailChange = NonNullable<Awaited<ReturnType<typeof findPendingEmailChange>>>;

export async function findPendingEmailChange(
  { db, clock }: Services,
  { userId, timeZone }: { userId: string; timeZone: string },
) {
  const now = clock.now();
  const row = await db.read
    .selectFrom("emailChanges")
    .select(["newEmail", "oldConfirmedAt", "newConfirmedAt", "expiresAt"])
    .where("userId", "=", userId)
    .where("expiresAt", ">", now)
    .executeTakeFirst();
  if (!row) return null;
  const { newEmail, oldConfirmedAt, newConfirmedAt, expiresAt } = row;
  const moment = `${dayInWords(expiresAt, now, timeZone)}, ${clockTime(expiresAt, timeZone)}`;
  const until = namedUtc(moment, timeZone);
  const [isOldDone, isNewDone] = [oldConfirmedAt !== null, newConfirmedAt !== null];
  return { newEmail, until, isOldDone, isNewDone };
}

/** What an emailed link refers to. Readers of the new mailbox do not learn the old address.
 * `isElsewhere`: it must be confirmed in the account that asked, and the viewer has another one. */
export async function findEmailChangeLink(
  { db, clock }: Services,
  { token, viewerId }: { token: string; viewerId: string | null },
) {
  const hash = emailChangeDigest(token);
  const row = await db.read
    .selectFrom("emailChanges")
    .selectAll()
    .where((eb) => eb.or([eb("oldTokenHash", "=", hash), eb("newTokenHash", "=", hash)]))
    .where("expiresAt", ">", clock.now())
    .executeTakeFirst();
  if (!row) return null;
  const { newEmail, oldConfirmedAt, newConfirmedAt } = row;
  if (row.oldTokenHash === hash)
    return { side: "old" as const, newEmail, isDone: oldConfirmedAt !== null, isElsewhere: false };
  const isElsewhere = row.userId !== viewerId;
  return { side: "new" as const, newEmail, isDone: newConfirmedAt !== null, isElsewhere };
}
