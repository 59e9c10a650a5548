/** Ends what was begun; a second time changes nothing. */
export type End = () => void;

/**
 * Counts work that takes a share of everybody's memory or time: no more of it goes on at once than
 * `each` for one person and `all` for all together.
 */
export function atOnce({ each, all }: { each: number; all: number }) {
  const ofPerson = new Map<string, number>();
  let sum = 0;
  return {
    /** @returns what ends it; null while there is no place */
    begin(id: string): End | null {
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
