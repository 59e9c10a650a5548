import { Refused } from "../utils/errors.ts";
import type { TooMuch } from "./bounds.ts";

type Reason = TooMuch["reason"] | "slow" | "busy";

export class MarkdownRefused extends Refused {
  readonly reason: Reason;
  constructor(reason: Reason, markdown: string) {
    const sentence = reason === "slow" ? slow(markdown) : sentences[reason];
    super(reason === "busy" ? "unavailable" : "invalid", `${sentence} Nothing you typed is lost.`);
    this.reason = reason;
  }
}

const sentences = {
  nested:
    "This text has too many lists, quotes or other signs inside each other to be shown. Please use fewer levels.",
  large:
    "This text would become too long a page, because of its tables, footnotes or repeated links. Please shorten them, or move part of the text to another lesson.",
  busy: "Other texts are being prepared just now, and this one was not. Please try again in a moment.",
};

const signs = new Set("[]()*_<>|`~&!#+-.:/\\\"'@^");
// A character with this share of a text is the fault; of periods, prose has 1 in 70.
const muchOfIt = 1 / 20;

// The most frequent sign is the cause for nearly all texts that take too much work.
function slow(markdown: string): string {
  const counts = new Map<string, number>();
  for (const one of markdown) if (signs.has(one)) counts.set(one, (counts.get(one) ?? 0) + 1);
  const [sign, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), ["", 0]);
  if (count < markdown.length * muchOfIt)
    return "This text takes too much work to be shown. Please move part of it to another lesson.";
  const times = count.toLocaleString("en-US");
  return `This text takes too much work to be shown: it has the sign ${sign} ${times} times. Please use it less, or move part of the text to another lesson.`;
}
