import type { Role } from "../db/tables.ts";
import type { AuthServices } from "./auth.ts";
import { sessionSeconds, sessionUpdateSeconds } from "./constants.ts";
import { withPlainCookies } from "./cookies.ts";
import { findSession, type SessionRow } from "./session-row.ts";

export type CurrentUser = { id: string; name: string; email: string; role: Role };

export type CurrentSession = {
  id: string;
  expiresAt: Date;
  secondFactorAt: Date | null;
  hasFactor: boolean;
};

/** An absent or invalid session has no viewer (spec 8, 'Authentication service internals'). */
export type SessionReading = {
  viewer: CurrentUser | null;
  session: CurrentSession | null;
  /** A user who still has to give the second factor; they are not a viewer until then. */
  pending: CurrentUser | null;
  /** A user whose account will be deleted; they are no viewer unless they cancel the deletion. */
  pendingDeletion: (CurrentUser & { deletionDueAt: Date }) | null;
  /** The viewer would be an administrator with a second factor (ADMIN_SECOND_FACTOR). */
  lacksFactor: boolean;
  timeZone: string | null;
  /** The viewer chose the zone themselves, so it applies on every device. */
  isZoneChosen: boolean;
  /** Cookies that extend the session, when that is due. */
  setCookies: string[];
};

export const noSession: SessionReading = {
  viewer: null,
  session: null,
  pending: null,
  pendingDeletion: null,
  lacksFactor: false,
  timeZone: null,
  isZoneChosen: false,
  setCookies: [],
};

// Precision of `sessions.last_used_at`, in milliseconds; exact times would be a write per request.
const lastUseMs = 15 * 60_000;

/** Ten times cheaper than the library, which is asked only when the session must be extended. */
export async function readSession(
  services: AuthServices,
  headers: Headers,
): Promise<SessionReading> {
  const row = await findSession(services, headers);
  if (!row) return noSession;
  const reading = readingOf(row);
  if (!reading.viewer) return reading;
  await noteUse(services, row);
  const left = row.expiresAt.getTime() - Date.now();
  const isDue = left < (sessionSeconds - sessionUpdateSeconds) * 1000;
  return isDue ? { ...reading, setCookies: await prolong(services, headers) } : reading;
}

export function readingOf(row: SessionRow): SessionReading {
  const { id, name, email, role, secondFactorAt, expiresAt, isPending, deletionDueAt } = row;
  const person = { id, name, email, role };
  const isIn = !isPending && !deletionDueAt;
  return {
    viewer: isIn ? person : null,
    pending: isPending ? person : null,
    pendingDeletion: !isPending && deletionDueAt ? { ...person, deletionDueAt } : null,
    session: { id: row.sessionId, expiresAt, secondFactorAt, hasFactor: Boolean(row.hasFactor) },
    lacksFactor: row.lacksFactor,
    timeZone: isPending ? null : row.timeZone,
    isZoneChosen: !isPending && row.timeZoneChosenAt !== null,
    setCookies: [],
  };
}

async function noteUse({ db, log }: AuthServices, { sessionId, lastUsedAt }: SessionRow) {
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
    // A failed write, for example on a full disk, must not break pages.
    log.warn({ err: error }, "the last use of a session was not written down");
  }
}

async function prolong({ auth, log }: AuthServices, headers: Headers): Promise<string[]> {
  try {
    const response = await auth.api.getSession({
      headers: withPlainCookies(headers),
      asResponse: true,
    });
    return response.headers.getSetCookie();
  } catch (error) {
    // The session is still valid for weeks, and the next page tries again.
    log.warn({ err: error }, "a session was not prolonged");
    return [];
  }
}

/** What a browser may store about its session; no secret. Level 2: two-factor. */
export type SessionNote = {
  userId: string;
  expiresAt: string;
  factors: { status: "verified"; factorType: "totp" }[];
  level: 1 | 2;
};

export function noteOf({ viewer, session }: SessionReading): SessionNote | null {
  if (!viewer || !session) return null;
  return {
    userId: viewer.id,
    expiresAt: session.expiresAt.toISOString(),
    factors: session.hasFactor ? [{ status: "verified", factorType: "totp" }] : [],
    level: session.secondFactorAt ? 2 : 1,
  };
}
