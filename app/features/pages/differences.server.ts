import { diffWordsWithSpace } from "diff";
import type { Field, ListField } from "~content/fields.ts";
import { fieldsOf } from "./rules.ts";
import type { FieldValue, PageChange } from "./schema.ts";

/** A piece of a text: in both, only in the new one, or only in the old one. */
export type WordPiece = { kind: "same" | "new" | "old"; text: string };

export type MarkedChange = Omit<PageChange, "before" | "after"> & { pieces: WordPiece[] };

/** Beyond it, everything counts as changed: the time grows with the square of the changes. */
const maxEditLength = 2_000;
const timeoutMs = 200;
const leastShared = 0.4;

/** A change with the words marked that are new and those that go. */
export function marked(kind: string, { before, after, ...change }: PageChange): MarkedChange {
  const place = fieldsOf(kind)[change.field];
  const [old, now] = [before, after].map((value) => inWords(place, value));
  return { ...change, pieces: wordDifferences(old ?? "", now ?? "") };
}

/** The words in which two texts differ, in order. */
export function wordDifferences(old: string, now: string): WordPiece[] {
  const found = diffWordsWithSpace(old, now, { maxEditLength, timeout: timeoutMs });
  const shared = found?.filter((part) => !part.added && !part.removed) ?? [];
  const sharedLength = shared.reduce((sum, { value }) => sum + value.length, 0);
  // Words that two different sentences happen to share only make them hard to read.
  const isAnother = !found || sharedLength < Math.min(old.length, now.length) * leastShared;
  const changes = isAnother
    ? [
        { value: old && `${old}\n`, removed: true, added: false },
        { value: now, removed: false, added: true },
      ]
    : found;
  return changes
    .filter(({ value }) => value !== "")
    .map(({ value, removed, added }) => ({
      kind: removed ? "old" : added ? "new" : "same",
      text: value,
    }));
}

/** A list as lines: each item with the names of its parts. */
function inWords(place: Field | ListField | undefined, value: FieldValue): string {
  if (typeof value === "string") return value;
  const labels = place?.kind === "list" ? place.of : {};
  return value
    .map((item) =>
      Object.entries(item)
        .filter(([, text]) => text !== "")
        .map(([part, text]) => `${labels[part]?.label ?? part}: ${text}`)
        .join("\n"),
    )
    .join("\n\n");
}
