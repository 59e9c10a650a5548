import { type ReactNode, useSyncExternalStore } from "react";
import type { PagePlace } from "../schema.ts";

/** What the editor of a page gives to its texts. */
export type PageEditor = {
  pencil(place: PagePlace): ReactNode;
  /** The words with what is being typed. */
  current<Words extends object>(words: Words, of: PagePlace["of"]): Words;
};

// In the browser of an admin who edits a page, and nowhere else: not on the server.
let editor: PageEditor | null = null;
const listeners = new Set<() => void>();

export function provideEditor(next: PageEditor | null): void {
  editor = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Null for everybody who does not edit the page. */
export const usePageEditor = (): PageEditor | null =>
  useSyncExternalStore(
    subscribe,
    () => editor,
    () => null,
  );
