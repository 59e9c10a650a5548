type Kind<Item> = {
  /** The first part of the names under which they are stored. */
  name: string;
  isItem: (value: unknown) => value is Item;
  idOf: (item: Item) => string;
  /** Counts up with every change of one item. */
  countOf: (item: Item) => number;
};

export type Device<Item> = ReturnType<typeof createDevice<Item>>;

/**
 * What this browser holds until the server has it: items of one kind, each person's under her id.
 * Storage may be forbidden, full or altered by hand.
 */
export function createDevice<Item>({ name, isItem, idOf, countOf }: Kind<Item>) {
  const prefix = (userId: string) => `${name}:${userId}:`;

  function parsed(text: string | null): Item | null {
    try {
      const item: unknown = JSON.parse(text ?? "null");
      return isItem(item) ? item : null;
    } catch {
      return null;
    }
  }

  return {
    idOf,
    countOf,
    all(userId: string): Item[] {
      try {
        return Object.keys(localStorage)
          .filter((key) => key.startsWith(prefix(userId)))
          .map((key) => parsed(localStorage.getItem(key)))
          .filter((item) => item !== null);
      } catch {
        return [];
      }
    },
    /** @returns whether the browser took it */
    put(userId: string, item: Item): boolean {
      try {
        localStorage.setItem(prefix(userId) + idOf(item), JSON.stringify(item));
        return true;
      } catch {
        return false;
      }
    },
    /** Forgets an item, unless it was changed after `count`. */
    drop(userId: string, id: string, count: number): void {
      try {
        const held = parsed(localStorage.getItem(prefix(userId) + id));
        if (!held || countOf(held) <= count) localStorage.removeItem(prefix(userId) + id);
      } catch {
        // What cannot be reached cannot be there.
      }
    },
  };
}
