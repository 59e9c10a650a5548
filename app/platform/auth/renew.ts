import { randomBytes } from "node:crypto";
import type { Services } from "../services.ts";
import { sessionCookie, sessionSeconds } from "./constants.ts";
import { sealToken } from "./session-row.ts";

/**
 * Gives a session that has just become worth more a new token, so that whoever knew the old one has
 * nothing: `factor` after the second factor, once; `owner` when its owner has shown anew who she is,
 * and what may be done only soon after signing in may be done again.
 * @returns the cookie to set; null when there is nothing to renew any more
 */
export async function renewSession(
  { db, config }: Pick<Services, "db" | "config">,
  sessionId: string,
  what: "factor" | "owner",
): Promise<string | null> {
  // Sessions are the library's, which reads the machine's own clock.
  const now = new Date();
  const token = randomBytes(24).toString("base64url");
  const expiresAt = new Date(now.getTime() + sessionSeconds * 1000);
  const news = { token, expiresAt, updatedAt: now, lastUsedAt: now };
  const updating = db.write
    .updateTable("sessions")
    .set(what === "factor" ? { ...news, secondFactorAt: now } : { ...news, createdAt: now })
    .where("id", "=", sessionId)
    .where("expiresAt", ">", now);
  const { numUpdatedRows } = await (what === "factor"
    ? updating.where("secondFactorAt", "is", null)
    : updating
  ).executeTakeFirst();
  if (numUpdatedRows === 0n) return null;
  const value = encodeURIComponent(sealToken(token, config.authSecret));
  return `${sessionCookie}=${value}; Max-Age=${sessionSeconds}; Path=/; HttpOnly; SameSite=Lax`;
}
