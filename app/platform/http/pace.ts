/** Beyond so many, those who have rested are forgotten. */
const keptInMind = 10_000;

/**
 * How fast somebody may go on: `burst` units of work at once, which come back at `perSecond`. Counted
 * in this process alone: it bounds what the process does for one person, and no more than that.
 */
export function pace({ burst, perSecond }: { burst: number; perSecond: number }) {
  const spent = new Map<string, { units: number; at: number }>();
  const left = ({ units, at }: { units: number; at: number }, now: number) =>
    Math.max(0, units - ((now - at) / 1000) * perSecond);

  function forgetRested(now: number) {
    for (const [id, one] of spent) if (left(one, now) === 0) spent.delete(id);
  }

  return {
    /**
     * Takes `cost` units, at most a whole burst of them.
     * @param now in milliseconds, of a clock that only goes forward
     * @returns 0, or after how many whole seconds there is room for it
     */
    wait(id: string, cost = 1, now = performance.now()): number {
      if (spent.size >= keptInMind) forgetRested(now);
      const taken = left(spent.get(id) ?? { units: 0, at: now }, now);
      const over = taken + Math.min(cost, burst) - burst;
      if (over > 0) return Math.ceil(over / perSecond);
      spent.set(id, { units: taken + Math.min(cost, burst), at: now });
      return 0;
    },
  };
}
