import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";

type Parts = { db: Database; config: Config };

/** How long somebody who has given her password has for the second factor, in seconds. */
export const pendingSeconds = 10 * 60;

/**
 * Whether somebody who comes with a password, or from a provider, has a second factor to give: an
 * authenticator app; for an administrator who must have one, a passkey is one as well.
 */
export async function owesSecondFactor({ db, config }: Parts, userId: string): Promise<boolean> {
  const factor = await db.write
    .selectFrom("factors")
    .select("id")
    .where("userId", "=", userId)
    .where("status", "=", "verified")
    .executeTakeFirst();
  if (factor || !config.adminSecondFactor) return factor !== undefined;
  const passkey = await db.write
    .selectFrom("passkeys")
    .innerJoin("profiles", "profiles.id", "passkeys.userId")
    .select("passkeys.id")
    .where("passkeys.userId", "=", userId)
    .where("profiles.role", "=", "admin")
    .executeTakeFirst();
  return passkey !== undefined;
}

/**
 * What a new session gets beside what the library writes, whatever the way in: a passkey, which
 * asks its owner who she is, counts as both factors; everybody else with a factor still owes it.
 */
export async function levelOfSession(parts: Parts, session: { userId: string }, path?: string) {
  const now = new Date();
  const begun = { lastUsedAt: now };
  if (path === "/passkey/verify-authentication") return { ...begun, secondFactorAt: now };
  return (await owesSecondFactor(parts, session.userId))
    ? { ...begun, expiresAt: new Date(now.getTime() + pendingSeconds * 1000) }
    : begun;
}
