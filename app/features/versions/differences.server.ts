import { diffWordsWithSpace } from "diff";

/** A piece of a text: in both, only in the new one, or only in the old one. */
export type WordPiece = { kind: "same" | "new" | "old"; text: string };

/** A field in which two versions differ. `problem` is a sentence. */
export type MarkedChange = {
  field: string;
  label: string;
  pieces: WordPiece[];
  problem: string | null;
};

/** Beyond it, everything counts as changed: the time grows with the square of the changes. */
const maxEditLength = 2_000;
const timeoutMs = 200;
const leastShared = 0.4;

/** The words in which two texts differ, in order. */
export function wordDifferences(old: string, now: string): WordPiece[] {
  const found = diffWordsWithSpace(old, now, { maxEditLength, timeout: timeoutMs });
  const shared = found?.filter((part) => !part.added && !part.removed) ?? [];
  const sharedLength = shared.reduce((sum, { value }) => sum + value.length, 0);
  // Words that two different sentences happen to share only make them hard to read.
  const isAnother = !found || sharedLength < Math.min(old.length, now.length) * leastShared;
  if (isAnother) return wholeDifference(old, now);
  return found.map(({ value, removed, added }) => ({
    kind: removed ? "old" : added ? "new" : "same",
    text: value,
  }));
}

/** One value in the place of another, such as a price. */
export function wholeDifference(old: string, now: string): WordPiece[] {
  const pieces: WordPiece[] = [
    { kind: "old", text: old && `${old}\n` },
    { kind: "new", text: now },
  ];
  return pieces.filter(({ text }) => text !== "");
}

const edge = 200;

/** Without the middle of long stretches that two texts share. */
export function shortened(pieces: WordPiece[]): WordPiece[] {
  return pieces.map(({ kind, text }) => {
    if (kind !== "same" || text.length <= 3 * edge) return { kind, text };
    return { kind, text: `${text.slice(0, edge)}…\n\n…${text.slice(-edge)}` };
  });
}
