import { setTimeout } from "node:timers/promises";

/**
 * What does more for an address that has an account than for one that has none: a row, a token, a
 * letter. How long it took must not say which it was.
 */
const telling = new Set([
  "/api/auth/sign-up/email",
  "/api/auth/request-password-reset",
  "/api/auth/send-verification-email",
]);

/** Answers leave at whole steps of so many milliseconds, longer than the difference. */
const stepMs = 250;

/**
 * The same library, which answers some questions only when a whole step is over, counted from the
 * question.
 */
export function evenTimed<T extends { handler(request: Request): Promise<Response> }>(auth: T): T {
  async function handler(request: Request): Promise<Response> {
    if (!telling.has(new URL(request.url).pathname)) return auth.handler(request);
    const start = performance.now();
    const answer = await auth.handler(request);
    const took = performance.now() - start;
    await setTimeout(Math.ceil(took / stepMs) * stepMs - took);
    return answer;
  }
  return { ...auth, handler };
}
