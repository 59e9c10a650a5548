import { betterAuth } from "better-auth";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { jwt } from "better-auth/plugins";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { newId } from "../db/ids.ts";
import type { Log } from "../log/log.ts";
import type { Clock } from "../utils/clock.ts";
import { beforeOperation } from "./before.ts";
import { markEmailVerified } from "./confirm.ts";
import { constantAnswer } from "./constant-answers.ts";
import {
  accessTokenSeconds,
  clientAddressHeader,
  cookiePrefix,
  freshSeconds,
  resetSeconds,
  retiredKeySeconds,
  sessionSeconds,
  sessionUpdateSeconds,
  verifySeconds,
} from "./constants.ts";
import { passwordQueue } from "./hash-queue.ts";
import type { AuthHooks } from "./hooks.ts";
import { passkeys } from "./passkey-plugin.ts";
import { hashPassword, verifyPassword } from "./password-hash.ts";
import { closedPaths, pathLimits } from "./paths.ts";
import { providerSignIn } from "./provider-plugin.ts";
import { sessionWithLevel, tokenOf } from "./session-row.ts";
import { endOldestSessions } from "./sessions.ts";
import { libraryLimits, signInTries } from "./sign-in-tries.ts";

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

// Read-only operations would add a log line for every page.
const quiet = new Set(["/get-session", "/jwks"]);

/** Logs an operation of the library: path, outcome and user id. User input is never logged. */
function logOperation(log: Log, { path, context }: Context): void {
  if (quiet.has(path)) return;
  const { returned, newSession } = context;
  const refusal = returned instanceof APIError ? returned : null;
  // The library throws redirects as APIError, too.
  const isRefused = refusal !== null && refusal.statusCode >= 400;
  const outcome = isRefused ? (refusal.body?.code ?? String(refusal.statusCode)) : "done";
  log.info({ part: "auth", operation: path, outcome, userId: newSession?.user.id }, "sign-in");
}

function callbackOf(url: string): string {
  return new URL(url).searchParams.get("callbackURL") ?? "/";
}

// Removes the session token from answers: scripts do not need it, and it is in an HttpOnly cookie.
// `/token` is exempt: its token is an access token, valid for ten minutes.
function withoutSessionToken(path: string, returned: unknown): object | null {
  if (path === "/token" || typeof returned !== "object" || returned === null) return null;
  const { token, ...answer } = returned as { token?: unknown; session?: unknown };
  const { session } = answer;
  if (typeof session !== "object" || session === null) return token === undefined ? null : answer;
  const { token: _, ...plain } = session as { token?: unknown };
  return { ...answer, session: plain };
}

export function createAuth(parts: {
  config: Config;
  db: Database;
  clock: Clock;
  log: Log;
  hooks: AuthHooks;
}) {
  const { config, db, log, hooks } = parts;
  const tries = signInTries(parts, hooks);
  return betterAuth({
    baseURL: config.appUrl,
    basePath: "/api/auth",
    secret: config.authSecret,
    database: { db: db.write, type: db.engine, transaction: false },
    telemetry: { enabled: false },
    // The library's messages hold user input after a colon, and it logs user mistakes as errors.
    // Its own failures reach `onError`.
    logger: {
      level: "error",
      log: (_, message) => log.warn({ part: "auth" }, message.split(":")[0]?.slice(0, 80) ?? ""),
    },
    // The library's default writes refusals, including user input, to standard error.
    onAPIError: {
      // For provider callbacks whose state is unknown, and with it the page to return to.
      errorURL: `${config.appUrl}/auth`,
      onError(error) {
        // Two packages of the library export a class named APIError, so `instanceof` is unreliable.
        const { statusCode } = error as { statusCode?: unknown };
        if (typeof statusCode !== "number" || statusCode >= 500)
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
      freshAge: freshSeconds,
      cookieCache: { enabled: false },
      additionalFields: {
        secondFactorAt: { type: "date", required: false, input: false },
        lastUsedAt: { type: "date", required: false, input: false },
      },
    },
    account: { modelName: "accounts" },
    // Link tokens are stored as hashes: reading the database is not enough to follow a link.
    verification: { modelName: "verifications", storeIdentifier: "hashed" },
    databaseHooks: {
      user: {
        create: {
          // The library accepts external picture URLs, and nothing shows them.
          before: async (user) => ({ data: { ...user, name: user.name.trim(), image: null } }),
        },
      },
      session: {
        create: {
          before: async (session, context) => {
            const refusal = await hooks.refuseSession(session.userId);
            if (refusal) throw new APIError("FORBIDDEN", refusal);
            const level = await sessionWithLevel({ db, config }, session, context?.path);
            return { data: { ...session, ...level } };
          },
          after: async ({ id, userId, token }, context) => {
            // The account may have been suspended while the session was being created.
            const isRefused = await hooks.refuseSession(userId);
            // Nothing refers any more to the session that this browser had before.
            const former = context?.headers ? tokenOf(context.headers, config) : null;
            const over = db.write.deleteFrom("sessions");
            if (isRefused) await over.where("id", "=", id).execute();
            if (former && former !== token) await over.where("token", "=", former).execute();
            await endOldestSessions(db, userId, id);
          },
        },
      },
    },
    plugins: [
      jwt({
        jwks: { gracePeriod: retiredKeySeconds },
        jwt: {
          issuer: config.appUrl,
          audience: config.appUrl,
          expirationTime: `${accessTokenSeconds}s`,
          definePayload: ({ session }) => ({ sid: session.id }),
        },
        disableSettingJwtHeader: true,
      }),
      passkeys({ config, db }),
      providerSignIn(parts),
      passwordQueue,
    ],
    rateLimit: {
      enabled: true,
      // The library's own storage would delete counters of ours that have a longer window.
      customStorage: libraryLimits(parts),
      window: 60,
      max: 200,
      customRules: pathLimits,
    },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      minPasswordLength: 8,
      maxPasswordLength: 100,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: resetSeconds,
      password: { hash: hashPassword, verify: verifyPassword },
      sendResetPassword: ({ user, url, token }) =>
        hooks.resetPassword(user, { token, redirectTo: callbackOf(url) }),
      onPasswordReset: async ({ user }, request) => {
        tries.onPasswordReset(user.email, request);
        await markEmailVerified(db, user.id);
        await hooks.passwordChosen(user.id);
      },
      onExistingUserSignUp: ({ user }) => hooks.alreadyRegistered(user),
    },
    emailVerification: {
      sendOnSignUp: true,
      // Sent to anyone who knows the password of an unconfirmed account (constant-answers.ts).
      sendOnSignIn: true,
      autoSignInAfterVerification: true,
      expiresIn: verifySeconds,
      sendVerificationEmail: ({ user, url, token }) =>
        hooks.verifyEmail(user, { token, redirectTo: callbackOf(url) }),
    },
    hooks: {
      before: beforeOperation(hooks, { db, config }, tries),
      after: createAuthMiddleware(async (context) => {
        logOperation(log, context);
        await tries.after(context);
        const answered = await constantAnswer(parts, context);
        if (answered) return answered;
        const { returned } = context.context;
        // Calls from within the process get the full answer, including access tokens.
        if (!context.request || returned instanceof APIError) return;
        const answer = withoutSessionToken(context.path, returned);
        if (answer) return context.json(answer);
      }),
    },
    advanced: {
      cookiePrefix,
      // http/middleware.ts adds Secure and the __Host- prefix when cookies leave the site.
      useSecureCookies: false,
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
  });
}

export type Auth = ReturnType<typeof createAuth>;

export type AuthServices = { auth: Auth; config: Config; db: Database; log: Log };
