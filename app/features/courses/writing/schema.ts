import { z } from "zod";

/** PostgreSQL takes neither NUL nor half a character; nobody can have meant to write them. */
const storable = (text: string) => text.replaceAll("\0", "").toWellFormed();

/** More than any field of a lesson may have: what is too long to be saved is still kept. */
const longest = 1_000_000;

/** A save of what an author is typing. `saves` counts up with every change of one page. */
export const writingSave = z.object({
  /** Whose page it is: somebody else may have signed in since in another tab. */
  userId: z.string(),
  draftId: z.uuid(),
  /** The lesson's revision that the writing started from; 0 for a new lesson. */
  baseRevision: z.number().int().min(0).max(1_000_000_000),
  saves: z.number().int().min(0).max(1_000_000_000),
  fields: z
    .record(z.string().max(40), z.string().max(longest).transform(storable))
    .refine((fields) => Object.keys(fields).length <= 20, "too many"),
});
export type WritingSave = z.infer<typeof writingSave>;

/** A draft as a page knows it. Whoever gives it up gives up this much; later words stay. */
export type SeenWriting = { id: string; saves: number };

/** Reads `id:saves`, as forms name the drafts that go with them. Anything else is none. */
export function seenWriting(text: unknown): SeenWriting | null {
  const [, id, saves] = /^([\w-]{1,50}):(\d{1,9})$/.exec(String(text)) ?? [];
  return id ? { id, saves: Number(saves) } : null;
}
