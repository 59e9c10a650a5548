import { setTimeout } from "node:timers/promises";
import { turnsOf } from "../event-loop.ts";
import type { Log } from "../log/log.ts";
import { logRefusal } from "../log/refusals.ts";
import { leavePlace } from "./passwords/places.ts";
import { isHashing } from "./passwords/queue.ts";

/**
 * What does more for an address that has an account than for one that has none: a row, a token, an
 * email. How long it took must not say which it was.
 */
const telling = new Set([
  "/api/auth/sign-up/email",
  "/api/auth/request-password-reset",
  "/api/auth/send-verification-email",
]);

/** Answers leave at whole steps of so many milliseconds, longer than the difference. */
const stepMs = 250;

/**
 * Whether an answer waits for its step. Who is let in knows that there is an account, and waits for
 * nothing; who is not may have caused an email to its owner. A provider's way back tells it in the
 * address that it leads to.
 */
function isTelling(path: string, { ok, headers }: Response): boolean {
  if (telling.has(path)) return true;
  if (path === "/api/auth/sign-in/email") return !ok;
  return path.startsWith("/api/auth/callback/") && /[?&]error=/.test(headers.get("location") ?? "");
}

/**
 * The same library, which answers some questions only when a whole step is over, counted from the
 * end of the question. Of many that come at once and hash a password it begins some in each turn of
 * the event loop.
 */
export function guarded<T extends { handler(request: Request): Promise<Response> }>(
  auth: T,
  log: Log,
): T {
  const turn = turnsOf(3);
  async function handler(request: Request): Promise<Response> {
    // Who sends it slowly takes no place among those that hash, and moves no step.
    const body = request.body && (await request.arrayBuffer());
    const asked = body ? new Request(request, { body }) : request;
    const start = performance.now();
    if (isHashing(asked)) await turn();
    const answer = await auth.handler(asked).finally(() => leavePlace(asked));
    if (answer.status === 503 && isHashing(asked)) logRefusal(log, "limit", "passwords");
    if (!isTelling(new URL(asked.url).pathname, answer)) return answer;
    const took = performance.now() - start;
    await setTimeout(Math.ceil(took / stepMs) * stepMs - took);
    return answer;
  }
  return { ...auth, handler };
}
