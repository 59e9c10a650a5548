import { APIError, type createAuthMiddleware } from "better-auth/api";
import { verifyJWT } from "better-auth/crypto";
import type { Config } from "../config/config.ts";
import { closeBox, openBox } from "../crypto/seal.ts";
import { keyedHash } from "../crypto/signed-token.ts";
import type { Database } from "../db/database.ts";
import { cookiePrefix, sessionSeconds } from "./constants.ts";
import { readCookie } from "./cookies.ts";

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];
type Parts = { db: Database; config: Config };

const purpose = "maker";

const name = `${cookiePrefix}.${purpose}`;
const keyOf = ({ authSecret }: Config) => keyedHash(authSecret, purpose, "");

/** Marks the browser that created an account. Encrypted, so repeated sign-ups look alike. */
export function signUpCookie(config: Config, userId: string) {
  return { name, value: closeBox(keyOf(config), purpose, Buffer.from(userId)) };
}

function madeIn(headers: Headers, config: Config): string | null {
  const value = readCookie(headers, name);
  return value === null ? null : (openBox(keyOf(config), purpose, value)?.toString() ?? null);
}

async function unconfirmed({ db }: Parts, email: unknown) {
  if (typeof email !== "string") return null;
  const row = await db.write
    .selectFrom("profiles")
    .select("id")
    .where("email", "=", email.trim().toLowerCase())
    .where("emailVerified", "=", false)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The account that a token would confirm, unless this browser created it: anyone can sign up with
 * any address, and the mailbox's owner must not confirm a stranger's password (docs/decisions/006).
 * Null when the token may be used here. */
export async function findAccountOfOtherBrowser(parts: Parts, token: string, headers: Headers) {
  const payload = await verifyJWT<{ email?: unknown }>(token, parts.config.authSecret);
  const userId = await unconfirmed(parts, payload?.email);
  return userId === madeIn(headers, parts.config) ? null : userId;
}

/** @throws the library's 401 where {@link findAccountOfOtherBrowser} finds an account */
export async function assertSignUpBrowser(
  parts: Parts,
  { query, headers }: Context,
): Promise<void> {
  const token = String(query?.token ?? "");
  if (!(await findAccountOfOtherBrowser(parts, token, headers ?? new Headers()))) return;
  throw new APIError("UNAUTHORIZED", {
    code: "PASSWORD_REQUIRED",
    message: "Please confirm this address where you signed up, or with your password.",
  });
}

/** Sets {@link signUpCookie}; for a registered address with a random id, which looks the same. */
export async function rememberSignUpBrowser(
  parts: Parts,
  context: Context,
  userId: string,
  email: string,
) {
  const { config } = parts;
  const before = madeIn(context.headers ?? new Headers(), config);
  // The same person signed up again: their unconfirmed account stays the remembered one.
  const isAgain = before !== null && before === (await unconfirmed(parts, email));
  const { name, value } = signUpCookie(config, isAgain ? before : userId);
  const attributes = { path: "/", httpOnly: true, sameSite: "lax" } as const;
  context.setCookie(name, value, { ...attributes, maxAge: sessionSeconds });
}
