/** What is typed, as this browser holds it until the server has it. */
export type Held = { draftId: string };

type Kind<Draft> = {
  /** The first part of the names under which they are stored. */
  name: string;
  isDraft: (value: unknown) => value is Draft;
  /** How many changes a draft has in it. */
  countOf: (draft: Draft) => number;
};

export type Device<Draft extends Held> = ReturnType<typeof createDevice<Draft>>;

/**
 * The drafts of one kind on this device, each person's under her id. Storage may be forbidden, full
 * or altered by hand.
 */
export function createDevice<Draft extends Held>({ name, isDraft, countOf }: Kind<Draft>) {
  const prefix = (userId: string) => `${name}:${userId}:`;

  function parsed(text: string | null): Draft | null {
    try {
      const draft: unknown = JSON.parse(text ?? "null");
      return isDraft(draft) ? draft : null;
    } catch {
      return null;
    }
  }

  return {
    all(userId: string): Draft[] {
      try {
        return Object.keys(localStorage)
          .filter((key) => key.startsWith(prefix(userId)))
          .map((key) => parsed(localStorage.getItem(key)))
          .filter((draft) => draft !== null);
      } catch {
        return [];
      }
    },
    /** @returns whether the browser took it */
    put(userId: string, draft: Draft): boolean {
      try {
        localStorage.setItem(prefix(userId) + draft.draftId, JSON.stringify(draft));
        return true;
      } catch {
        return false;
      }
    },
    /** Forgets a draft, unless more than `count` changes were made to it. */
    drop(userId: string, draftId: string, count: number): void {
      try {
        const kept = parsed(localStorage.getItem(prefix(userId) + draftId));
        if (!kept || countOf(kept) <= count) localStorage.removeItem(prefix(userId) + draftId);
      } catch {
        // What cannot be reached cannot be there.
      }
    },
    countOf,
  };
}
