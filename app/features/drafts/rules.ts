import type { SeenDraft } from "./schema.ts";

/** Reads `id:revision`, as forms name their drafts; null for anything else. */
export function readSeenDraft(text: unknown): SeenDraft | null {
  const [, id, revision] =
    /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}):(\d{1,9})$/i.exec(String(text)) ?? [];
  return id ? { id, revision: Number(revision) } : null;
}
