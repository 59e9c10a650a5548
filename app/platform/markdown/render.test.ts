import { describe, expect, test } from "vitest";
import { TooMuch } from "./bounds.ts";
import { markdownToEmailTree } from "./mail.ts";
import { markdownToHtml } from "./render.ts";

/** How a text is refused; else, how many characters of HTML it becomes. */
async function outcome(markdown: string) {
  try {
    return (await markdownToHtml(markdown)).length;
  } catch (error) {
    if (error instanceof TooMuch) return error.reason;
    throw error;
  }
}

describe("markdownToHtml: refuses what is too deep", () => {
  const list = (levels: number) =>
    Array.from({ length: levels }, (_, at) => `${"  ".repeat(at)}- x`).join("\n");
  const stars = (levels: number) => `${"*a **a ".repeat(levels)}${"b** b*".repeat(levels)}`;
  const quotes = (levels: number) => `${">".repeat(levels)} x`;
  const footnotes = (levels: number) => `${"[^a]: ".repeat(levels)}x`;

  test.each([
    ["quotes", quotes],
    ["lists", list],
    ["emphasis", stars],
    ["footnotes", footnotes],
  ])("%s", async (_, text) => {
    expect(await outcome(text(110))).toBe("nested");
    expect(await outcome(text(20))).toEqual(expect.any(Number));
  });
});

describe("markdownToHtml: refuses what grows out of proportion", () => {
  const cells = (count: number) =>
    `${"|a".repeat(count)}|\n${"|-".repeat(count)}|\n${"|\n".repeat(count)}`;
  const links = (count: number) => `[a]: /${"b".repeat(2 * count)}\n\n${"[a] ".repeat(count)}`;
  const notes = (count: number) => `${"[^a] ".repeat(count)}\n\n[^a]: A note.`;

  test.each([
    ["rows that are filled with cells", cells, 500],
    ["one long address in many links", links, 1_000],
    ["one footnote named many times", notes, 3_500],
  ])("%s", async (_, text, count) => {
    expect(await outcome(text(count))).toBe("large");
    expect(await outcome(text(count / 10))).toEqual(expect.any(Number));
  });
});

test("markdownToMailTree: refuses a lesson that is too long for an email", async () => {
  const list = (items: number) => markdownToEmailTree("- one\n".repeat(items), "https://b.example");
  await expect(list(1_500)).rejects.toThrow(TooMuch);
  expect((await list(300)).children).toHaveLength(1);
});
