import { randomBytes } from "node:crypto";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { sessionCookie, sessionSeconds } from "./constants.ts";
import { sealToken } from "./session-row.ts";

/** Gives a session a new token. @returns the cookie to set; null when there is nothing to renew */
export async function renewSession(
  { db, config }: { db: Database; config: Config },
  sessionId: string,
  what: "factor" | "owner",
): Promise<string | null> {
  // A leaked old token must not gain new rights: `factor`, once, when a second factor was given;
  // `owner` after reauthentication, which restarts the time for sensitive changes.
  // The library compares session times with the machine's clock, not with ours.
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

const mostSessions = 100;

/** Ends sessions beyond the limit, the least recently used first; `newest` stays. */
export async function endOldestSessions(
  { write }: Database,
  userId: string,
  newest: string,
): Promise<void> {
  const surplus = await write
    .selectFrom("sessions")
    .select("id")
    .where("userId", "=", userId)
    .where("id", "!=", newest)
    // Sessions without a second factor go first: a password alone can start them.
    .orderBy((eb) => eb.case().when("secondFactorAt", "is", null).then(1).else(0).end())
    .orderBy((eb) => eb.fn.coalesce("lastUsedAt", "createdAt"), "desc")
    .orderBy("id", "desc")
    .offset(mostSessions - 1)
    .limit(mostSessions)
    .execute();
  if (surplus.length === 0) return;
  const ids = surplus.map(({ id }) => id);
  await write.deleteFrom("sessions").where("id", "in", ids).execute();
}

export const deleteExpiredSessions = {
  name: "auth.forget-sessions",
  async run({ db }: { db: Database }): Promise<void> {
    await db.write.deleteFrom("sessions").where("expiresAt", "<", new Date()).execute();
  },
};

/** Anyone can start a verification, and the library deletes only those that are used. */
export const deleteExpiredVerifications = {
  name: "auth.forget-verifications",
  async run({ db }: { db: Database }): Promise<void> {
    await db.write.deleteFrom("verifications").where("expiresAt", "<", new Date()).execute();
  },
};
