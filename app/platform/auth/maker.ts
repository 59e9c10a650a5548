import { APIError, type createAuthMiddleware } from "better-auth/api";
import { verifyJWT } from "better-auth/crypto";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { closeBox, openBox } from "../sealing/box.ts";
import { keyedHash } from "../signed-token.ts";
import { cookiePrefix, sessionSeconds } from "./constants.ts";
import { readCookie } from "./cookies.ts";

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];
type Parts = { db: Database; config: Config };

const purpose = "maker";

const name = `${cookiePrefix}.${purpose}`;
const keyOf = ({ authSecret }: Config) => keyedHash(authSecret, purpose, "");

/**
 * Name and value of the cookie of a browser in which this account was made. The id is encrypted, so
 * the value is new each time: whoever signs up twice cannot see whether the id stayed the same.
 */
export function makerCookie(config: Config, userId: string) {
  return { name, value: closeBox(keyOf(config), purpose, Buffer.from(userId)) };
}

/** The account that was last made in this browser; null when there is none. */
function madeIn(headers: Headers, config: Config): string | null {
  const value = readCookie(headers, name);
  return value === null ? null : (openBox(keyOf(config), purpose, value)?.toString() ?? null);
}

/** The account with this address that nobody has confirmed. */
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

/**
 * The account that a letter's token would confirm, if it is not known that whoever asks has made
 * it: anybody can sign up with anybody's address, and the owner of the mailbox must not make good
 * what a stranger chose (docs/decisions/006). Null where there is nothing to be shown.
 */
export async function strangersAccount(parts: Parts, token: string, headers: Headers) {
  const payload = await verifyJWT<{ email?: unknown }>(token, parts.config.authSecret);
  const userId = await unconfirmed(parts, payload?.email);
  return userId === madeIn(headers, parts.config) ? null : userId;
}

/** @throws the library's 401 where {@link strangersAccount} finds one */
export async function assertMaker(parts: Parts, { query, headers }: Context): Promise<void> {
  const token = String(query?.token ?? "");
  if (!(await strangersAccount(parts, token, headers ?? new Headers()))) return;
  throw new APIError("UNAUTHORIZED", {
    code: "PASSWORD_REQUIRED",
    message: "Please confirm this address where you signed up, or with your password.",
  });
}

/**
 * Notes in this browser that this account was made in it. Whoever signs up with an address that
 * has one gets the id of none, and cannot tell.
 */
export async function rememberMaker(parts: Parts, context: Context, userId: string, email: string) {
  const { config } = parts;
  const before = madeIn(context.headers ?? new Headers(), config);
  // The same person once more: the account that she has made is still the one.
  const isAgain = before !== null && before === (await unconfirmed(parts, email));
  const { name, value } = makerCookie(config, isAgain ? before : userId);
  const attributes = { path: "/", httpOnly: true, sameSite: "lax" } as const;
  context.setCookie(name, value, { ...attributes, maxAge: sessionSeconds });
}
