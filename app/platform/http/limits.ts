export type Release = () => void;

/** Limits concurrent work to `each` per user and `all` in total. */
export function limitConcurrency({ each, all }: { each: number; all: number }) {
  const ofPerson = new Map<string, number>();
  let sum = 0;
  return {
    begin(id: string): Release | null {
      const own = ofPerson.get(id) ?? 0;
      if (own >= each || sum >= all) return null;
      ofPerson.set(id, own + 1);
      sum += 1;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        sum -= 1;
        const left = (ofPerson.get(id) ?? 1) - 1;
        if (left > 0) ofPerson.set(id, left);
        else ofPerson.delete(id);
      };
    },
  };
}

const keptInMind = 10_000;

/** `burst` units at once, refilled at `perSecond`. Bounds what this one process does for a user. */
export function pace({ burst, perSecond }: { burst: number; perSecond: number }) {
  const spent = new Map<string, { units: number; at: number }>();
  const left = ({ units, at }: { units: number; at: number }, now: number) =>
    Math.max(0, units - ((now - at) / 1000) * perSecond);

  function forgetRested(now: number) {
    for (const [id, one] of spent) if (left(one, now) === 0) spent.delete(id);
  }

  return {
    /** @param now monotonic, in milliseconds @returns 0, or the seconds to wait */
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
