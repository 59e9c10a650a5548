import type { Context } from "hono";
import { z } from "zod";
import { readCaller, signAccessToken } from "~/platform/auth/access-token.ts";
import { noteOf, readingOf, readSession } from "~/platform/auth/session.ts";
import { findSessionByRefreshToken } from "~/platform/auth/session-row.ts";
import { withinPlace } from "~/platform/db/rate-limit.ts";
import type { Env } from "~/platform/http/middleware.ts";
import type { Services } from "~/platform/http/services.ts";
import { errorResponse } from "~/platform/utils/errors.ts";

const noStore = { "Cache-Control": "no-store" };

/** `GET /api/session`: the `{session}` of the caller, extended when that is due; null
 * without valid credentials (spec 7, 'Get session'). */
export async function currentSession(services: Services, { req }: Context): Promise<Response> {
  const reading = await readSession(services, req.raw.headers);
  const headers = new Headers(noStore);
  for (const cookie of reading.setCookies) headers.append("Set-Cookie", cookie);
  return Response.json({ session: noteOf(reading) }, { headers });
}

/** `POST /api/verify-admin`: `{isAdmin}` (spec 7). */
export async function verifyAdmin(services: Services, { req }: Context): Promise<Response> {
  const viewer = await readCaller(services, req.raw.headers);
  return Response.json({ isAdmin: viewer?.role === "admin" });
}

const refreshGrant = z.object({
  grant_type: z.literal("refresh_token"),
  refresh_token: z.string().min(1).max(1000),
});

const exchangesAMinute = 60;

/** `POST /api/auth/token {grant_type: "refresh_token", refresh_token}`: a short-lived access
 * token for programs (spec 7, 'token with refresh grant'). The refresh token is the value of the
 * session's cookie and ends with the session. 400 for another grant, 401 for an invalid token. */
export async function exchangeToken(services: Services, c: Context<Env>): Promise<Response> {
  const limit = { what: "token", max: exchangesAMinute, windowSeconds: 60 };
  if (!(await withinPlace(services, limit, c.get("clientAddress"))))
    return errorResponse("rate_limited", "Too many requests. Please wait a minute.");
  const parsed = refreshGrant.safeParse(await c.req.json().catch(() => null));
  if (!parsed.success)
    return errorResponse("invalid", "Send {grant_type: 'refresh_token', refresh_token}.");
  const refreshToken = parsed.data.refresh_token;
  const session = await findSessionByRefreshToken(services, refreshToken);
  // Nor while two-factor is pending, or while account deletion is scheduled.
  if (!session || !readingOf(session).viewer)
    return errorResponse("unauthenticated", "This refresh token is no good, or no longer.");
  const { accessToken, expiresAt } = await signAccessToken(services, session);
  return Response.json(
    {
      access_token: accessToken,
      token_type: "bearer",
      expires_in: Math.round((expiresAt.getTime() - Date.now()) / 1000),
      expires_at: Math.floor(expiresAt.getTime() / 1000),
      refresh_token: refreshToken,
      user: { id: session.id },
    },
    { headers: noStore },
  );
}

/** `GET /.well-known/jwks.json`: the public keys that verify access tokens. */
export async function keySet({ auth }: Services): Promise<Response> {
  const keys = await auth.api.getJwks();
  return Response.json(keys, { headers: { "Cache-Control": "public, max-age=300" } });
}
