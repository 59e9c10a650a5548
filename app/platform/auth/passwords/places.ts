/**
 * How many may wait for a password to be hashed, those included whose hash is being made. Two
 * threads make some 15 to 25 a second, so the last of them waits for about two seconds.
 */
export const places = 32;

/** After how many seconds it is worth trying again. */
export const retrySeconds = 5;

export const busyMessage =
  "Many people are signing in just now. Nothing is wrong with your account. Please try again in a few seconds.";

/** All places are taken, and nothing was done. */
export class PasswordsBusy extends Error {
  override message = busyMessage;
}

const holders = new Set<object>();

/** Takes a place for a request that will have a password hashed. @returns false when all are taken */
export function takePlace(holder: object): boolean {
  if (holders.size >= places) return false;
  holders.add(holder);
  return true;
}

/** Gives the place back; a holder without one changes nothing. */
export function leavePlace(holder: object): void {
  holders.delete(holder);
}

/**
 * Does work that hashes a password, in a place of its own.
 * @throws {PasswordsBusy}
 */
export async function inPlace<T>(work: () => Promise<T>): Promise<T> {
  const holder = {};
  if (!takePlace(holder)) throw new PasswordsBusy();
  try {
    return await work();
  } finally {
    leavePlace(holder);
  }
}
