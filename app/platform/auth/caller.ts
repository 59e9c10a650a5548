import type { Services } from "../services.ts";
import { readAccessToken } from "./access-token.ts";
import { nobody, readingOf, readSession, type SessionReading, type Viewer } from "./session.ts";

/**
 * Who calls an operation of `/api`: with an access token (`Authorization: Bearer …`), or from a
 * page with its cookie. Whoever shows a token is only who the token says, whatever else is sent.
 */
export async function readCaller(services: Services, headers: Headers): Promise<Viewer | null> {
  return (await readCalling(services, headers)).viewer;
}

/** The same, with who is nobody only until something is decided. */
export async function readCalling(services: Services, headers: Headers): Promise<SessionReading> {
  const shown = headers.get("authorization");
  if (shown === null) return readSession(services, headers);
  const [, token] = /^Bearer +(\S+)$/i.exec(shown) ?? [];
  const session = token ? await readAccessToken(services, token) : null;
  return session ? readingOf(session) : nobody;
}
