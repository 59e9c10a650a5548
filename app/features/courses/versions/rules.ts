import type { Fields } from "../lessons/schema.ts";
import { type FieldName, fieldNames } from "../lessons/texts.ts";
import { type PromptsAsked, readPrompts } from "../prompts/rules.ts";

/** Line breaks as they are kept; forms send them as the net does. */
export function plainBreaks(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

/** Two prompts fields say the same, however their JSON is laid out. */
function samePrompts(one: string, other: string): boolean {
  const [a, b] = [readPrompts(one), readPrompts(other)];
  if (!("asked" in a && "asked" in b)) return one.trim() === other.trim();
  const none = (asked: PromptsAsked) => (asked === "keep" ? null : asked);
  return JSON.stringify(none(a.asked)) === JSON.stringify(none(b.asked));
}

/** The fields in which two versions of a lesson differ, in the order of the form. */
export function differences(one: Fields, other: Fields): FieldName[] {
  return fieldNames.filter((name) =>
    name === "prompts"
      ? !samePrompts(one.prompts, other.prompts)
      : plainBreaks(one[name]).trim() !== plainBreaks(other[name]).trim(),
  );
}

/** A piece of the other text: as in ours ('same'), only there ('theirs'), or only here ('ours'). */
export type Piece = { kind: "same" | "theirs" | "ours"; text: string };

/** Above this many pairs of lines, what lies between the first and the last difference is one piece. */
const mostPairs = 4_000_000;

/** What lines another text has that ours lacks, and the other way round, in order. */
export function lineDifferences(ours: string, theirs: string): Piece[] {
  const [a, b] = [plainBreaks(ours).split("\n"), plainBreaks(theirs).split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (
    end < a.length - start &&
    end < b.length - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  )
    end += 1;
  const pieces: Piece[] = [];
  const add = (kind: Piece["kind"], lines: string[]) => {
    if (lines.length === 0) return;
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += `\n${lines.join("\n")}`;
    else pieces.push({ kind, text: lines.join("\n") });
  };
  add("same", b.slice(0, start));
  const [oursBetween, theirsBetween] = [
    a.slice(start, a.length - end),
    b.slice(start, b.length - end),
  ];
  for (const [kind, line] of aligned(oursBetween, theirsBetween)) add(kind, [line]);
  add("same", b.slice(b.length - end));
  return pieces;
}

/** The longest common lines, by the book (dynamic programming over both). */
function* aligned(a: string[], b: string[]): Generator<[Piece["kind"], string]> {
  const width = b.length + 1;
  if ((a.length + 1) * width > mostPairs) {
    for (const line of a) yield ["ours", line];
    for (const line of b) yield ["theirs", line];
    return;
  }
  const length = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => length[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      length[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [ours, theirs] = [a[i], b[j]];
    if (ours !== undefined && ours === theirs) {
      yield ["same", ours];
      i += 1;
      j += 1;
    } else if (ours !== undefined && (theirs === undefined || at(i + 1, j) >= at(i, j + 1))) {
      yield ["ours", ours];
      i += 1;
    } else if (theirs !== undefined) {
      yield ["theirs", theirs];
      j += 1;
    }
  }
}
