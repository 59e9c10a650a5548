import { APIError, createAuthMiddleware, setShouldSkipSessionRefresh } from "better-auth/api";
import type { AuthHooks } from "./hooks.ts";
import { pendingPaths, ruledPaths } from "./paths.ts";
import { assertAllowedRedirects } from "./redirect-allow-list.ts";
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
    const message = operation && (await hooks.complain(operation, context.body ?? {}));
    if (message) throw new APIError("BAD_REQUEST", { code: "VALIDATION", message });
    if (operation === "sign-in") await tries.before(context);
    if (context.path === "/verify-email") await assertSignUpBrowser(parts, context);
    if (pendingPaths.has(context.path) || !context.headers) return;
    const session = await findSession(parts, context.headers);
    if (!session?.isPending && !session?.deletionDueAt) return;
    if (context.path === "/get-session") return context.json(null);
    if (!session.isPending)
      throw new APIError("UNAUTHORIZED", {
        code: "ACCOUNT_LEAVING",
        message: "This account is about to be deleted. Please decide first whether to keep it.",
      });
    throw new APIError("UNAUTHORIZED", {
      code: "SECOND_FACTOR_REQUIRED",
      message: "The second factor is still to be given.",
    });
  });
}
