import { expect, test } from "vitest";
import { paragraphsOf } from "./paragraphs.ts";

test("paragraphsOf: empty lines divide, single ones do not", () => {
  expect(paragraphsOf("One\nmore.\r\n\r\n  Two. \n \n\nThree.\n")).toEqual([
    "One\nmore.",
    "Two.",
    "Three.",
  ]);
  expect(paragraphsOf(null)).toEqual([]);
  expect(paragraphsOf(" \n\n ")).toEqual([]);
});
