import Bowser from "bowser";
import { countOf, type Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { clockTime, dayInWords, namedUtc } from "~/platform/time/words.ts";

type Asked = { userId: string; sessionId: string; timeZone: string };

export async function listDevices({ db }: Services, { userId, sessionId, timeZone }: Asked) {
  // The library sets session times by the machine's clock, not by ours.
  const now = new Date();
  const rows = await liveSessions({ db }, userId, now)
    .select(["id", "userAgent", "createdAt", "lastUsedAt"])
    .orderBy((eb) => eb.fn.coalesce("lastUsedAt", "createdAt"), "desc")
    .orderBy("id")
    .limit(200)
    .execute();
  const moment = (date: Date) =>
    namedUtc(`${dayInWords(date, now, timeZone)}, ${clockTime(date, timeZone)}`, timeZone);
  const lines = rows.map(({ id, userAgent, createdAt, lastUsedAt }) => ({
    id,
    device: deviceName(userAgent),
    since: namedUtc(dayInWords(createdAt, now, timeZone), timeZone),
    lastUsed: moment(lastUsedAt ?? createdAt),
    isThisOne: id === sessionId,
  }));
  return lines.toSorted((a, b) => Number(b.isThisOne) - Number(a.isThisOne));
}

export async function countDevices({ db }: Services, userId: string): Promise<number> {
  return countOf(liveSessions({ db }, userId, new Date()));
}

// Sessions that are not expired and do not lack a required second factor.
function liveSessions({ db }: Pick<Services, "db">, userId: string, now: Date) {
  return db.read
    .selectFrom("sessions")
    .where("userId", "=", userId)
    .where("expiresAt", ">", now)
    .where((eb) =>
      eb.or([
        eb("secondFactorAt", "is not", null),
        eb.not(
          eb.exists(
            eb
              .selectFrom("factors")
              .select("factors.id")
              .whereRef("factors.userId", "=", "sessions.userId")
              .where("factors.status", "=", "verified"),
          ),
        ),
      ]),
    );
}

/** A device in words, such as 'Firefox on Windows'; 'A browser' when it is unknown. */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return unknown;
  const { browser, os } = Bowser.parse(userAgent.slice(0, 512));
  if (!browser.name) return unknown;
  const system = os.name && (systems[os.name] ?? os.name);
  return system ? `${browser.name} on ${system}` : browser.name;
}

const unknown = "A browser";

// The vendors' names, where the library's differ.
const systems: Record<string, string> = { macOS: "a Mac", iOS: "iOS", "Chrome OS": "ChromeOS" };

type Own = { userId: string; sessionId: string | null };

export async function revokeOtherSessions(db: Query, { userId, sessionId }: Own): Promise<void> {
  const own = db.deleteFrom("sessions").where("userId", "=", userId);
  await (sessionId === null ? own : own.where("id", "!=", sessionId)).execute();
}

/** Ends another session of the same user. Idempotent. */
export async function revokeSession(
  { db }: Services,
  { userId, sessionId }: Own,
  id: string,
): Promise<void> {
  if (id === sessionId) return;
  await db.write.deleteFrom("sessions").where("userId", "=", userId).where("id", "=", id).execute();
}
