export type Format =
  | "heading"
  | "bold"
  | "italic"
  | "link"
  | "quote"
  | "bullets"
  | "numbers"
  | "rule"
  | "button";

export type Selected = { text: string; start: number; end: number };

/** Replaces `from`…`to` with `insert`, then selects `start`…`end`. */
export type Edit = { from: number; to: number; insert: string; start: number; end: number };

/** What a button does to a text. Pressed again, it undoes its change. */
export function format(what: Format, selected: Selected): Edit {
  switch (what) {
    case "bold":
    case "italic":
      return emphasis(what, selected);
    case "link":
      return link(selected);
    case "rule":
      return rule(selected);
    case "button":
      return button(selected);
    default:
      return lines(what, selected);
  }
}

const prefixes = {
  heading: /^#{1,6}[ \t]+/,
  quote: /^>[ \t]?/,
  bullets: /^[-*+][ \t]+/,
  numbers: /^\d{1,9}[.)][ \t]+/,
} as const;
const anyList = /^([-*+]|\d{1,9}[.)])[ \t]+/;
const anyPrefix = /^\s*(?:(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+)*/;

type LineFormat = keyof typeof prefixes;

/** All touched lines; a selection that ends at the start of a line does not touch it. */
function touched({ text, start, end }: Selected): { from: number; to: number } {
  const last = end > start && text[end - 1] === "\n" ? end - 1 : end;
  const next = text.indexOf("\n", last);
  return { from: text.lastIndexOf("\n", start - 1) + 1, to: next < 0 ? text.length : next };
}

function lines(what: LineFormat, selected: Selected): Edit {
  const { text, start, end } = selected;
  const { from, to } = touched(selected);
  const before = text.slice(from, to).split("\n");
  const written = before.filter((line) => line.trim() !== "");
  const only = before.length === 1;
  const isOn = written.length > 0 && written.every((line) => prefixes[what].test(line));
  let number = 0;
  const after = before.map((line) => {
    if (line.trim() === "" && !only) return line;
    number += 1;
    return reformed(what, line, isOn, number);
  });
  // Without an empty line, the next line would belong to the list or quotation.
  const next = text.slice(to + 1).split("\n", 1)[0] ?? "";
  const runsOn = !isOn && what !== "heading" && next.trim() !== "" && !prefixes[what].test(next);
  const insert = after.join("\n");
  const grown = (after[0]?.length ?? 0) - (before[0]?.length ?? 0);
  const caret = Math.max(from, start + grown);
  const edit = { from, to, insert: runsOn ? `${insert}\n` : insert };
  if (start === end) return { ...edit, start: caret, end: caret };
  return { ...edit, start: from, end: from + insert.length };
}

function reformed(what: LineFormat, line: string, isOn: boolean, number: number): string {
  if (what === "heading") {
    const words = line.replace(prefixes.heading, "");
    if (!isOn) return `## ${words}`;
    return line.startsWith("## ") ? `### ${words}` : words;
  }
  if (isOn) return line.replace(prefixes[what], "");
  if (what === "quote") return `> ${line}`;
  const words = line.replace(anyList, "");
  return what === "bullets" ? `- ${words}` : `${number}. ${words}`;
}

const markers = { bold: "**", italic: "*" } as const;
const wordBefore = /[\p{L}\p{N}\p{M}'’-]+$/u;
const wordAfter = /^[\p{L}\p{N}\p{M}'’-]+/u;

/** The word around the caret, or the selection without blanks at its edges. */
function words({ text, start, end }: Selected): { from: number; to: number } {
  if (start === end) {
    const near = 200;
    const left = wordBefore.exec(text.slice(Math.max(0, start - near), start))?.[0].length ?? 0;
    const right = wordAfter.exec(text.slice(end, end + near))?.[0].length ?? 0;
    return { from: start - left, to: end + right };
  }
  const chosen = text.slice(start, end);
  if (chosen.trim() === "") return { from: start, to: start };
  return {
    from: start + (chosen.length - chosen.trimStart().length),
    to: end - (chosen.length - chosen.trimEnd().length),
  };
}

function emphasis(what: "bold" | "italic", selected: Selected): Edit {
  const { text, start, end } = selected;
  const marker = markers[what];
  // At the end of emphasized text, the caret moves out of it.
  const isAtEnd =
    start === end && text.startsWith(marker, end) && /[^\s*]$/.test(text.slice(0, end));
  if (isAtEnd && has(what, leading(text.slice(end, end + 3)))) {
    const caret = end + marker.length;
    return { from: end, to: end, insert: "", start: caret, end: caret };
  }
  const { from, to } = words(selected);
  const chosen = text.slice(from, to);
  if (chosen.includes("\n")) return manyLines(what, { from, to, chosen });
  const inner = stars(chosen);
  if (chosen.length > 2 * inner && has(what, inner)) {
    const bare = chosen.slice(marker.length, -marker.length);
    return { from, to, insert: bare, start: from, end: from + bare.length };
  }
  const around = Math.min(
    /\*{0,3}$/.exec(text.slice(0, from))?.[0].length ?? 0,
    leading(text.slice(to, to + 3)),
  );
  const { length } = marker;
  if (has(what, around)) {
    const edit = { from: from - length, to: to + length, insert: chosen };
    if (start === end) return { ...edit, start: start - length, end: start - length };
    return { ...edit, start: from - length, end: to - length };
  }
  const edit = { from, to, insert: `${marker}${chosen}${marker}` };
  if (start === end) return { ...edit, start: start + length, end: start + length };
  return { ...edit, start: from + length, end: to + length };
}

const leading = (text: string) => /^\*{0,3}/.exec(text)?.[0].length ?? 0;

function stars(text: string): number {
  return Math.min(leading(text), /\*{0,3}$/.exec(text)?.[0].length ?? 0);
}

const has = (what: "bold" | "italic", stars: number) =>
  what === "bold" ? stars >= 2 : stars === 1 || stars === 3;

function manyLines(
  what: "bold" | "italic",
  { from, to, chosen }: { from: number; to: number; chosen: string },
): Edit {
  const marker = markers[what];
  const parts = chosen.split("\n").map((line) => {
    const [prefix = ""] = anyPrefix.exec(line) ?? [];
    return { prefix, words: line.slice(prefix.length).trimEnd() };
  });
  const written = parts.filter(({ words }) => words !== "");
  const isOn = written.every(({ words }) => has(what, stars(words)));
  const insert = parts
    .map(({ prefix, words }) => {
      if (words === "") return prefix.trimEnd();
      const changed = isOn ? words.slice(marker.length, -marker.length) : marker + words + marker;
      return prefix + changed;
    })
    .join("\n");
  return { from, to, insert, start: from, end: from + insert.length };
}

const address = /^(https?:\/\/|mailto:|tel:)\S+$/;
const anyAddress = "https://";

function link(selected: Selected): Edit {
  const { from, to } = words(selected);
  const chosen = selected.text.slice(from, to);
  if (address.test(chosen)) {
    const edit = { from, to, insert: `[](${chosen})` };
    return { ...edit, start: from + 1, end: from + 1 };
  }
  const edit = { from, to, insert: `[${chosen}](${anyAddress})` };
  if (chosen === "") return { ...edit, start: from + 1, end: from + 1 };
  const at = from + chosen.length + 3;
  return { ...edit, start: at, end: at + anyAddress.length };
}

/** A rule below the caret's line. Directly below text, it would turn that text into a heading. */
function rule(selected: Selected): Edit {
  return block("---", selected);
}

/** A link that is shown as a button, in a paragraph of its own. The caret is where its words go. */
function button(selected: Selected): Edit {
  const edit = block(`[](${anyAddress} "button")`, selected);
  const at = edit.from + edit.insert.indexOf("[](") + 1;
  return { ...edit, start: at, end: at };
}

/** A paragraph of its own below the caret's line, or in its place where that is empty. */
export function block(words: string, selected: Selected): Edit {
  const { text } = selected;
  const { to: at } = touched(selected);
  const above = text.slice(0, at);
  const missing = above.trim() === "" ? 0 : 2 - (/\n{0,2}$/.exec(above)?.[0].length ?? 0);
  const below = /^\n{0,2}/.exec(text.slice(at))?.[0].length ?? 0;
  const insert = `${"\n".repeat(missing)}${words}${"\n".repeat(2 - below)}`;
  const caret = at + insert.length + below;
  return { from: at, to: at, insert, start: caret, end: caret };
}
