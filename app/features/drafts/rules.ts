import type { SeenDraft } from "./schema.ts";

/** Drafts as forms name them: `id:revision id:revision`. */
export const draftsText = (drafts: readonly SeenDraft[]): string =>
  drafts.map(({ id, revision }) => `${id}:${revision}`).join(" ");

/** Reads {@link draftsText}, 20 at most; anything else in it is left out. */
export const readSeenDrafts = (text: unknown): SeenDraft[] =>
  String(text)
    .split(" ", 20)
    .map(readSeenDraft)
    .filter((draft) => draft !== null);

/** Reads one `id:revision`; null for anything else. */
export function readSeenDraft(text: unknown): SeenDraft | null {
  const [, id, revision] =
    /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}):(\d{1,9})$/i.exec(String(text)) ?? [];
  return id ? { id, revision: Number(revision) } : null;
}
