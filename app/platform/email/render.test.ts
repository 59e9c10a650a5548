import { createElement } from "react";
import { expect, test } from "vitest";
import type { Site } from "~content/fields.ts";
import { shown } from "~content/pages/site.yaml";
import { renderEmail } from "./render.ts";

const textOf = async (words: string) =>
  (
    await renderEmail({ content: { site: shown as Site } }, createElement("p", null, words))
  ).text.trimEnd();

test.each([
  ["It is at https://a.example/b?c=d.e.", "It is at <https://a.example/b?c=d.e>."],
  ["“See https://a.example/b”, I said.", "“See <https://a.example/b>”, I said."],
  ["https://a.example/b_(c) or https://a.example", "https://a.example/b_(c) or https://a.example"],
  ["https://a.example/b_(c).", "<https://a.example/b_(c)>."],
  ["It is short (https://a.example/b).", "It is short (<https://a.example/b>)."],
])("the plain text of '%s' keeps signs of the sentence apart from URLs", async (words, text) => {
  expect(await textOf(words)).toBe(text);
});
