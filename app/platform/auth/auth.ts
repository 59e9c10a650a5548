import { betterAuth } from "better-auth";
import { APIError, createAuthMiddleware } from "better-auth/api";
import type { Clock } from "../clock.ts";
import type { Config } from "../config/config.ts";
import type { Database } from "../db/database.ts";
import { newId } from "../db/ids.ts";
import type { Log } from "../log/log.ts";
import { beforeOperation } from "./before.ts";
import { confirmAddress } from "./confirm.ts";
import {
  clientAddressHeader,
  cookiePrefix,
  freshSeconds,
  resetSeconds,
  sessionSeconds,
  sessionUpdateSeconds,
  verifySeconds,
} from "./constants.ts";
import { evenAnswer } from "./even-answers.ts";
import type { AuthHooks } from "./hooks.ts";
import { logOperation } from "./log-operation.ts";
import { endOldest } from "./oldest-sessions.ts";
import { hashPassword, verifyPassword } from "./passwords/password.ts";
import { passwordQueue } from "./passwords/queue.ts";
import { closedPaths, pathLimits } from "./paths.ts";
import { authPlugins, withOwnHandle } from "./plugins.ts";
import { providerSignIn } from "./providers/plugin.ts";
import { levelOfSession } from "./second-factor.ts";
import { tokenOf } from "./session-row.ts";
import { libraryLimits, signInTries } from "./sign-in-tries.ts";

function callbackOf(url: string): string {
  return new URL(url).searchParams.get("callbackURL") ?? "/";
}

/**
 * What an operation answers, without the session's token: scripts have no use for it, and it is in
 * the cookie, which they cannot read. `/token` gives another one, an access token of ten minutes.
 */
function withoutSessionToken(path: string, returned: unknown): object | null {
  if (path === "/token" || typeof returned !== "object" || returned === null) return null;
  const { token, ...answer } = returned as { token?: unknown; session?: unknown };
  const { session } = answer;
  if (typeof session !== "object" || session === null) return token === undefined ? null : answer;
  const { token: _, ...plain } = session as { token?: unknown };
  return { ...answer, session: plain };
}

/** The authentication library, set up for this site, on the site's own database. */
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
    // The library writes into its messages what people typed, behind a colon, and calls their
    // mistakes errors; its own come to `onError`.
    logger: {
      level: "error",
      log: (_, message) => log.warn({ part: "auth" }, message.split(":")[0]?.slice(0, 80) ?? ""),
    },
    // Its own way writes refusals, with what people typed, to standard error.
    onAPIError: {
      // Of the way back from a provider, where nothing is known of where she came from.
      errorURL: `${config.appUrl}/auth`,
      onError(error) {
        // Two packages of the library have a class of this name each.
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
    // Tokens of links are looked up by their hash: whoever reads the database cannot follow them.
    verification: { modelName: "verifications", storeIdentifier: "hashed" },
    databaseHooks: {
      user: {
        create: {
          // Names are trimmed as our forms do it, whatever way they come. Addresses of pictures
          // elsewhere the library takes, and nothing shows them.
          before: async (user) => ({ data: { ...user, name: user.name.trim(), image: null } }),
        },
      },
      session: {
        create: {
          before: async (session, context) => {
            const refusal = await hooks.refuseSession(session.userId);
            if (refusal) throw new APIError("FORBIDDEN", refusal);
            const level = await levelOfSession({ db, config }, session, context?.path);
            return { data: { ...session, ...level } };
          },
          after: async ({ id, userId, token }, context) => {
            // Refused in the very moment in which it was made.
            const isRefused = await hooks.refuseSession(userId);
            // Nothing leads to the one that this browser had before.
            const former = context?.headers ? tokenOf(context.headers, config) : null;
            const over = db.write.deleteFrom("sessions");
            if (isRefused) await over.where("id", "=", id).execute();
            if (former && former !== token) await over.where("token", "=", former).execute();
            await endOldest(db, userId, id);
          },
        },
      },
    },
    plugins: [...authPlugins({ config, db }), providerSignIn(parts), passwordQueue],
    rateLimit: {
      enabled: true,
      // The library's own would clear away what others count over a longer time.
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
        await confirmAddress(db, user.id);
        await hooks.passwordChosen(user.id);
      },
      onExistingUserSignUp: ({ user }) => hooks.alreadyRegistered(user),
    },
    emailVerification: {
      sendOnSignUp: true,
      // To whoever knows the password of an account that waits for this email (even-answers.ts).
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
        const answered = (await evenAnswer(parts, context)) ?? (await withOwnHandle(context));
        if (answered) return answered;
        const { returned } = context.context;
        // What this process asks the library itself keeps its answer: access tokens among them.
        if (!context.request || returned instanceof APIError) return;
        const answer = withoutSessionToken(context.path, returned);
        if (answer) return context.json(answer);
      }),
    },
    advanced: {
      cookiePrefix,
      // Secure, with a prefix of their own, where they leave the site (http/middleware.ts).
      useSecureCookies: false,
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
  });
}

export type Auth = ReturnType<typeof createAuth>;
