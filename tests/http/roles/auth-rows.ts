import { goodPassword } from "../../support/accounts.ts";
import { byRole, type Expected, found, get, ok, post, type Row } from "./row.ts";

const at = "/api/auth";
const refused = (status: number, code: string) => ({ status, has: [`"${code}"`] });
const signedOut = { status: 401, has: ['"UNAUTHORIZED"'] };
/** Answered before the library: pages of the site do it, with a press. */
const closed = { status: 404, has: ['"not_found"'] };
const unknown = { email: "nobody@example.com" };

/** Something that only anyone who is signed in may ask for. */
const forSomebody = (expected: Expected) => byRole(signedOut, expected);

const asked = (path: string, expect: Row["expect"], query = "") =>
  get(at + path, "asked", expect, at + path.replace(":id", "none") + query);
const withBody = (path: string, json: unknown, expect: Row["expect"]) =>
  post(at + path, "with a body", expect, { path: at + path.replace(":id", "none"), json });

/** Every operation of the authentication library that is open, by its own address. */
export const authRows: Row[] = [
  asked(
    "/get-session",
    byRole(ok("null"), ok('"role":"student"'), ok('"role":"student"'), ok('"role":"admin"')),
  ),
  withBody("/get-session", {}, 405),
  withBody("/sign-out", {}, ok('"success":true')),
  withBody("/sign-up/email", { ...unknown, name: "", password: "x" }, refused(400, "VALIDATION")),
  withBody(
    "/sign-in/email",
    { ...unknown, password: goodPassword },
    refused(401, "INVALID_EMAIL_OR_PASSWORD"),
  ),
  withBody(
    "/reset-password",
    { token: "x", newPassword: goodPassword },
    refused(400, "INVALID_TOKEN"),
  ),
  asked("/verify-email", closed, "?token=x"),
  withBody(
    "/send-verification-email",
    unknown,
    byRole(ok('{"status":true}'), { status: 400, has: ['"EMAIL_MISMATCH"'] }),
  ),
  withBody("/request-password-reset", unknown, ok('"status":true')),
  asked("/jwks", { status: 200, has: ['"keys":[', '"EdDSA"'], hasNot: ['"d":'] }),
  asked("/token", forSomebody(ok('"token":"'))),
  asked("/passkey/generate-register-options", forSomebody(ok('"challenge"'))),
  asked("/passkey/generate-authenticate-options", ok('"challenge"')),
  withBody("/passkey/verify-registration", { response: {} }, closed),
  withBody(
    "/passkey/verify-authentication",
    { response: { id: "x" } },
    refused(400, "CHALLENGE_NOT_FOUND"),
  ),
  asked("/callback/:id", found(/\/auth\?error=state_not_found$/)),
  withBody("/callback/:id", {}, 404),
  asked("/ok", closed),
  asked("/error", closed),
  get(`${at}/*`, "no such operation", { status: 404, has: ['"not_found"'] }, `${at}/none`),
];
