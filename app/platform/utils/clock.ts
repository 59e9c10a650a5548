/** The one source of the present time, so that tests can set it. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** Waits for work this long at most; then returns `late`, while the work goes on. */
export async function withTimeout<Result, Late>(
  ms: number,
  work: Promise<Result>,
  late: Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const waited = new Promise<Late>((resolve) => {
    timer = setTimeout(resolve, ms, late);
  });
  try {
    return await Promise.race([work, waited]);
  } finally {
    clearTimeout(timer);
  }
}
