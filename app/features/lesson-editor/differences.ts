// "diff" itself would bring every kind of diff to the browser.
import { diffArrays } from "diff/lib/diff/array.js";
import { type PromptsAsked, readPrompts } from "~/features/courses/prompts.ts";
import { type FieldName, type Fields, fieldNames } from "./messages.ts";

/** Line breaks as stored; forms send CRLF. */
export function plainBreaks(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

function samePrompts(one: string, other: string): boolean {
  const [a, b] = [readPrompts(one), readPrompts(other)];
  if (!("asked" in a && "asked" in b)) return one.trim() === other.trim();
  const none = (asked: PromptsAsked) => (asked === "keep" ? null : asked);
  return JSON.stringify(none(a.asked)) === JSON.stringify(none(b.asked));
}

/** The fields in which two versions of a lesson differ, in form order. */
export function differences(one: Fields, other: Fields): FieldName[] {
  return fieldNames.filter((name) =>
    name === "prompts"
      ? !samePrompts(one.prompts, other.prompts)
      : plainBreaks(one[name]).trim() !== plainBreaks(other[name]).trim(),
  );
}

/** A piece of a text: in both ('same'), only in the other ('theirs'), or only here ('ours'). */
export type Piece = { kind: "same" | "theirs" | "ours"; text: string };

/** Above this many changed lines, the whole text counts as changed. Quadratic time: 60 ms. */
const maxEditLength = 1000;

/** The lines that only one of two texts has, in order, with those that they share. */
export function lineDifferences(ours: string, theirs: string): Piece[] {
  const [a, b] = [plainBreaks(ours).split("\n"), plainBreaks(theirs).split("\n")];
  const changes = diffArrays(a, b, { maxEditLength }) ?? [
    { value: a, removed: true, added: false },
    { value: b, removed: false, added: true },
  ];
  return changes.map(({ value, removed, added }) => ({
    kind: removed ? "ours" : added ? "theirs" : "same",
    text: value.join("\n"),
  }));
}
