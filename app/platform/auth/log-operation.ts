import { APIError, type createAuthMiddleware } from "better-auth/api";
import type { Log } from "../log/log.ts";

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

// Read-only operations would add a log line for every page.
const quiet = new Set(["/get-session", "/jwks"]);

/** Logs an operation of the library: path, outcome and user id. User input is never logged. */
export function logOperation(log: Log, { path, context }: Context): void {
  if (quiet.has(path)) return;
  const { returned, newSession } = context;
  const refusal = returned instanceof APIError ? returned : null;
  // The library throws redirects as APIError, too.
  const isRefused = refusal !== null && refusal.statusCode >= 400;
  const outcome = isRefused ? (refusal.body?.code ?? String(refusal.statusCode)) : "done";
  log.info({ part: "auth", operation: path, outcome, userId: newSession?.user.id }, "sign-in");
}
