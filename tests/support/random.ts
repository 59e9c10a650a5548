/** Numbers from 0 to 1 that are the same on every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Throws for one request: the same number of the same seed is the same request again. */
export type Dice = ReturnType<typeof diceOf>;

export function diceOf(seed: number, number: number) {
  const random = seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  const below = (count: number) => Math.floor(random() * count);
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new Error("nothing to choose from");
    return list[below(list.length)] as T;
  };
  /** Whether something that happens so often happens now; 0 is never, 1 always. */
  const chance = (share: number) => random() < share;
  const times = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
  return { below, pick, chance, times };
}
