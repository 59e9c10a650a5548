import { byRole, get, ok, post, type Row } from "./row.ts";

const level = ok('"level":1', '"factors":[]');

export const sessionRows: Row[] = [
  get(
    "/api/session",
    "what the browser may know of one's session",
    byRole(ok('{"session":null}'), level),
  ),
  post("/api/clear-cache", "what the browser has cached of this site", 204),
  post("/api/preferences", "a theme for this browser", 204, { form: { theme: "dark" } }),
  get("/.well-known/jwks.json", "the keys of access tokens", {
    status: 200,
    has: ['"keys":[{'],
    hasNot: ["privateKey", '"d":'],
  }),
  post(
    "/api/auth/token",
    "a refresh token that is none, whatever the cookie",
    { status: 401, has: ['"unauthenticated"'] },
    { json: { grant_type: "refresh_token", refresh_token: "none" } },
  ),
  get(
    "/api/auth/reset-password/:token",
    "leads nowhere",
    { status: 404, has: ['"not_found"'] },
    "/api/auth/reset-password/x?callbackURL=/",
  ),
];
