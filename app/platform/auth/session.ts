import { createHmac, timingSafeEqual } from "node:crypto";
import type { Role } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { cookiePrefix, sessionSeconds, sessionUpdateSeconds } from "./auth.ts";

/** Somebody who is signed in. */
export type Viewer = { id: string; name: string; email: string; role: Role };

/**
 * A session as read from a request; `setCookies` prolong it when they are due. `timeZone` is the
 * viewer's as it is stored.
 */
export type SessionReading = {
  viewer: Viewer | null;
  timeZone: string | null;
  setCookies: string[];
};

const nobody: SessionReading = { viewer: null, timeZone: null, setCookies: [] };

/**
 * Who sent this request. The cookie's signature is checked first and the session
 * is then read in one join: ten times cheaper than asking the library, which is
 * asked only when the session is due to be prolonged.
 */
export async function readSession(services: Services, headers: Headers): Promise<SessionReading> {
  const token = sessionToken(headers, services.config);
  if (!token) return nobody;
  const row = await services.db.read
    .selectFrom("sessions")
    .innerJoin("profiles", "profiles.id", "sessions.userId")
    .select(["profiles.id", "profiles.name", "profiles.email", "profiles.role"])
    .select(["profiles.timeZone", "sessions.expiresAt"])
    .where("sessions.token", "=", token)
    .executeTakeFirst();
  // Sessions are the library's, which reads the machine's own clock.
  const left = row ? row.expiresAt.getTime() - Date.now() : 0;
  if (!row || left <= 0) return nobody;
  const { expiresAt: _, timeZone, ...viewer } = row;
  const due = left < (sessionSeconds - sessionUpdateSeconds) * 1000;
  return { viewer, timeZone, setCookies: due ? await prolong(services, headers) : [] };
}

async function prolong({ auth }: Services, headers: Headers): Promise<string[]> {
  const response = await auth.api.getSession({ headers, asResponse: true });
  return response.headers.getSetCookie();
}

function sessionToken(headers: Headers, config: Services["config"]): string | null {
  const secure = config.appUrl.startsWith("https:") ? "__Secure-" : "";
  const value = readCookie(headers, `${secure}${cookiePrefix}.session_token`);
  const dot = value?.lastIndexOf(".") ?? -1;
  if (!value || dot < 1) return null;
  const token = value.slice(0, dot);
  const given = Buffer.from(value.slice(dot + 1), "base64");
  const wanted = createHmac("sha256", config.authSecret).update(token).digest();
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? token : null;
}

/** The value of a cookie, percent-decoded; null when it is absent or cannot be decoded. */
export function readCookie(headers: Headers, name: string): string | null {
  for (const part of headers.get("cookie")?.split(";") ?? []) {
    const equals = part.indexOf("=");
    if (part.slice(0, equals).trim() !== name) continue;
    try {
      return decodeURIComponent(part.slice(equals + 1).trim());
    } catch {
      return null;
    }
  }
  return null;
}
