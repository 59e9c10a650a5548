import { goodPassword } from "../../support/accounts.ts";
import { byRole, type Expected, type Row, same } from "./row.ts";

const at = "/api/auth";
const refused = (status: number, code: string) => same({ status, has: [`"${code}"`] });
const signedOut = { status: 401, has: ['"UNAUTHORIZED"'] };
/** Answered before the library: pages of the site do it, with a press. */
const closed = same({ status: 404, has: ['"not_found"'] });
const unknown = { email: "nobody@example.com" };

/** Something that only whoever is signed in may ask for. */
const forSomebody = (expected: Expected) => byRole(signedOut, expected, expected);

const get = (path: string, expect: Row["expect"], query = ""): Row => ({
  pattern: at + path,
  what: "asked",
  ask: () => ({ path: at + path.replace(":id", "none") + query }),
  expect,
});
const post = (path: string, json: unknown, expect: Row["expect"]): Row => ({
  pattern: at + path,
  what: "told",
  method: "POST",
  ask: () => ({ path: at + path.replace(":id", "none"), json }),
  expect,
});

/** Every operation of the authentication library that is open, by its own address. */
export const authRows: Row[] = [
  get(
    "/get-session",
    byRole(
      { status: 200, has: ["null"] },
      { status: 200, has: ['"role":"student"'] },
      { status: 200, has: ['"role":"student"'] },
      { status: 200, has: ['"role":"admin"'] },
    ),
  ),
  post("/get-session", {}, 405),
  post("/sign-out", {}, same({ status: 200, has: ['"success":true'] })),
  post("/sign-up/email", { ...unknown, name: "", password: "x" }, refused(400, "VALIDATION")),
  post(
    "/sign-in/email",
    { ...unknown, password: goodPassword },
    refused(401, "INVALID_EMAIL_OR_PASSWORD"),
  ),
  post("/reset-password", { token: "x", newPassword: goodPassword }, refused(400, "INVALID_TOKEN")),
  get("/verify-email", closed, "?token=x"),
  post(
    "/send-verification-email",
    unknown,
    byRole(
      { status: 200, has: ['{"status":true}'] },
      { status: 400, has: ['"EMAIL_MISMATCH"'] },
      { status: 400, has: ['"EMAIL_MISMATCH"'] },
    ),
  ),
  post("/request-password-reset", unknown, same({ status: 200, has: ['"status":true'] })),
  get("/jwks", same({ status: 200, has: ['"keys":[', '"EdDSA"'], hasNot: ['"d":'] })),
  get("/token", forSomebody({ status: 200, has: ['"token":"'] })),
  get("/passkey/generate-register-options", forSomebody({ status: 200, has: ['"challenge"'] })),
  get("/passkey/generate-authenticate-options", same({ status: 200, has: ['"challenge"'] })),
  post("/passkey/verify-registration", { response: {} }, closed),
  post(
    "/passkey/verify-authentication",
    { response: { id: "x" } },
    refused(400, "CHALLENGE_NOT_FOUND"),
  ),
  get("/callback/:id", same({ status: 302, location: /\/auth\?error=state_not_found$/ })),
  post("/callback/:id", {}, 404),
  get("/ok", closed),
  get("/error", closed),
  {
    pattern: `${at}/*`,
    what: "no such operation",
    ask: () => ({ path: `${at}/none` }),
    expect: same({ status: 404, has: ['"not_found"'] }),
  },
];
