import { describe, expect, test } from "vitest";
import type { Fields } from "../lessons/schema.ts";
import { differences, lineDifferences } from "./rules.ts";

const fields: Fields = {
  title: "A title",
  moduleId: "m",
  slug: "a-title",
  orderNum: "1",
  dripDay: "0",
  content: "one\ntwo",
  prompts: "",
};

describe("two versions of a lesson", () => {
  test("differ in what differs, in the order of the form", () => {
    const other = { ...fields, content: "three", title: "Another" };
    expect(differences(fields, other)).toEqual(["title", "content"]);
    expect(differences(fields, fields)).toEqual([]);
  });

  test("do not differ by line breaks and by the layout of JSON", () => {
    const mine = { ...fields, content: "one\r\ntwo", prompts: '[{"question":"a"}]' };
    const theirs = { ...fields, prompts: '[\n {"question": "a", "placeholder": ""}\n]' };
    expect(differences(mine, theirs)).toEqual([]);
    expect(differences({ ...fields, prompts: "[]" }, fields)).toEqual([]);
    expect(differences({ ...fields, prompts: "{" }, fields)).toEqual(["prompts"]);
  });
});

describe("lines", () => {
  test.each([
    ["a\nb\nc", "a\nb\nc", [["same", "a\nb\nc"]]],
    [
      "a\nb\nc",
      "a\nx\nc",
      [
        ["same", "a"],
        ["ours", "b"],
        ["theirs", "x"],
        ["same", "c"],
      ],
    ],
    [
      "a\nc",
      "a\nb\nc",
      [
        ["same", "a"],
        ["theirs", "b"],
        ["same", "c"],
      ],
    ],
    [
      "a\nb\nc",
      "c",
      [
        ["ours", "a\nb"],
        ["same", "c"],
      ],
    ],
    [
      "a\nb\nc\nd",
      "b\nx\nd",
      [
        ["ours", "a"],
        ["same", "b"],
        ["ours", "c"],
        ["theirs", "x"],
        ["same", "d"],
      ],
    ],
    [
      "",
      "a",
      [
        ["ours", ""],
        ["theirs", "a"],
      ],
    ],
  ])("%j and %j", (ours, theirs, pieces) => {
    expect(lineDifferences(ours, theirs).map(({ kind, text }) => [kind, text])).toEqual(pieces);
  });

  test("of any two texts give both texts back", () => {
    const letters = ["a", "b", "c", ""];
    const text = (seed: number) =>
      Array.from({ length: seed % 9 }, (_, at) => letters[(seed * (at + 3) * 7) % 4]).join("\n");
    for (let seed = 0; seed < 200; seed += 1) {
      const [ours, theirs] = [text(seed), text(seed * 31 + 5)];
      const pieces = lineDifferences(ours, theirs);
      const without = (gone: string) =>
        pieces
          .filter(({ kind }) => kind !== gone)
          .map((piece) => piece.text)
          .join("\n");
      expect([without("theirs"), without("ours")]).toEqual([ours, theirs]);
    }
  });

  test("of long texts that have nothing in common are told all the same, and soon", () => {
    const long = (mark: string) => Array.from({ length: 20_000 }, (_, at) => mark + at).join("\n");
    const started = performance.now();
    expect(lineDifferences(long("a"), long("b"))).toHaveLength(2);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
