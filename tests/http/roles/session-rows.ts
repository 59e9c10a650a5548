import { at, byRole, type Row, same } from "./row.ts";

const level = { status: 200, has: ['"level":1', '"factors":[]'] };

export const sessionRows: Row[] = [
  {
    pattern: "/api/session",
    what: "what the browser may know of one's session",
    ask: at("/api/session"),
    expect: byRole({ status: 200, has: ['{"session":null}'] }, level, level),
  },
  {
    pattern: "/api/clear-cache",
    what: "what the browser has cached of this site",
    method: "POST",
    ask: () => ({ path: "/api/clear-cache" }),
    expect: same({ status: 204 }),
  },
  {
    pattern: "/.well-known/jwks.json",
    what: "the keys of access tokens",
    ask: at("/.well-known/jwks.json"),
    expect: same({ status: 200, has: ['"keys":[{'], hasNot: ["privateKey", '"d":'] }),
  },
  {
    pattern: "/api/auth/token",
    what: "a refresh token that is none, whatever the cookie",
    method: "POST",
    ask: () => ({
      path: "/api/auth/token",
      json: { grant_type: "refresh_token", refresh_token: "none" },
    }),
    expect: same({ status: 401, has: ['"unauthenticated"'] }),
  },
  {
    pattern: "/api/auth/reset-password/:token",
    what: "leads nowhere",
    ask: at("/api/auth/reset-password/x?callbackURL=/"),
    expect: same({ status: 404, has: ['"not_found"'] }),
  },
];
