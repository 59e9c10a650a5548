import { createHash } from "node:crypto";
import type { z } from "zod";
import { isAny, type Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { PublishedContent } from "~content/fields.ts";
import { passwordChangedEmail } from "./jobs.server.ts";
import { authMessages, guessablePasswordMessage, siteWords } from "./messages.ts";
import { findPasswordHash, reauthenticate } from "./reauthentication.server.ts";
import { type CommonPasswords, firstFieldError, isGuessable } from "./rules.ts";
import { revokeOtherSessions } from "./sessions.server.ts";

type Changed = { userId: string; way: "account" | "email"; now: Date };

// Invalidates reset links and other pending verifications of the user, and notifies them.
async function savePasswordChange(trx: Query, { userId, way, now }: Changed): Promise<void> {
  await trx.deleteFrom("verifications").where("value", "=", userId).execute();
  const payload = { userId, way, at: now.toISOString() };
  await enqueue(trx, passwordChangedEmail, payload, { now, to: { userId } });
}

export async function onPasswordReset(
  { db, clock, wakeWorker }: Pick<Services, "db" | "clock" | "wakeWorker">,
  userId: string,
): Promise<void> {
  await db.transaction((trx) =>
    savePasswordChange(trx, { userId, way: "email", now: clock.now() }),
  );
  wakeWorker();
}

/** Whether an emailed link to choose a password still works. Reading does not use it up: mail
 * programs open links. */
export function isResetLinkValid({ db }: Pick<Services, "db">, token: string): Promise<boolean> {
  // As the library stores it, which compares times with the machine's clock.
  const identifier = createHash("sha256").update(`reset-password:${token}`).digest("base64url");
  return isAny(
    db.read
      .selectFrom("verifications")
      .where("identifier", "=", identifier)
      .where("expiresAt", ">", new Date()),
  );
}

type Change = { userId: string; sessionId: string; current: string; password: string };

/** Ends other sessions. @returns an error message about the current password, or null */
export async function changePassword(services: Services, change: Change): Promise<string | null> {
  const { userId, sessionId, current, password } = change;
  const { db, auth, clock } = services;
  // A user without a password sets one with an emailed link.
  if (!(await findPasswordHash(services, userId))) return authMessages.unreachable;
  const wrong = await reauthenticate(services, {
    userId,
    sessionId,
    fields: { password: current },
  });
  if (wrong) return wrong.message;
  const hash = await (await auth.$context).password.hash(password);
  const now = clock.now();
  await db.transaction(async (trx) => {
    await trx
      .updateTable("accounts")
      .set({ password: hash, updatedAt: now })
      .where("userId", "=", userId)
      .where("providerId", "=", "credential")
      .execute();
    await revokeOtherSessions(trx, { userId, sessionId });
    await savePasswordChange(trx, { userId, way: "account", now });
  });
  services.wakeWorker();
  return null;
}

let reading: Promise<CommonPasswords> | undefined;

// The list is loaded on first use, which makes the site start faster.
function commonest(): Promise<CommonPasswords> {
  reading ??= import("./common-passwords.txt?raw").then(({ default: text }) => {
    const [passwords = "", words = ""] = text.split("\n\n");
    const setOf = (lines: string) => new Set(lines.split("\n").filter(Boolean));
    return { passwords: setOf(passwords), words: setOf(words) };
  });
  return reading;
}

type Chosen = { password: string; name?: unknown; email?: unknown };

/** Checks a new password for guessability; not used at sign-in, where old passwords stay valid. */
export async function passwordWeakness(
  { site }: Pick<PublishedContent, "site">,
  { password, name, email }: Chosen,
) {
  const own = [site.name, site.coachName, site.socialHandle, ...siteWords, name, email];
  const texts = own.filter((text) => typeof text === "string");
  const isWeak = isGuessable(password, await commonest(), texts);
  return isWeak ? { field: "password", message: guessablePasswordMessage } : null;
}

/** The first error of a form with a new password. @param known name and email not in the form */
export async function newPasswordError(
  { content }: Pick<Services, "content">,
  parsed: z.ZodSafeParseResult<Chosen>,
  known: Omit<Chosen, "password"> = {},
) {
  return parsed.success
    ? passwordWeakness(content, { ...known, ...parsed.data })
    : firstFieldError(parsed);
}
