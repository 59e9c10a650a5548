import { setTimeout } from "node:timers/promises";

/** The one source of the present time, so that tests can set it. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** Waits for work this long at most; then returns `late`, while the work goes on. */
export async function withTimeout<Result, Late>(
  ms: number,
  work: Promise<Result>,
  late: Late,
): Promise<Result | Late> {
  const timer = new AbortController();
  try {
    return await Promise.race([work, setTimeout(ms, late, timer)]);
  } finally {
    timer.abort();
  }
}
