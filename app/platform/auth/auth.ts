import { betterAuth } from "better-auth";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { hashPassword, verifyPassword } from "better-auth/crypto";
import pLimit from "p-limit";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { newId } from "../db/ids.ts";
import type { Log } from "../log/log.ts";

/** Header in which the server tells the authentication library the caller's address. */
export const clientAddressHeader = "x-blue-dot-client-address";

/** How long a session lives without use, and after what use it is prolonged, in seconds. */
export const sessionSeconds = 30 * 24 * 3600;
export const sessionUpdateSeconds = 24 * 3600;

/** How long the links of letters work, in seconds. */
export const verifySeconds = 24 * 3600;
export const resetSeconds = 3600;

export const cookiePrefix = "blue-dot";

type Person = { id: string; name: string; email: string };

/** What the product adds to the library: its letters and its rules for what people type. */
export type AuthHooks = {
  verifyEmail(person: Person, link: { token: string; redirectTo: string }): Promise<void>;
  resetPassword(person: Person, link: { token: string; redirectTo: string }): Promise<void>;
  alreadyRegistered(person: Person & { emailVerified: boolean }): Promise<void>;
  /** The first thing wrong with the fields of a request, or null. */
  complain(
    operation: "sign-up" | "sign-in" | "reset",
    body: Record<string, unknown>,
  ): string | null;
};

const ruledPaths = {
  "/sign-up/email": "sign-up",
  "/sign-in/email": "sign-in",
  "/reset-password": "reset",
} as const;

/** Operations of the library that no page of the site uses yet. */
const closedPaths = [
  "/account-info",
  "/change-email",
  "/change-password",
  "/delete-user",
  "/get-access-token",
  "/link-social",
  "/list-accounts",
  "/refresh-token",
  "/sign-in/social",
  "/unlink-account",
  "/update-user",
];

// scrypt fills a core for 80 ms; the thread pool it runs on also reads files.
const hashing = pLimit(2);

function callbackOf(url: string): string {
  return new URL(url).searchParams.get("callbackURL") ?? "/";
}

/** The authentication library, set up for this site, on the site's own database. */
export function createAuth(parts: { config: Config; db: Database; log: Log; hooks: AuthHooks }) {
  const { config, db, log, hooks } = parts;
  return betterAuth({
    baseURL: config.appUrl,
    basePath: "/api/auth",
    secret: config.authSecret,
    database: { db: db.write, type: db.engine, transaction: false },
    telemetry: { enabled: false },
    // The library writes e-mail addresses into its messages.
    logger: {
      level: "error",
      log: (_, message) => log.error({ part: "auth" }, message.slice(0, 80)),
    },
    // Its own way writes refusals, with what people typed, to standard error.
    onAPIError: {
      onError(error) {
        if (!(error instanceof APIError) || error.statusCode >= 500)
          log.error({ part: "auth", err: error }, "an authentication request failed");
      },
    },
    disabledPaths: closedPaths,
    user: {
      modelName: "profiles",
      additionalFields: { role: { type: "string", input: false, defaultValue: "student" } },
    },
    session: {
      modelName: "sessions",
      expiresIn: sessionSeconds,
      updateAge: sessionUpdateSeconds,
      cookieCache: { enabled: false },
    },
    account: { modelName: "accounts" },
    verification: { modelName: "verifications" },
    rateLimit: {
      enabled: true,
      storage: "database",
      modelName: "rateLimits",
      window: 60,
      max: 200,
      customRules: {
        "/get-session": false,
        "/sign-in/email": { window: 60, max: 10 },
        "/sign-up/email": { window: 60, max: 5 },
        "/request-password-reset": { window: 60, max: 5 },
        "/send-verification-email": { window: 60, max: 5 },
        "/reset-password": { window: 60, max: 10 },
        "/verify-email": { window: 60, max: 30 },
      },
    },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: 8,
      maxPasswordLength: 100,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: resetSeconds,
      password: {
        hash: (password) => hashing(() => hashPassword(password)),
        verify: (data) => hashing(() => verifyPassword(data)),
      },
      sendResetPassword: ({ user, url, token }) =>
        hooks.resetPassword(user, { token, redirectTo: callbackOf(url) }),
      onPasswordReset: async ({ user }) => {
        await db.write
          .updateTable("profiles")
          .set({ emailVerified: true })
          .where("id", "=", user.id)
          .execute();
      },
      onExistingUserSignUp: ({ user }) => hooks.alreadyRegistered(user),
    },
    emailVerification: {
      sendOnSignUp: true,
      autoSignInAfterVerification: true,
      expiresIn: verifySeconds,
      sendVerificationEmail: ({ user, url, token }) =>
        hooks.verifyEmail(user, { token, redirectTo: callbackOf(url) }),
    },
    hooks: {
      before: createAuthMiddleware(async (context) => {
        const operation = ruledPaths[context.path as keyof typeof ruledPaths];
        const message = operation && hooks.complain(operation, context.body ?? {});
        if (message) throw new APIError("BAD_REQUEST", { code: "VALIDATION", message });
      }),
    },
    advanced: {
      cookiePrefix,
      useSecureCookies: config.appUrl.startsWith("https:"),
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
  });
}

export type Auth = ReturnType<typeof createAuth>;
