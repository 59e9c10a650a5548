import { APIError, type createAuthMiddleware } from "better-auth/api";
import type { Config } from "../config/config.ts";
import { keyedHash, readToken, signToken } from "../crypto/signed-token.ts";
import type { Database } from "../db/database.ts";
import { newId } from "../db/ids.ts";
import { type Limit, limitsOfPlace, uncount, withinLimit, withinLimits } from "../db/rate-limit.ts";
import type { Log } from "../log/log.ts";
import type { Clock } from "../utils/clock.ts";
import { clientAddressHeader, cookiePrefix } from "./constants.ts";
import type { AuthHooks } from "./hooks.ts";

type Needs = { db: Database; clock: Clock; config: Config; log: Log };
type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];
type Asking = { email: string; address: string };

/** Limits for failed sign-ins (docs/decisions/014). Successful attempts are not counted. */
export const signInLimits = {
  network: { what: "sign-in-network", max: 100, windowSeconds: 3600 },
  account: { what: "sign-in-account", max: 10, windowSeconds: 3600 },
  device: { what: "sign-in-device", max: 10, windowSeconds: 3600 },
} as const;

const isWayIn = (path: string) => path !== "/verify-email";

const purpose = "device";
const deviceSeconds = 180 * 24 * 3600;

/** Counts sign-in attempts per network, and per account or known device. */
export function signInTries(
  services: Needs,
  hooks: Pick<AuthHooks, "onNewDevice" | "onSignInLimit">,
) {
  const { config } = services;
  const secret = config.authSecret;
  const cookie = `${cookiePrefix}.device`;
  const plain = (email: unknown) => String(email).trim().toLowerCase();
  const hashOf = (email: string) => keyedHash(secret, purpose, email).toString("base64url");
  // The user who reset a password in this request; the library does not tell afterwards.
  const renewed = new WeakMap<Request, string>();

  function deviceOf(context: Context, email: string): string | null {
    const [id, hash] =
      readToken(secret, purpose, context.getCookie(cookie) ?? "")?.split("~") ?? [];
    return id && hash === hashOf(email) ? id : null;
  }

  function limitsOf(context: Context, { email, address }: Asking): Limit[] {
    // A known device has its own count for the account, so guesses do not lock out the owner. Its
    // cookie grants nothing else.
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
    /** @throws the library's 429 when a limit is exceeded */
    async before(context: Context): Promise<void> {
      for (const limit of limitsOf(context, askingOf(context))) {
        if (await withinLimit(services, limit)) continue;
        if (limit.what === signInLimits.account.what) await hooks.onSignInLimit(limit.whose);
        throw new APIError("TOO_MANY_REQUESTS", { message: "Too many requests." });
      }
    },
    /** Uncounts the attempt after a successful sign-in and remembers the device. */
    async after(context: Context): Promise<void> {
      const { session, user } = context.context.newSession ?? {};
      const email = user?.email;
      if (session && user && isWayIn(context.path) && !deviceOf(context, plain(email)))
        await hooks.onNewDevice(user.id, session.userAgent ?? null);
      if (email && context.path === "/sign-in/email")
        for (const limit of limitsOf(context, askingOf(context))) await uncount(services, limit);
      const known = email ?? (context.request && renewed.get(context.request));
      if (known) remember(context, plain(known));
    },
    /** Remembers the device of a user who reset the password: they have access to the mailbox. */
    onPasswordReset(email: string, request: Request | undefined): void {
      if (request) renewed.set(request, email);
    },
  };
}

/** Rate-limit storage for the library: our counters, one statement, no addresses stored. */
export function libraryLimits(services: Needs) {
  return {
    async consume(key: string, { window, max }: { window: number; max: number }) {
      // The library's key is the client address (or its first 64 bits) and the operation.
      const [address = "", operation = ""] = key.split("|");
      const limit = { what: "auth", max, windowSeconds: window };
      const allowed = await withinLimits(services, limitsOfPlace(limit, address, operation));
      return { allowed, retryAfter: allowed ? null : window };
    },
  };
}
