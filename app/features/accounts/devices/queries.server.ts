import Bowser from "bowser";
import type { Services } from "~/platform/services.ts";
import { clockTime, dayInWords } from "~/platform/time/words.ts";

export type DeviceLine = {
  id: string;
  device: string;
  since: string;
  lastUsed: string;
  isThisOne: boolean;
};

type Asked = { userId: string; sessionId: string; timeZone: string };

/** Where somebody is signed in, this device first, then by last use; times in her own zone. */
export async function listDevices(
  { db }: Services,
  { userId, sessionId, timeZone }: Asked,
): Promise<DeviceLine[]> {
  // Sessions are the library's, which reads the machine's own clock.
  const now = new Date();
  const rows = await liveSessions({ db }, userId, now)
    .select(["id", "userAgent", "createdAt", "lastUsedAt"])
    .orderBy((eb) => eb.fn.coalesce("lastUsedAt", "createdAt"), "desc")
    .orderBy("id")
    .limit(200)
    .execute();
  const moment = (date: Date) => `${dayInWords(date, now, timeZone)}, ${clockTime(date, timeZone)}`;
  const lines = rows.map(({ id, userAgent, createdAt, lastUsedAt }) => ({
    id,
    device: deviceOf(userAgent),
    since: dayInWords(createdAt, now, timeZone),
    lastUsed: moment(lastUsedAt ?? createdAt),
    isThisOne: id === sessionId,
  }));
  return lines.toSorted((a, b) => Number(b.isThisOne) - Number(a.isThisOne));
}

/** On how many devices somebody is signed in. */
export async function countDevices({ db }: Services, userId: string): Promise<number> {
  const { count } = await liveSessions({ db }, userId, new Date())
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Those of her sessions that are somebody's: not over, and with the second factor given that she has. */
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

/**
 * A device in plain words, from what its browser calls itself: 'Firefox on Windows'. Whatever is not
 * known, or says too much, is 'A browser'.
 */
export function deviceOf(userAgent: string | null): string {
  if (!userAgent) return unknown;
  const { browser, os } = Bowser.parse(userAgent.slice(0, 512));
  if (!browser.name) return unknown;
  const system = os.name && (systems[os.name] ?? os.name);
  return system ? `${browser.name} on ${system}` : browser.name;
}

const unknown = "A browser";

/** As their makers call them, where the library does not. */
const systems: Record<string, string> = { macOS: "a Mac", iOS: "iOS", "Chrome OS": "ChromeOS" };
