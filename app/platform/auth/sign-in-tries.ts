import { APIError, type createAuthMiddleware } from "better-auth/api";
import type { Clock } from "../clock.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { newId } from "../db/ids.ts";
import {
  giveBack,
  type Limit,
  limitsOfPlace,
  withinLimit,
  withinLimits,
} from "../http/rate-limit.ts";
import type { Log } from "../log/log.ts";
import { keyedHash, readToken, signToken } from "../signed-token.ts";
import { clientAddressHeader, cookiePrefix } from "./constants.ts";
import type { AuthHooks } from "./hooks.ts";

type Needs = { db: Database; clock: Clock; config: Config; log: Log };
type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];
type Asking = { email: string; address: string };

/** How often somebody may be wrong, decisions/030. Tries that succeed are given back. */
export const signInLimits = {
  network: { what: "sign-in-network", max: 100, windowSeconds: 3600 },
  account: { what: "sign-in-account", max: 10, windowSeconds: 3600 },
  device: { what: "sign-in-device", max: 10, windowSeconds: 3600 },
} as const;

/** Whoever confirms an address has its letter, and has just made the account. */
const isWayIn = (path: string) => path !== "/verify-email";

const purpose = "device";
const deviceSeconds = 180 * 24 * 3600;

/**
 * Counts tries to sign in by who tries and whose account it is. A device on which somebody has
 * signed in to an account before has a count of its own there, kept in a cookie that gives no
 * right but this: strangers who guess do not lock its owner out.
 */
export function signInTries(services: Needs, hooks: Pick<AuthHooks, "enteredAnew" | "triedOften">) {
  const { config } = services;
  const secret = config.authSecret;
  const cookie = `${cookiePrefix}.device`;
  const plain = (email: unknown) => String(email).trim().toLowerCase();
  const hashOf = (email: string) => keyedHash(secret, purpose, email).toString("base64url");
  /** Whose request it was that set a new password: the library names nobody afterwards. */
  const renewed = new WeakMap<Request, string>();

  /** The id of a device that has been let in to this account before. */
  function deviceOf(context: Context, email: string): string | null {
    const [id, hash] =
      readToken(secret, purpose, context.getCookie(cookie) ?? "")?.split("~") ?? [];
    return id && hash === hashOf(email) ? id : null;
  }

  function limitsOf(context: Context, { email, address }: Asking): Limit[] {
    const device = deviceOf(context, email);
    const own = device
      ? { ...signInLimits.device, whose: device }
      : { ...signInLimits.account, whose: email };
    return [...limitsOfPlace(signInLimits.network, address), own];
  }

  const askingOf = ({ headers, body }: Context): Asking => ({
    email: plain(body?.email),
    address: headers?.get(clientAddressHeader) ?? "",
  });

  function remember(context: Context, email: string) {
    const id = deviceOf(context, email) ?? newId();
    const value = signToken(secret, purpose, `${id}~${hashOf(email)}`);
    const attributes = { path: "/", httpOnly: true, sameSite: "lax" } as const;
    context.setCookie(cookie, value, { ...attributes, maxAge: deviceSeconds });
  }

  return {
    /** @throws the library's 429 when it has been tried too often */
    async before(context: Context): Promise<void> {
      for (const limit of limitsOf(context, askingOf(context))) {
        if (await withinLimit(services, limit)) continue;
        if (limit.what === signInLimits.account.what) await hooks.triedOften(limit.whose);
        throw new APIError("TOO_MANY_REQUESTS", { message: "Too many requests." });
      }
    },
    /** Whoever got in was no stranger: her tries are given back, and her device is known from now on. */
    async after(context: Context): Promise<void> {
      const { session, user } = context.context.newSession ?? {};
      const email = user?.email;
      if (session && user && isWayIn(context.path) && !deviceOf(context, plain(email)))
        await hooks.enteredAnew(user.id, session.userAgent ?? null);
      if (email && context.path === "/sign-in/email")
        for (const limit of limitsOf(context, askingOf(context))) await giveBack(services, limit);
      const known = email ?? (context.request && renewed.get(context.request));
      if (known) remember(context, plain(known));
    },
    /** Whoever sets a new password has the account's mailbox. */
    onPasswordReset(email: string, request: Request | undefined): void {
      if (request) renewed.set(request, email);
    },
  };
}

/** Where the library counts requests: as we do, in one statement, and without anybody's address. */
export function libraryLimits(services: Needs) {
  return {
    async consume(key: string, { window, max }: { window: number; max: number }) {
      // The library's key is the address, or its 64 bits, and the operation.
      const [address = "", operation = ""] = key.split("|");
      const limit = { what: "auth", max, windowSeconds: window };
      const allowed = await withinLimits(services, limitsOfPlace(limit, address, operation));
      return { allowed, retryAfter: allowed ? null : window };
    },
  };
}
