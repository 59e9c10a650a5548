import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { describe, expect, test } from "vitest";
import {
  asMarkdown,
  type Book,
  type BookChapter,
  type BookSection,
  bookMarkdown,
  bookParagraphs,
} from "./journal-book.ts";

type Node = { type: string; value?: string; url?: string; children?: Node[] };
const github = unified().use(remarkParse).use(remarkGfm);
const commonMark = unified().use(remarkParse);
const plain = new Set(["root", "paragraph", "text", "break", "link"]);

/** A book as a file, each chapter of it on a page. */
async function fileOf(
  { name = "", days = null }: Partial<Pick<Book, "name" | "days">>,
  ...chapters: BookChapter[]
): Promise<string> {
  async function* pages() {
    for (const chapter of chapters) yield [chapter];
  }
  let file = "";
  for await (const part of bookMarkdown({ name, days, pages: pages() })) file += part;
  return file;
}

/** What a reader of the Markdown sees, where it leads, and every kind of markup in it. */
function seen(markdown: string, parser = github) {
  const kinds = new Set<string>();
  const links: string[] = [];
  const read = (node: Node): string => {
    kinds.add(node.type);
    if (node.url) links.push(node.url);
    if (node.type === "break") return "\n";
    const own =
      node.value ?? (node.children ?? []).map(read).join(node.type === "root" ? "\n\n" : "");
    return own;
  };
  return {
    // What is made of addresses in running text is made after parsing.
    text: read(parser.runSync(parser.parse(markdown)) as Node),
    links,
    kinds: [...kinds].filter((kind) => !plain.has(kind)),
  };
}

describe("people's words as Markdown read as they were written", () => {
  const texts = [
    "I miss *him*, and _her_, and `code`, and ~~this~~.",
    "# not a heading\n## nor this\n> no quote\n- no list\n+ nor this\n1. nor this\n2) nor that",
    "one\ntwo\n\nthree\nfour",
    "===\nabove\n---\n***\n___\n```\nno fence\n~~~",
    "<b>no tag</b> &amp; no entity &#65; but A & B",
    "[no link](https://example.com) ![no picture](x) [^1]\n\n[1]: no definition",
    "| no | table |\n| --- | --- |\n| a | b |",
    "a back\\slash and \\* two",
    "https://example.com stays, me@example.com too",
    "- [ ] no task\n-\n#\n#5 stays",
    "emoji 💙, أفتقده, line\u2028separator",
  ];
  test.each(texts)("%j", (text) => {
    const { text: read, kinds } = seen(asMarkdown(text));
    expect(kinds).toEqual([]);
    expect(read).toBe(text.replaceAll("\u2028", "\n"));
  });

  test("what is indented stays so, and is no code", () => {
    const { text, kinds } = seen(asMarkdown("a poem\n    goes in\n\n    and in"));
    expect(kinds).toEqual([]);
    expect(text.replaceAll("\u00a0", " ")).toBe("a poem\n    goes in\n\n    and in");
  });

  test("two thousand random texts of signs hold no markup", () => {
    const signs = [..."*_#>-+`~[]()<&;|\\=!:  \nab", "1."];
    const next = random(7);
    for (let count = 0; count < 2_000; count++) {
      const text = Array.from({ length: 24 }, () => signs[next() % signs.length]).join("");
      expect(seen(asMarkdown(text)).kinds, JSON.stringify(text)).toEqual([]);
    }
  });
});

/** The same numbers in each run. */
function random(start: number): () => number {
  let seed = start;
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed >> 8;
  };
}

/** A lesson of a book with these answers. */
const sectionOf = (id: string, title: string, answers: BookSection["answers"]): BookSection => ({
  ...{ id, title, answers, module: "Week 1", day: null, drafts: [], photographs: [] },
  unreadable: false,
});

test("bookMarkdown: titles, days, questions, answers; drafts say that they are drafts", async () => {
  const answers = [{ question: "How\nwas it?", answer: "It *was*." }];
  const day = "November 3, 2026";
  const draft = { day: "November 4, 2026", answers, unreadable: false as const };
  const section = { ...sectionOf("1", "A lesson", answers), day, drafts: [draft] };
  const head = { name: "Ada", days: day };
  expect(await fileOf(head, { id: "c", title: "A course", sections: [section] })).toBe(
    "# My journal\n\nAda, November 3, 2026\n\n## A course\n\n### A lesson\n\nWeek 1, November 3, 2026\n\n#### How was it?\n\nIt \\*was\\*.\n\nA draft from November 4, 2026, not sent:\n\n#### How was it?\n\nIt \\*was\\*.\n",
  );
});

test("paragraphs keep their lines and their indents", () => {
  expect(bookParagraphs("one\ntwo\n\n  three\n \n\nfour\n")).toEqual([
    "one\ntwo",
    "  three",
    "four",
  ]);
});

describe("addresses lead where they led, on GitHub and elsewhere", () => {
  const bare = "https://youtu.be/a_b";
  test.each([
    [bare, [bare]],
    [
      "https://youtu.be/a_ and http://a.org/*b*/~c~?d=1&e=[f]#g.",
      ["https://youtu.be/a_", "http://a.org/*b*/~c~?d=1&e=[f]#g"],
    ],
    [
      "(see https://en.wikipedia.org/wiki/Grief_(book)), then",
      ["https://en.wikipedia.org/wiki/Grief_(book)"],
    ],
    [
      "“https://a.org/b_c”, 'https://a.org/d_e'; *https://a.org/f_g*!",
      ["https://a.org/b_c", "https://a.org/d_e", "https://a.org/f_g"],
    ],
    [
      "[a link](https://a.org/b_c) ![a picture](https://a.org/d_e)",
      ["https://a.org/b_c", "https://a.org/d_e"],
    ],
    [
      "https://a.org/?b=1&copy;_c and !https://a.org/?b&amp;c",
      ["https://a.org/?b=1&copy;_c", "https://a.org/?b&amp;c"],
    ],
    ["a\\https://a.org/b_c|https://a.org/d_e", ["https://a.org/b_c", "https://a.org/d_e"]],
    ["`https://a.org/b_c` <https://a.org/d_e>", ["https://a.org/b_c", "https://a.org/d_e"]],
    ["HTTPS://A.org/B_c ftp://a.org/b_c", ["HTTPS://A.org/B_c", "ftp://a.org/b_c"]],
    ["https://müller.de/ä_ö_ü", ["https://müller.de/ä_ö_ü"]],
    ["https:// and https://... and http", []],
    ["www.a.org/b_c_d, (www.a.org/e*f)", ["http://www.a.org/b_c_d", "http://www.a.org/e*f"]],
  ])("%j", (text, links) => {
    for (const parser of [github, commonMark])
      expect(seen(asMarkdown(text), parser)).toEqual({ text, links, kinds: [] });
  });

  test("one without signs of Markdown in it stays as it is", () => {
    expect(asMarkdown("on www.example.com, I read")).toBe("on www.example.com, I read");
    expect(seen("www.example.com").links).toEqual(["http://www.example.com"]);
  });

  test("two thousand random lines read as they were written", () => {
    const signs = [..."_*~`<>()[]&;|\\!:/.\"'#- ", " ", "a", "b", "www.", "www.a.", "https://"];
    signs.push("https://a.", "HTTP://", "&amp;", "@", "c.de");
    const next = random(11);
    for (let count = 0; count < 2_000; count++) {
      const pieces = Array.from({ length: 16 }, () => signs[next() % signs.length]);
      const text = `a ${pieces.join("")}`.trim();
      for (const parser of [github, commonMark]) {
        const { text: read, kinds } = seen(asMarkdown(text), parser);
        expect(kinds, JSON.stringify(text)).toEqual([]);
        expect(read.replaceAll(/\s+/g, " ")).toBe(text.replaceAll(/\s+/g, " "));
      }
    }
  });
});

test("bookMarkdown: what continues over several pages has one heading", async () => {
  const page = (id: string, ...lessons: string[]) => ({
    ...{ id, title: `Course ${id}` },
    sections: lessons.map((lesson) =>
      sectionOf(lesson, `Lesson ${lesson}`, [{ question: "Why?", answer: "a" }]),
    ),
  });
  const pages = [page("1", "a", "b"), page("1", "b"), page("2", "c"), page("2", "c")];
  const file = await fileOf({}, ...pages);
  expect(file.match(/^##* .*$/gm)?.filter((line) => !line.includes("Why"))).toEqual([
    ...["# My journal", "## Course 1", "### Lesson a", "### Lesson b"],
    ...["## Course 2", "### Lesson c"],
  ]);
});

test.each(["Is it C #", "#", "# #", "a ## ##", "C#", "See https://a.org/b_c"])(
  "bookMarkdown: a title reads as it was written: %j",
  async (title) => {
    const sections = [sectionOf("1", title, [{ question: title, answer: "a" }])];
    const tree = github.parse(await fileOf({}, { id: "c", title, sections })) as Node;
    const headings = (tree.children ?? []).filter(({ type }) => type === "heading").slice(1);
    const read = (node: Node): string => node.value ?? (node.children ?? []).map(read).join("");
    expect(headings.map(read)).toEqual([title, title, title]);
  },
);

describe("a text of twice the longest answer is no more work than its length", () => {
  const length = 200_000;
  const filled = (piece: string) => piece.repeat(length / piece.length);
  test.each([
    ["spaces between", `a${filled(" ")}b`],
    ["newlines between", `a${filled("\n")}b`],
    ["tabs between", `a${filled("\t")}b`],
    ["tabs before", `${filled("\t")}b`],
    ["spaces behind a line", `a${filled(" ")}\nb`],
    ["blank lines between", `a${filled("\n \t\n  \r\n ")}b`],
    ["blank lines behind", `a${filled("\n \n")}`],
    ["blank lines before", `${filled(" \n\n\u2028")}a`],
    ["short lines", filled("a \n")],
    ["short paragraphs", filled("a \n \n")],
    ...["\\", "*", "#", "=", "&", "& ", "&a", "&#", "1", "<", "[", "]", ")", "(", "=\t", "# "].map(
      (sign) => [sign, `a ${filled(sign)}b`],
    ),
    ...["https://", "https://a ", "www.", "www.a ", "w", "h", "!", "!https:"].map((sign) => [
      sign,
      filled(sign),
    ]),
    ...["_", "]", ")", "(", ".", "&a;", "&", "*"].flatMap((sign) => [
      [`an address of ${sign}`, `https://a${filled(sign)}`],
      [`another of ${sign}`, `www.a${filled(sign)}`],
    ]),
  ])("%s", async (_, text = "") => {
    const start = process.threadCpuUsage();
    asMarkdown(text);
    bookParagraphs(text);
    const section = sectionOf("1", text, [{ question: text, answer: "" }]);
    await fileOf({}, { id: "c", title: "", sections: [section] });
    const { user } = process.threadCpuUsage(start);
    expect(user).toBeLessThan(400_000);
  });
});
