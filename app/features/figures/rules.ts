/** Weeks that the overview looks back on, this one included. */
export const weeksShown = 12;

/** Of fewer people than this, nothing is said but how many: a share or a middle would be about one. */
export const smallestGroup = 5;

/** The value in the middle, of two the mean; null for a group that is too small. */
export function medianOf(values: readonly number[]): number | null {
  if (values.length < smallestGroup) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return (low + high) / 2;
}

/** Without a sign for so long a student has stopped, or is quiet. */
export const quietMs = 21 * 24 * 3600_000;

export type Studied = {
  /** From when the days of the lessons count. */
  fromAt: Date;
  /** Places of completed lessons in the order of the course, from 0. */
  completed: readonly number[];
  lastAt: Date;
};

/** The place where a student stopped: the first lesson after the furthest completed one. Null for who
 * has finished, was here lately, or waits for a lesson that opened lately or not yet. */
export function stoppedAt(
  { fromAt, completed, lastAt }: Studied,
  days: readonly number[],
  now: Date,
): number | null {
  const place = Math.max(-1, ...completed) + 1;
  const day = days[place];
  if (day === undefined) return null;
  const openedAt = fromAt.getTime() + day * 24 * 3600_000;
  const since = Math.max(openedAt, lastAt.getTime());
  return now.getTime() - since >= quietMs ? place : null;
}
