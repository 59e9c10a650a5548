/**
 * How many times as long 16 times as much takes: 16 where time grows in proportion, 256 where it
 * grows with the square. The best of several runs counts, so that a busy machine changes little.
 * @param prepare makes what `work` is measured with, of about `size` characters
 * @param size of the small one; it should take a millisecond or so
 */
export function growth<T>(
  prepare: (size: number) => T,
  work: (prepared: T) => unknown,
  size: number,
): number {
  const best = (prepared: T) => {
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now();
      work(prepared);
      return performance.now() - start;
    });
    return Math.min(...times);
  };
  const [small, large] = [prepare(size), prepare(16 * size)];
  // Compiled for both before either is measured.
  best(small);
  return best(large) / best(small);
}

/** Between the two, with room on both sides. */
export const inProportion = 64;
