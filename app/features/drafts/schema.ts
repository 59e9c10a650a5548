import { z } from "zod";

/** Counts the changes of one draft, from 1. */
export const draftRevision = z.number().int().min(0).max(1_000_000_000);

const seenDraft = z.object({ id: z.uuid(), revision: draftRevision });
/** A draft, as far as a page knows it: what was typed later is not meant. */
export type SeenDraft = z.infer<typeof seenDraft>;

/** An autosave. `absorbed` are older drafts whose text is in it: they go with the save. */
export const draftSave = z.object({
  /** The page's user: another one may have signed in since in another tab. */
  userId: z.string(),
  draftId: z.uuid(),
  revision: draftRevision,
  absorbed: z.array(seenDraft).max(100).default([]),
});
