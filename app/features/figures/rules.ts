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
