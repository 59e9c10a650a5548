import { APIError, type createAuthMiddleware } from "better-auth/api";
import type { Log } from "../log/log.ts";

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** Operations that only read: a line for each would be as many as there are pages. */
const quiet = new Set(["/get-session", "/jwks"]);

/**
 * A line for each operation of the authentication library: what, how it ended, and whose account
 * was entered, by its id. What was typed is in none of them.
 */
export function logOperation(log: Log, { path, context }: Context): void {
  if (quiet.has(path)) return;
  const { returned, newSession } = context;
  const refusal = returned instanceof APIError ? returned : null;
  // A way on to another page is no refusal.
  const isRefused = refusal !== null && refusal.statusCode >= 400;
  const outcome = isRefused ? (refusal.body?.code ?? String(refusal.statusCode)) : "done";
  log.info({ part: "auth", operation: path, outcome, userId: newSession?.user.id }, "sign-in");
}
