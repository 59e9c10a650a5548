/** After this many failed attempts (about three days) a row is kept as failed, unless its job says otherwise. */
export const maxAttempts = 14;

/**
 * When to try again after the `attempts`-th failure: 10 s, 30 s, 90 s … at most
 * 12 hours. Null when there is nothing left to try.
 */
export function retryAfterMs(attempts: number, most = maxAttempts): number | null {
  if (attempts >= most) return null;
  return Math.min(10_000 * 3 ** (attempts - 1), 12 * 3600_000);
}
