import type { ServerResponse } from "node:http";

/**
 * How a call goes wrong: the connection breaks before or after the work was done, no answer comes
 * (before or after) until `release`, or Stripe says so: 429 and 503 before it did anything, to be
 * tried again; 500 in the middle, not to be tried again, which it repeats to the same idempotency
 * key; 401 and 403 for a key that it does not accept.
 */
export type Fault = "reset" | "reset-after" | "hang" | "hang-after" | 401 | 403 | 429 | 500 | 503;

type Plan = { times?: number; path?: RegExp; after?: number };

/** What is to go wrong, in the order in which it was planned. */
export class Faults {
  private readonly planned: { fault: Fault; left: number; spared: number; path: RegExp }[] = [];
  private held: { response: ServerResponse; answer: () => void }[] = [];

  /** The next `times` calls of these paths go wrong, after so many that do not. */
  plan(fault: Fault, { times = 1, path = /./, after = 0 }: Plan = {}) {
    this.planned.push({ fault, left: times, spared: after, path });
  }

  /** Nothing goes wrong any more. */
  forget() {
    this.planned.length = 0;
  }

  next(call: string): Fault | null {
    const found = this.planned.find(({ left, path }) => left > 0 && path.test(call));
    if (!found) return null;
    const counter = found.spared > 0 ? "spared" : "left";
    found[counter] -= 1;
    return counter === "left" ? found.fault : null;
  }

  hold(response: ServerResponse, answer: () => void) {
    this.held.push({ response, answer });
  }

  /** Answers what hangs, where the client is still there. */
  release() {
    for (const { response, answer } of this.held.splice(0)) if (!response.destroyed) answer();
  }

  get hanging() {
    return this.held.length;
  }
}
