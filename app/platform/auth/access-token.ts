import type { AuthServices } from "./auth.ts";
import { accessTokenSeconds, retiredKeySeconds } from "./constants.ts";
import {
  type CurrentUser,
  noSession,
  readingOf,
  readSession,
  type SessionReading,
} from "./session.ts";
import { findSessionById, type SessionRow } from "./session-row.ts";

export type AccessToken = { accessToken: string; expiresAt: Date };

/** Signs an access token, valid for ten minutes, that names the user and the session. */
export async function signAccessToken(
  { auth }: Pick<AuthServices, "auth">,
  { id, sessionId }: SessionRow,
): Promise<AccessToken> {
  const issuedAt = Math.floor(Date.now() / 1000);
  const { token } = await auth.api.signJWT({
    body: { payload: { sub: id, sid: sessionId, iat: issuedAt } },
  });
  return { accessToken: token, expiresAt: new Date((issuedAt + accessTokenSeconds) * 1000) };
}

/** The session of an access token; null if it is invalid or expired, or the session ended. */
export async function readAccessToken(services: AuthServices, token: string) {
  const { payload } = await services.auth.api.verifyJWT({ body: { token } });
  if (typeof payload?.sid !== "string") return null;
  const session = await findSessionById(services, payload.sid);
  return session && session.id === payload.sub && !session.isPending ? session : null;
}

/** Rotates the signing keys; old ones stay published for a day. @returns the id of the new key */
export async function rotateSigningKeys({
  db,
  auth,
}: Pick<AuthServices, "db" | "auth">): Promise<string> {
  await db.write
    .updateTable("jwks")
    .set({ expiresAt: new Date() })
    .where((eb) => eb.or([eb("expiresAt", "is", null), eb("expiresAt", ">", new Date())]))
    .execute();
  // Signing creates a key when there is none.
  const { token } = await auth.api.signJWT({ body: { payload: { sub: "nobody" } } });
  const [head = ""] = token.split(".");
  return String(JSON.parse(Buffer.from(head, "base64url").toString()).kid);
}

export const deleteRetiredKeys = {
  name: "auth.forget-keys",
  async run({ db }: Pick<AuthServices, "db">): Promise<void> {
    await db.write
      .deleteFrom("jwks")
      .where("expiresAt", "<", new Date(Date.now() - retiredKeySeconds * 1000))
      .execute();
  },
};

/** The caller of an `/api` operation. An access token, if sent, decides alone; else the cookie. */
export async function readCaller(
  services: AuthServices,
  headers: Headers,
): Promise<CurrentUser | null> {
  return (await readCallerSession(services, headers)).viewer;
}

/** Like `readCaller`, including users who must first give a second factor or decide on deletion. */
export async function readCallerSession(
  services: AuthServices,
  headers: Headers,
): Promise<SessionReading> {
  const shown = headers.get("authorization");
  if (shown === null) return readSession(services, headers);
  const [, token] = /^Bearer +(\S+)$/i.exec(shown) ?? [];
  const session = token ? await readAccessToken(services, token) : null;
  return session ? readingOf(session) : noSession;
}
