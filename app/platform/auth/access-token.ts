import type { RegularTask } from "../jobs/regular.ts";
import type { Services } from "../services.ts";
import { accessTokenSeconds, retiredKeySeconds } from "./plugins.ts";
import { findSessionById, type SessionRow } from "./session-row.ts";

/** An access token for a session, and when it ends. */
export type AccessToken = { accessToken: string; expiresAt: Date };

/** Signs a token for programs: who, and in which session. It is good for ten minutes. */
export async function signAccessToken(
  { auth }: Services,
  { id, sessionId }: SessionRow,
): Promise<AccessToken> {
  const issuedAt = Math.floor(Date.now() / 1000);
  const { token } = await auth.api.signJWT({
    body: { payload: { sub: id, sid: sessionId, iat: issuedAt } },
  });
  return { accessToken: token, expiresAt: new Date((issuedAt + accessTokenSeconds) * 1000) };
}

/**
 * The session that an access token speaks for. A signature that is wrong, a token that is over,
 * a session that has ended since: all are null, none is thrown (spec 8).
 */
export async function readAccessToken(services: Services, token: string) {
  const { payload } = await services.auth.api.verifyJWT({ body: { token } });
  if (typeof payload?.sid !== "string") return null;
  const session = await findSessionById(services, payload.sid);
  return session && session.id === payload.sub && !session.isPending ? session : null;
}

/**
 * Lets the keys that sign now sign no more, and makes a new one. Tokens that they have signed stay
 * good until they are over: the old keys are published for a day.
 * @returns the id of the new key
 */
export async function rotateSigningKeys({ db, auth }: Services): Promise<string> {
  await db.write
    .updateTable("jwks")
    .set({ expiresAt: new Date() })
    .where((eb) => eb.or([eb("expiresAt", "is", null), eb("expiresAt", ">", new Date())]))
    .execute();
  // Signing makes a key when there is none.
  const { token } = await auth.api.signJWT({ body: { payload: { sub: "nobody" } } });
  const [head = ""] = token.split(".");
  return String(JSON.parse(Buffer.from(head, "base64url").toString()).kid);
}

/** Takes keys away that have signed nothing that could still be good. */
export const forgetKeys: RegularTask = {
  name: "auth.forget-keys",
  async run({ db }) {
    await db.write
      .deleteFrom("jwks")
      .where("expiresAt", "<", new Date(Date.now() - retiredKeySeconds * 1000))
      .execute();
  },
};
