import { setTimeout } from "node:timers/promises";
import { type Log, logRefusal } from "../log/log.ts";
import { turnsOf } from "../utils/event-loop.ts";

import { isHashing, leaveHashQueue } from "./hash-queue.ts";

// These do more work for an address that has an account (a row, a token, an email). Response
// times must not reveal it.
const telling = new Set([
  "/api/auth/sign-up/email",
  "/api/auth/request-password-reset",
  "/api/auth/send-verification-email",
]);

// Responses are sent at multiples of this, which is longer than the difference in time.
const stepMs = 250;

// A user who signed in knows that the account exists: no delay. A refused sign-in may have sent an
// email to its owner. A provider callback has its outcome in the redirect address.
function isTelling(path: string, { ok, headers }: Response): boolean {
  if (telling.has(path)) return true;
  if (path === "/api/auth/sign-in/email") return !ok;
  return path.startsWith("/api/auth/callback/") && /[?&]error=/.test(headers.get("location") ?? "");
}

/** Wraps the library; revealing operations answer at whole steps from the end of the request. */
export function guardTiming<T extends { handler(request: Request): Promise<Response> }>(
  auth: T,
  log: Log,
): T {
  const turn = turnsOf(3);
  async function handler(request: Request): Promise<Response> {
    // The body is read first: a slow upload must not occupy the hash queue or shift the step.
    const body = request.body && (await request.arrayBuffer());
    const asked = body ? new Request(request, { body }) : request;
    const start = performance.now();
    // Of many concurrent requests that hash a password, a few start per turn of the event loop.
    if (isHashing(asked)) await turn();
    const answer = await auth.handler(asked).finally(() => leaveHashQueue(asked));
    if (answer.status === 503 && isHashing(asked)) logRefusal(log, "limit", "passwords");
    if (!isTelling(new URL(asked.url).pathname, answer)) return answer;
    const took = performance.now() - start;
    await setTimeout(Math.ceil(took / stepMs) * stepMs - took);
    return answer;
  }
  return { ...auth, handler };
}
