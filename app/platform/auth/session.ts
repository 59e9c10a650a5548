import type { Role } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { sessionSeconds, sessionUpdateSeconds } from "./constants.ts";
import { withPlainCookies } from "./cookies.ts";
import { findSession, type SessionRow } from "./session-row.ts";

/** Somebody who is signed in. */
export type Viewer = { id: string; name: string; email: string; role: Role };

/** The session of a viewer, as far as pages need to know it. */
export type ViewerSession = {
  id: string;
  expiresAt: Date;
  /** When a second factor was given in it, be it a passkey; null when none was. */
  secondFactorAt: Date | null;
  /** Whether its owner has a factor that is asked for at sign-in. */
  hasFactor: boolean;
};

/**
 * A session as read from a request. Whatever is wrong with one (absent, forged, expired, ended) is
 * the same value: nobody (spec 8, 'Authentication service internals').
 */
export type SessionReading = {
  viewer: Viewer | null;
  /** Of the viewer, or of whoever is `pending`. */
  session: ViewerSession | null;
  /** Who has given the password and still owes the second factor: nobody, until she has given it. */
  pending: Viewer | null;
  /** Who has asked that her account be deleted: nobody, until she decides to keep it. */
  leaving: (Viewer & { deletionDueAt: Date }) | null;
  /** The viewer would be an administrator if she had given a second factor (ADMIN_SECOND_FACTOR). */
  lacksFactor: boolean;
  /** IANA name of the viewer's zone as it is stored. */
  timeZone: string | null;
  /** She chose it herself: it counts wherever she is. */
  isZoneChosen: boolean;
  /** Prolong the session when that is due. */
  setCookies: string[];
};

export const nobody: SessionReading = {
  viewer: null,
  session: null,
  pending: null,
  leaving: null,
  lacksFactor: false,
  timeZone: null,
  isZoneChosen: false,
  setCookies: [],
};

/** How exactly `sessions.last_used_at` is kept, in milliseconds: each request would be a write. */
const lastUseMs = 15 * 60_000;

/**
 * Who sent this request. Ten times cheaper than asking the library, which is asked only when the
 * session is due to be prolonged.
 */
export async function readSession(services: Services, headers: Headers): Promise<SessionReading> {
  const row = await findSession(services, headers);
  if (!row) return nobody;
  const reading = readingOf(row);
  if (!reading.viewer) return reading;
  await noteUse(services, row);
  const left = row.expiresAt.getTime() - Date.now();
  const isDue = left < (sessionSeconds - sessionUpdateSeconds) * 1000;
  return isDue ? { ...reading, setCookies: await prolong(services, headers) } : reading;
}

/** What a session means to whoever asks who is there. */
export function readingOf(row: SessionRow): SessionReading {
  const { id, name, email, role, secondFactorAt, expiresAt, isPending, deletionDueAt } = row;
  const person = { id, name, email, role };
  const isIn = !isPending && !deletionDueAt;
  return {
    viewer: isIn ? person : null,
    pending: isPending ? person : null,
    leaving: !isPending && deletionDueAt ? { ...person, deletionDueAt } : null,
    session: { id: row.sessionId, expiresAt, secondFactorAt, hasFactor: Boolean(row.hasFactor) },
    lacksFactor: row.lacksFactor,
    timeZone: isPending ? null : row.timeZone,
    isZoneChosen: !isPending && row.timeZoneChosenAt !== null,
    setCookies: [],
  };
}

async function noteUse({ db, log }: Services, { sessionId, lastUsedAt }: SessionRow) {
  const now = new Date();
  if (lastUsedAt && now.getTime() - lastUsedAt.getTime() < lastUseMs) return;
  try {
    await db.write
      .updateTable("sessions")
      .set({ lastUsedAt: now })
      .where("id", "=", sessionId)
      .where((eb) => eb.or([eb("lastUsedAt", "is", null), eb("lastUsedAt", "<", now)]))
      .execute();
  } catch (error) {
    // A disk that is full is no reason to show nobody anything.
    log.warn({ err: error }, "the last use of a session was not written down");
  }
}

async function prolong({ auth, log }: Services, headers: Headers): Promise<string[]> {
  try {
    const response = await auth.api.getSession({
      headers: withPlainCookies(headers),
      asResponse: true,
    });
    return response.headers.getSetCookie();
  } catch (error) {
    // It is good for weeks still, and the next page asks again.
    log.warn({ err: error }, "a session was not prolonged");
    return [];
  }
}
