import { photographAlt } from "./photograph-messages.ts";
import type { Answer, ShownPhotograph } from "./schema.ts";

/** A journal as it is printed and handed out: every day in words. */
export type Book = {
  name: string;
  /** 'November 3, 2025 to November 22, 2026'; null while nothing is written. */
  days: string | null;
  /** Its chapters, as much at a time as fits into memory many times over. */
  pages: AsyncIterable<BookChapter[]>;
};

/** A course, or what of it stands on one page. */
export type BookChapter = {
  id: string;
  title: string;
  sections: BookSection[];
};

/** A lesson, or what of it stands on one page. */
export type BookSection = {
  id: string;
  title: string;
  module: string;
  /** Null while the lesson is not finished. */
  day: string | null;
  answers: Answer[];
  /** What stands in the place of answers that cannot be opened. */
  unreadable: string | false;
  drafts: { day: string; answers: Answer[]; unreadable: string | false }[];
  photographs: ShownPhotograph[];
};

// A text may have 100,000 characters: no pattern here looks at any of them again and again.

/** What would be markup in the middle of a line (CommonMark 0.31, 2.4; GFM's tables and strikethrough). */
const inline = /[\\`*_[\]<~|]|&(?=#?\w+;)/g;
const address =
  /(?<![a-z])(?:https?|ftp):\/\/[^\s\\<>|`"\p{Cc}]*|(?<=^|[\s*_~([\]])www\.[^\s\\<>|`"\p{Cc}]*/giu;
/** What would begin a heading, a quote, a list, a rule or a fence at the start of a line. */
const atStart = /^(#{1,6}(?=\s|$)|>|[+-]|=+\s*$)/;
const numbered = /^(\d{1,9})([.)])(?=\s|$)/;

/** A text of people's as Markdown that reads as they wrote it: nothing in it is markup, a line
 * stays a line, and what is indented stays so. */
export function asMarkdown(text: string): string {
  const lines = text.trim() === "" ? [] : linesOf(text);
  return lines
    .map((line, at) => {
      const next = lines[at + 1];
      return line !== "" && next !== undefined && next !== "" ? `${line}  ` : line;
    })
    .join("\n");
}

function linesOf(text: string): string[] {
  const lined = text.replaceAll(/\r\n?|[\u2028\u2029]/g, "\n").trimEnd();
  return lined
    .replace(/^\s*\n/, "")
    .split("\n")
    .map(asLine);
}

function asLine(line: string): string {
  const words = line.trim();
  if (words === "") return "";
  const indent = line.slice(0, line.trimEnd().length - words.length);
  const spaces = indent.replaceAll("\t", "    ").length;
  const written = withoutMarkup(words)
    .replace(atStart, (mark) => `\\${mark}`)
    .replace(numbered, "$1\\$2");
  return "&nbsp;".repeat(spaces) + written;
}

const escaped = (text: string): string => text.replaceAll(inline, "\\$&");

function withoutMarkup(line: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { 0: found, index } of line.matchAll(address)) {
    // A link behind '!' would be a picture.
    parts.push(escaped(line.slice(done, index)).replace(/!$/, "\\!"));
    done = index + found.length;
    parts.push(asLink(found, line.charAt(done)));
  }
  parts.push(escaped(line.slice(done)));
  return parts.join("");
}

function asLink(found: string, next: string): string {
  const isWeb = found.toLowerCase().startsWith("www.");
  const isPlain = escaped(found) === found && next.trim() === "";
  const url = found.slice(0, addressLength(found));
  const rest = escaped(found.slice(url.length));
  if (/^(?:www|\w+:\/\/)$/i.test(url))
    return isPlain ? found : escaped(found).replace(/[.:]/, "\\$&");
  if (isWeb && isPlain) return found;
  const shown = escaped(url);
  if (isWeb) return `[${shown}](<http://${shown}>)${rest}`;
  // Whether '&copy;' is a sign between these brackets, the programs do not agree.
  return /&#?\w+;/.test(url) ? `[${shown}](<${shown}>)${rest}` : `<${url}>${rest}`;
}

/** Without what belongs to the sentence, as on GitHub; but a video's name may end in '_'. */
function addressLength(found: string): number {
  const count = (sign: string) => found.split(sign).length - 1;
  const unopened = new Map([
    [")", count(")") - count("(")],
    ["]", count("]") - count("[")],
  ]);
  let length = found.length;
  for (; length > 0; length--) {
    const sign = found.charAt(length - 1);
    const surplus = unopened.get(sign);
    if (surplus === undefined ? !/[?!.,:;*~'’”»…]/.test(sign) : surplus <= 0) break;
    if (surplus !== undefined) unopened.set(sign, surplus - 1);
  }
  return length;
}

function oneLine(text: string): string {
  const line = asMarkdown(text.replaceAll(/\s+/g, " ").trim());
  // Behind a heading, they would belong to its '#' in front.
  return line.replace(/(?<=^| )#+$/, "\\$&");
}

/** More paragraphs than a page is made of in no time; beyond, a text stays one. */
const mostParagraphs = 1_000;

/** A text's paragraphs, each with its own lines: on paper, only whole ones keep their lines together. */
export function bookParagraphs(text: string): string[] {
  const parts: string[][] = [];
  let isBetween = true;
  for (const line of text.split("\n")) {
    const isBlank = line.trim() === "";
    if (!isBlank && isBetween) parts.push([]);
    if (!isBlank) parts.at(-1)?.push(line);
    isBetween = isBlank;
  }
  if (parts.length > mostParagraphs) return [text];
  return parts.map((lines) => lines.join("\n").trimEnd());
}

/** A journal as a Markdown file, an answer at a time: others get their turn between two.
 * @param fileOf the file of a picture beside it; without one, it says where the photographs are */
export async function* bookMarkdown(
  { name, days, pages }: Book,
  fileOf?: (picture: ShownPhotograph) => string,
): AsyncGenerator<string> {
  yield ["# My journal", [oneLine(name), days].filter(Boolean).join(", ")].join("\n\n");
  if (days === null) yield "\n\nNothing written yet.";
  let chapter = "";
  let lesson = "";
  for await (const page of pages)
    for (const { id, title, sections } of page) {
      if (id !== chapter) yield `\n\n## ${oneLine(title)}`;
      chapter = id;
      for (const section of sections) {
        for (const part of sectionParts(section, section.id === lesson)) yield `\n\n${part}`;
        for (const picture of section.photographs) yield `\n\n${asPicture(picture, fileOf)}`;
        lesson = section.id;
      }
    }
  yield "\n";
}

function asPicture(
  picture: ShownPhotograph,
  fileOf?: (picture: ShownPhotograph) => string,
): string {
  const alt = photographAlt(picture.added);
  return fileOf
    ? `![${alt}](${fileOf(picture)})`
    : `*${alt}: it comes along with “Download everything”.*`;
}

function* sectionParts(section: BookSection, isContinued: boolean) {
  const { title, module, day, drafts } = section;
  if (!isContinued) {
    yield `### ${oneLine(title)}`;
    yield [oneLine(module), day ?? "Not finished"].filter(Boolean).join(", ");
  }
  yield* wordsOf(section);
  for (const draft of drafts) {
    yield `A draft from ${draft.day}, not sent:`;
    yield* wordsOf(draft);
  }
}

function* wordsOf({ answers, unreadable }: Pick<BookSection, "answers" | "unreadable">) {
  if (unreadable) yield asMarkdown(unreadable);
  for (const { question, answer } of answers) {
    yield `#### ${oneLine(question)}`;
    yield asMarkdown(answer);
  }
}
