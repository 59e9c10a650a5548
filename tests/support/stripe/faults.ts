import type { ServerResponse } from "node:http";

/**
 * How a call goes wrong: the connection breaks before or after the work was done, no answer comes
 * (before or after) until `release`, or Stripe says so: 429 and 503 before it did anything, 500 in the
 * middle, which it then repeats to the same idempotency key, 401 and 403 for a key it does not take.
 */
export type Fault = "reset" | "reset-after" | "hang" | "hang-after" | 401 | 403 | 429 | 500 | 503;

type Planned = { fault: Fault; left: number; spared: number; path: RegExp };
type Plan = { times?: number; path?: RegExp; after?: number };

/** What is to go wrong, in the order in which it was planned. */
export class Faults {
  private readonly planned: Planned[] = [];
  private held: { response: ServerResponse; answer: () => void }[] = [];

  /**
   * The next `times` calls of these paths go wrong, after so many that do not; by far more often
   * than a client tries, with Infinity.
   */
  plan(fault: Fault, { times = 1, path = /./, after = 0 }: Plan = {}) {
    this.planned.push({ fault, left: times, spared: after, path });
  }

  /** Nothing goes wrong any more. */
  forget() {
    this.planned.length = 0;
  }

  /** What is to go wrong with a call, if anything. */
  next(call: string): Fault | null {
    const found = this.planned.find(({ left, path }) => left > 0 && path.test(call));
    if (!found) return null;
    if (found.spared > 0) {
      found.spared -= 1;
      return null;
    }
    found.left -= 1;
    return found.fault;
  }

  hold(response: ServerResponse, answer: () => void) {
    this.held.push({ response, answer });
  }

  /** Answers what hangs, if whoever asked is still there. */
  release() {
    const held = this.held;
    this.held = [];
    for (const { response, answer } of held) if (!response.destroyed) answer();
  }

  get hanging() {
    return this.held.length;
  }
}
