/**
 * How many times as long 16 times as much takes: 16 where time grows in proportion, 256 where it
 * grows with the square. What seems to is measured again, twice: all else the machine does can only add.
 * @param prepare makes what `work` is measured with, of about `size` characters
 * @param size of the small one; it should take a tenth of a millisecond or more
 */
export function growth<T>(
  prepare: (size: number) => T,
  work: (prepared: T) => unknown,
  size: number,
): number {
  const cost = (prepared: T, times: number) => {
    const start = process.threadCpuUsage();
    for (let n = 0; n < times; n += 1) work(prepared);
    const { user, system } = process.threadCpuUsage(start);
    return user + system;
  };
  const [small, large] = [prepare(size), prepare(16 * size)];
  // Both are compiled before either is measured.
  cost(small, 16);
  cost(large, 1);
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 3 && least >= inProportion; n += 1) {
    // Linux counts in steps of 4 ms: both are measured for several of them.
    least = Math.min(least, (16 * cost(large, 5)) / Math.max(cost(small, 5 * 16), 4_000));
  }
  return least;
}

/** Between the two, with room on both sides. */
export const inProportion = 64;
