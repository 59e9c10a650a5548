import { charactersOf } from "./card.ts";

/** The width of a text at a size, both in pixels. */
export type Measure = (text: string, size: number) => number;

export type Fitted = { size: number; lines: string[] };

type Box = {
  width: number;
  height: number;
  /** In pixels, the largest first. */
  sizes: readonly number[];
  leading: number;
  mostLines: number;
  /** Lines of like length; without it only where the last one would have a word or two. */
  balanced: boolean;
};

/** The largest size at which a text has room; at the smallest, what has none ends in an ellipsis. */
export function fitText(text: string, box: Box, measure: Measure): Fitted {
  if (text === "") return { size: box.sizes[0] ?? 0, lines: [] };
  for (const size of box.sizes) {
    const most = linesIn(box, size);
    const at = (one: string) => measure(one, size);
    const lines = wrap(tokensOf(text), box.width, at);
    if (lines.length > most || lines.some((line) => at(line) > box.width)) continue;
    const isRagged = at(lines.at(-1) ?? "") < 0.4 * Math.max(...lines.map(at));
    const isBalanced = box.balanced || isRagged;
    return { size, lines: isBalanced ? balance(text, lines, box.width, at) : lines };
  }
  const size = box.sizes.at(-1) ?? 0;
  return { size, lines: cut(text, box, size, (one) => measure(one, size)) };
}

const linesIn = ({ height, leading, mostLines }: Box, size: number) =>
  Math.max(1, Math.min(mostLines, Math.floor(height / (size * leading))));

/** Where a line may end: after a space, a hyphen, a dash or a slash. Not at a no-break space. */
const tokensOf = (text: string) => text.split(/(?<= )|(?<=[-–—/])(?=[^ ])/);

function wrap(tokens: string[], width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const token of tokens) {
    if (line !== "" && measure((line + token).trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = token;
    } else line += token;
  }
  return [...lines, line.trimEnd()];
}

/** The narrowest column that needs no more lines. */
function balance(
  text: string,
  lines: string[],
  width: number,
  measure: (text: string) => number,
): string[] {
  const tokens = tokensOf(text);
  let [narrow, wide, best] = [0, width, lines];
  while (wide - narrow > 1) {
    const middle = (narrow + wide) / 2;
    const tried = wrap(tokens, middle, measure);
    const isGood = tried.length <= lines.length && tried.every((line) => measure(line) <= middle);
    if (isGood) [wide, best] = [middle, tried];
    else narrow = middle;
  }
  return best;
}

function cut(text: string, box: Box, size: number, measure: (text: string) => number): string[] {
  const tokens = tokensOf(text).flatMap((token) =>
    measure(token.trimEnd()) > box.width ? charactersOf(token) : [token],
  );
  const all = wrap(tokens, box.width, measure);
  const lines = all.slice(0, linesIn(box, size));
  if (all.length === lines.length) return lines;
  const last = charactersOf(lines.pop() ?? "");
  while (last.length > 0 && measure(`${ending(last)}…`) > box.width) last.pop();
  return [...lines, `${ending(last)}…`];
}

const ending = (last: string[]) => last.join("").replace(/[\s.,:;–—-]+$/, "");
