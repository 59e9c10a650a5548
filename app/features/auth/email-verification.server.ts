import type { ExpressionBuilder } from "kysely";
import type { Caller } from "~/platform/auth/call.ts";
import { HashQueueFull } from "~/platform/auth/hash-queue.ts";
import { findAccountOfOtherBrowser, signUpCookie } from "~/platform/auth/sign-up-browser.ts";
import { uncount, withinLimit } from "~/platform/db/rate-limit.ts";
import type { Tables } from "~/platform/db/tables.ts";
import { noteDeletion } from "~/platform/db/wipe.ts";
import type { Services } from "~/platform/http/services.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { verificationMessages } from "./messages.ts";
import { findPasswordHash, isCorrectPassword } from "./reauthentication.server.ts";
import { type AuthResult, verifyEmail } from "./sign-in.server.ts";

/** What to ask for besides a click; `new-password`: the account has none, so one must be chosen. */
export type VerificationQuestion = "nothing" | "password" | "new-password";

/** The account that the token would confirm, with its password hash; null if a click is enough. */
export async function findUnverifiedUser(services: Services, { cookie }: Caller, token: string) {
  const headers = new Headers(cookie ? { cookie } : {});
  const userId = await findAccountOfOtherBrowser(services, token, headers);
  return userId ? { userId, hash: await findPasswordHash(services, userId) } : null;
}

export async function getVerificationQuestion(
  services: Services,
  caller: Caller,
  token: string,
): Promise<VerificationQuestion> {
  const account = await findUnverifiedUser(services, caller, token);
  if (!account) return "nothing";
  return account.hash ? "password" : "new-password";
}

/** Confirms an address and signs in; needs the password if another browser signed up. */
export async function confirmEmail(
  services: Services,
  caller: Caller,
  { token, password }: { token: string; password: string },
): Promise<AuthResult | { ok: false; wrongPassword: string }> {
  const account = await findUnverifiedUser(services, caller, token);
  if (!account) return verifyEmail(services, caller, token);
  const { userId, hash } = account;
  if (!password || !hash) return { ok: false, wrongPassword: verificationMessages.missing };
  const limit = { what: "confirm-password", whose: userId, max: 10, windowSeconds: 15 * 60 };
  if (!(await withinLimit(services, limit)))
    return { ok: false, wrongPassword: verificationMessages.tooMany };
  try {
    if (!(await isCorrectPassword(services, hash, password)))
      return { ok: false, wrongPassword: verificationMessages.wrong };
  } catch (error) {
    if (!(error instanceof HashQueueFull)) throw error;
    // The password was not checked, so the attempt does not count.
    await uncount(services, limit);
    return { ok: false, problem: error.message, reason: "busy" };
  }
  const { name, value } = signUpCookie(services.config, userId);
  const cookie = [`${name}=${encodeURIComponent(value)}`, caller.cookie].filter(Boolean).join("; ");
  return verifyEmail(services, { ...caller, cookie }, token);
}

// Older unconfirmed accounts were created with another person's address, or by a robot.
const unconfirmedDays = 30;
const askedDays = 2;
const dayMs = 24 * 3600_000;
// Accounts per transaction, and transactions per hourly run.
const portion = 500;
const mostPortions = 40;

/** Deletes old unconfirmed accounts without enrollments or payments; their owners can sign up
 * again. Keeps accounts that were sent an email in the last two days. Safe on several machines. */
export const deleteUnverifiedUsers: RegularTask = {
  name: "accounts.forget-unconfirmed",
  async run(services) {
    for (let count = 0; count < mostPortions; count += 1)
      if ((await forgetSome(services)) < portion) return;
  },
};

async function forgetSome({ db, clock }: Pick<Services, "db" | "clock">): Promise<number> {
  const now = clock.now();
  return db.transaction(async (trx) => {
    const unconfirmed = trx
      .selectFrom("profiles")
      .select("profiles.id")
      .where((eb) => isForgettable(eb, now))
      .limit(portion);
    // The lock prevents confirmation and enrollment until the rows are deleted.
    const held = db.engine === "postgres" ? unconfirmed.forUpdate().skipLocked() : unconfirmed;
    const ids = (await held.execute()).map(({ id }) => id);
    if (ids.length === 0) return 0;
    const gone = await trx
      .deleteFrom("profiles")
      .where("id", "in", ids)
      // An enrollment may have been added since the select.
      .where((eb) => isForgettable(eb, now))
      .executeTakeFirst();
    if (gone.numDeletedRows > 0n) await noteDeletion(trx, now);
    return ids.length;
  });
}

function isForgettable(eb: ExpressionBuilder<Tables, "profiles">, now: Date) {
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  const has = (table: "enrollments" | "formerEnrollments" | "payments") =>
    eb.exists(
      eb.selectFrom(table).select(`${table}.id`).whereRef(`${table}.userId`, "=", "profiles.id"),
    );
  return eb.and([
    eb("profiles.emailVerified", "=", false),
    eb("profiles.role", "=", "student"),
    eb("profiles.createdAt", "<", before(unconfirmedDays)),
    // A new sign-up would undo a suspension.
    eb("profiles.suspendedAt", "is", null),
    eb.not(has("enrollments")),
    eb.not(has("formerEnrollments")),
    eb.not(has("payments")),
    eb.not(
      eb.exists(
        eb
          .selectFrom("sentEmails")
          .select("sentEmails.id")
          .whereRef("sentEmails.userId", "=", "profiles.id")
          .where("sentEmails.createdAt", ">", before(askedDays)),
      ),
    ),
  ]);
}
