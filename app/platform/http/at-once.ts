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
