import { type RouterContextProvider, redirect } from "react-router";
import { freshSeconds } from "~/platform/auth/constants.ts";
import { inPlace } from "~/platform/auth/passwords/places.ts";
import type { Viewer } from "~/platform/auth/session.ts";
import { sessionContext } from "~/platform/http/context.ts";
import type { Services } from "~/platform/services.ts";
import { countApps } from "../factors/queries.server.ts";
import { authPath } from "../rules.ts";

/**
 * What shows that somebody is the owner of the account and not only at her screen: her password; or,
 * where she has none, that she has just signed in, or else a code. `sign-in`: she has to do that.
 */
export type Proof = "password" | "none" | "code" | "sign-in";

type Session = { userId: string; sessionId: string };

/** The hash of somebody's password, null when she has none: she came from a provider. */
export async function findPassword({ db }: Services, userId: string): Promise<string | null> {
  const row = await db.read
    .selectFrom("accounts")
    .select("password")
    .where("userId", "=", userId)
    .where("providerId", "=", "credential")
    .executeTakeFirst();
  return row?.password ?? null;
}

/**
 * Whether what somebody typed is the password of which this hash was made.
 * @throws {PasswordsBusy}
 */
export async function isPassword({ auth }: Services, hash: string, typed: string) {
  // No password is longer, and hashing what is would keep the machine busy.
  if (typed.length > 100) return false;
  const { password } = await auth.$context;
  return inPlace(() => password.verify({ hash, password: typed }));
}

/** Whether somebody has signed in, or shown that it is she, within the last ten minutes. */
export async function isFresh({ db }: Pick<Services, "db">, sessionId: string): Promise<boolean> {
  const session = await db.write
    .selectFrom("sessions")
    .select("createdAt")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  // Sessions are the library's, which reads the machine's own clock.
  return session !== undefined && Date.now() - session.createdAt.getTime() < freshSeconds * 1000;
}

/** What is to be asked of her before something is taken away or made anew. */
export async function proofOf(services: Services, { userId, sessionId }: Session): Promise<Proof> {
  if (await findPassword(services, userId)) return "password";
  if (await isFresh(services, sessionId)) return "none";
  return (await countApps(services.db.read, userId)) > 0 ? "code" : "sign-in";
}

/**
 * Who looks after her own account, and in which session.
 * @throws a redirect to /auth without one
 */
export function ownSession(
  context: Readonly<Pick<RouterContextProvider, "get">>,
  url: URL,
): { viewer: Viewer; userId: string; sessionId: string; email: string } {
  const { viewer, session } = context.get(sessionContext);
  if (!viewer || !session) throw redirect(authPath(url.pathname + url.search));
  return { viewer, userId: viewer.id, sessionId: session.id, email: viewer.email };
}
