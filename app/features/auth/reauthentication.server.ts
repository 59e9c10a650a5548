import { type RouterContextProvider, redirect } from "react-router";
import { freshSeconds } from "~/platform/auth/constants.ts";
import { HashQueueFull, inHashQueue } from "~/platform/auth/hash-queue.ts";
import type { CurrentUser } from "~/platform/auth/session.ts";
import { renewSession } from "~/platform/auth/sessions.ts";
import { uncount, withinLimit } from "~/platform/db/rate-limit.ts";
import { sessionContext } from "~/platform/http/context.ts";
import type { Services } from "~/platform/http/services.ts";
import { twoFactorMessages } from "./messages.ts";
import { authPath } from "./rules.ts";
import { countAuthenticatorApps } from "./two-factor.server.ts";
import { checkTwoFactorCode } from "./two-factor-sign-in.server.ts";

/** Proof of ownership: the password; else `none` (recent sign-in), a code or a new sign-in. */
export type ReauthenticationMethods = "password" | "none" | "code" | "sign-in";

export async function findPasswordHash({ db }: Services, userId: string): Promise<string | null> {
  const row = await db.read
    .selectFrom("accounts")
    .select("password")
    .where("userId", "=", userId)
    .where("providerId", "=", "credential")
    .executeTakeFirst();
  return row?.password ?? null;
}

/** @throws {HashQueueFull} */
export async function isCorrectPassword({ auth }: Services, hash: string, typed: string) {
  // Passwords have at most 100 characters; hashing longer input would only load the server.
  if (typed.length > 100) return false;
  const { password } = await auth.$context;
  return inHashQueue(() => password.verify({ hash, password: typed }));
}

/** Whether the session began, or was reauthenticated, within the last ten minutes. */
export async function isRecentlyAuthenticated(
  { db }: Pick<Services, "db">,
  sessionId: string,
): Promise<boolean> {
  const session = await db.write
    .selectFrom("sessions")
    .select("createdAt")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  // The library sets session times by the machine's clock, not by ours.
  return session !== undefined && Date.now() - session.createdAt.getTime() < freshSeconds * 1000;
}

export async function getReauthenticationMethods(
  services: Services,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<ReauthenticationMethods> {
  if (await findPasswordHash(services, userId)) return "password";
  if (await isRecentlyAuthenticated(services, sessionId)) return "none";
  return (await countAuthenticatorApps(services.db.read, userId)) > 0 ? "code" : "sign-in";
}

/** The viewer and their session. @throws a redirect to /auth without a session */
export function requireSession(
  context: Readonly<Pick<RouterContextProvider, "get">>,
  url: URL,
): { viewer: CurrentUser; userId: string; sessionId: string; email: string } {
  const { viewer, session } = context.get(sessionContext);
  if (!viewer || !session) throw redirect(authPath(url.pathname + url.search));
  return { viewer, userId: viewer.id, sessionId: session.id, email: viewer.email };
}

type Shown = {
  userId: string;
  sessionId: string;
  fields: Record<string, string | undefined>;
};

export type ProofError = { field: "password" | "code" | ""; message: string };

/** Checks the fields of {@link getReauthenticationMethods}. @returns a field error, or null */
export async function reauthenticate(
  services: Services,
  { userId, sessionId, fields }: Shown,
): Promise<ProofError | null> {
  const proof = await getReauthenticationMethods(services, { userId, sessionId });
  if (proof === "none") return null;
  if (proof === "sign-in") return { field: "", message: twoFactorMessages.signInAgain };
  const field = proof;
  const typed = fields[field] ?? "";
  if (!typed)
    return {
      field,
      message: proof === "password" ? twoFactorMessages.password : twoFactorMessages.code,
    };
  // Only the user's own sessions count against this limit, so strangers cannot exhaust it.
  const limit = { what: "owner-proof", whose: userId, max: 10, windowSeconds: 15 * 60 };
  if (!(await withinLimit(services, limit)))
    return { field, message: twoFactorMessages.tooManyTries };
  if (proof === "code") {
    const checked = await checkTwoFactorCode(services, { userId, typed });
    return "problem" in checked ? { field, message: checked.problem } : null;
  }
  const hash = (await findPasswordHash(services, userId)) ?? "";
  try {
    const isRight = await isCorrectPassword(services, hash, typed);
    return isRight ? null : { field, message: twoFactorMessages.wrongPassword };
  } catch (error) {
    if (!(error instanceof HashQueueFull)) throw error;
    // The password was not checked, so the attempt does not count.
    await uncount(services, limit);
    return { field, message: error.message };
  }
}

/** Reauthenticates and renews the session, so that sensitive changes are allowed again. */
export async function submitReauthentication(services: Services, shown: Shown) {
  const fieldError = await reauthenticate(services, shown);
  const problem = fieldError?.message ?? null;
  if (problem !== null) return { problem, owner: "asked" as const, setCookies: [] };
  const cookie = await renewSession(services, shown.sessionId, "owner");
  return { problem, owner: "shown" as const, setCookies: cookie ? [cookie] : [] };
}
