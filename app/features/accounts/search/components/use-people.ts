import { useEffect, useState } from "react";
import type { FoundPerson } from "../schema.ts";

const searchAddress = "/admin/students/search";
const pauseMs = 200;

export type Search = {
  /** What was found last; stays while the next search is under way. */
  people: FoundPerson[];
  /** The words that it was found for; null before the first answer. */
  words: string | null;
  failed: boolean;
};

/**
 * Looks for people while somebody types, a moment after the last letter. An answer that comes
 * after a newer question is dropped.
 * @param words null as long as nothing is to be asked
 */
export function usePeople(words: string | null): Search {
  const [search, setSearch] = useState<Search>({ people: [], words: null, failed: false });
  useEffect(() => {
    if (words === null) return;
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const people = await ask(words, controller.signal).catch(() => null);
      if (controller.signal.aborted) return;
      setSearch((before) =>
        people
          ? { people, words, failed: false }
          : { people: before.people, words: before.words, failed: true },
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [words]);
  return search;
}

async function ask(words: string, signal: AbortSignal): Promise<FoundPerson[]> {
  const address = `${searchAddress}?${new URLSearchParams({ q: words })}`;
  // Signed out meanwhile, the answer would be the page for signing in.
  const response = await fetch(address, { signal, redirect: "error" });
  if (!response.ok) throw new Error(`answer ${response.status}`);
  return (await response.json()) as FoundPerson[];
}
