import { diffLines, diffWordsWithSpace } from "diff";

/** A piece of a text: in both, only in the new one, or only in the old one. */
export type WordPiece = { kind: "same" | "new" | "old"; text: string };

/** A field in which two versions differ; `problem` and `note` are sentences. */
export type MarkedChange = {
  field: string;
  label: string;
  pieces: WordPiece[];
  /** Why it cannot be published. */
  problem?: string | null;
  /** What else it does. */
  note?: string | null;
};

/** The time grows with the square of the changes: these take 50 ms. Beyond, paragraphs are compared. */
const most = { maxEditLength: 600, timeout: 200 };
const leastShared = 0.4;

/** The words in which two texts differ, in order. */
export function wordDifferences(old: string, now: string): WordPiece[] {
  const found = diffWordsWithSpace(old, now, most) ?? diffLines(old, now, most);
  const shared = found?.filter((part) => !part.added && !part.removed) ?? [];
  const sharedLength = shared.reduce((sum, { value }) => sum + value.length, 0);
  // Words that two different sentences happen to share only make them hard to read.
  const isAnother = !found || sharedLength < Math.min(old.length, now.length) * leastShared;
  if (isAnother) return wholeDifference(old, now);
  return joined(
    found.map(({ value, removed, added }) => ({
      kind: removed ? "old" : added ? "new" : "same",
      text: value,
    })),
  );
}

/** One piece of the old words and one of the new, where only spaces stand between several. */
function joined(pieces: WordPiece[]): WordPiece[] {
  const result: WordPiece[] = [];
  let [old, now] = ["", ""];
  const end = () => {
    result.push({ kind: "old", text: old }, { kind: "new", text: now });
    [old, now] = ["", ""];
  };
  for (const [at, { kind, text }] of pieces.entries()) {
    const isBetween = kind === "same" && /^[^\S\n]+$/.test(text) && (old || now) && pieces[at + 1];
    if (kind === "old" || isBetween) old += text;
    if (kind === "new" || isBetween) now += text;
    if (kind !== "same" || isBetween) continue;
    end();
    result.push({ kind, text });
  }
  end();
  return result.filter(({ text }) => text !== "");
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
    const start = text.slice(0, edge).replace(/\S*$/, "");
    const end = text.slice(-edge).replace(/^\S*/, "");
    return { kind, text: `${start}…\n\n…${end}` };
  });
}
