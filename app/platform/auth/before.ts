import { APIError, createAuthMiddleware, setShouldSkipSessionRefresh } from "better-auth/api";
import type { AuthHooks } from "./hooks.ts";
import { pendingPaths, ruledPaths } from "./paths.ts";
import { findSession } from "./session-row.ts";
import type { signInTries } from "./sign-in-tries.ts";
import { assertSignUpBrowser } from "./sign-up-browser.ts";

/** Finds NUL, which PostgreSQL rejects. The library's forms are at most three levels deep. */
function hasNul(value: unknown, depth = 3): boolean {
  if (typeof value === "string") return value.includes("\0");
  if (typeof value !== "object" || value === null || depth === 0) return false;
  return Object.values(value).some((inner) => hasNul(inner, depth - 1));
}

function assertReadable(body: unknown): void {
  if (hasNul(body))
    throw new APIError("BAD_REQUEST", { code: "VALIDATION", message: "That cannot be read." });
}

const redirectNames = ["callbackURL", "redirectTo", "errorCallbackURL", "newUserCallbackURL"];

/** Whether a target stays on this site; stricter than browsers, as our paths are plain ASCII. */
function isSameSitePath(way: string, appUrl: string): boolean {
  if (/[^!-~]|\\/.test(way)) return false;
  const path = way.startsWith(`${appUrl}/`) ? way.slice(appUrl.length) : way;
  if (way === appUrl) return true;
  if (!path.startsWith("/") || !URL.canParse(path, appUrl)) return false;
  const url = new URL(path, appUrl);
  return url.origin === new URL(appUrl).origin && !url.pathname.startsWith("//");
}

type Asked = { body?: unknown; query?: unknown };

/** @throws the library's 400 when a redirect target of the request leads to another site */
function assertAllowedRedirects({ body, query }: Asked, appUrl: string): void {
  for (const given of [body, query]) {
    if (typeof given !== "object" || given === null) continue;
    for (const name of redirectNames) {
      const way: unknown = Object.hasOwn(given, name) ? Reflect.get(given, name) : undefined;
      if (way === undefined || way === null) continue;
      if (typeof way !== "string" || !isSameSitePath(way, appUrl))
        throw new APIError("BAD_REQUEST", {
          code: "WAY_BACK",
          message: "That is no page of ours.",
        });
    }
  }
}

export function beforeOperation(
  hooks: AuthHooks,
  parts: Parameters<typeof findSession>[0],
  tries: ReturnType<typeof signInTries>,
) {
  return createAuthMiddleware(async (context) => {
    assertReadable(context.body);
    // Reading a session would extend it, even a ten-minute one that still needs a second factor.
    if (context.path !== "/get-session") await setShouldSkipSessionRefresh(true);
    assertAllowedRedirects(context, parts.config.appUrl);
    const operation = ruledPaths[context.path as keyof typeof ruledPaths];
    const message = operation && (await hooks.validate(operation, context.body ?? {}));
    if (message) throw new APIError("BAD_REQUEST", { code: "VALIDATION", message });
    if (operation === "sign-in") await tries.before(context);
    if (context.path === "/verify-email") await assertSignUpBrowser(parts, context);
    if (pendingPaths.has(context.path) || !context.headers) return;
    const session = await findSession(parts, context.headers);
    if (!session?.isPending && !session?.deletionDueAt) return;
    if (context.path === "/get-session") return context.json(null);
    if (!session.isPending)
      throw new APIError("UNAUTHORIZED", {
        code: "ACCOUNT_DELETION_PENDING",
        message: "This account is about to be deleted. Please decide first whether to keep it.",
      });
    throw new APIError("UNAUTHORIZED", {
      code: "SECOND_FACTOR_REQUIRED",
      message: "The second factor is still to be given.",
    });
  });
}
