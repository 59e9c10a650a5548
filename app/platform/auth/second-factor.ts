import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";

type Parts = { db: Database; config: Config };

export const pendingSeconds = 10 * 60;

/**
 * Whether a sign-in by password or provider must be followed by a second factor: an authenticator
 * app or, for an administrator who is required to have one, a passkey.
 */
export async function needsSecondFactor({ db, config }: Parts, userId: string): Promise<boolean> {
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

/** Extra columns of a new session. A passkey counts as both factors, as it verifies the user. */
export async function sessionWithLevel(parts: Parts, session: { userId: string }, path?: string) {
  const now = new Date();
  const begun = { lastUsedAt: now };
  if (path === "/passkey/verify-authentication") return { ...begun, secondFactorAt: now };
  return (await needsSecondFactor(parts, session.userId))
    ? { ...begun, expiresAt: new Date(now.getTime() + pendingSeconds * 1000) }
    : begun;
}
