import { describe, expect, test } from "vitest";
import { differences, lineDifferences } from "./differences.ts";
import { type Fields, maxContent, maxTitle } from "./messages.ts";
import { readLesson, typedFields } from "./schema.ts";

const good: Fields = {
  title: " A title ",
  moduleId: "01900000-0000-7000-8000-000000000000",
  slug: "a-title",
  orderNum: "1",
  dripDay: "0",
  content: "one\r\ntwo",
  prompts: "",
};

describe("a lesson's form", () => {
  test("becomes values, with plain line breaks", () => {
    expect(readLesson(good)).toEqual({
      values: {
        title: "A title",
        moduleId: good.moduleId,
        slug: "a-title",
        orderNum: 1,
        dripDay: 0,
        content: "one\ntwo",
      },
      prompts: "keep",
    });
  });

  test("an empty day is the first one (spec 9)", () => {
    expect(readLesson({ ...good, dripDay: " " })).toMatchObject({ values: { dripDay: 0 } });
  });

  test.each<[keyof Fields, string, string]>([
    ["title", "", "Title is required"],
    ["title", "  ", "Title is required"],
    ["title", "t".repeat(maxTitle + 1), "A title has 200 characters at most"],
    ["moduleId", "", "Module is required"],
    ["slug", "", "Give it an address, for example from its title"],
    ["slug", "A title", "Use small letters, numbers and hyphens only"],
    ["slug", "Ä b", "Use small letters, numbers and hyphens only"],
    ["slug", "a--b", "Use small letters, numbers and hyphens only"],
    ["slug", "../x", "Use small letters, numbers and hyphens only"],
    ["slug", "s".repeat(101), "An address has 100 characters at most"],
    ["orderNum", "", "Order number is required"],
    ["orderNum", "0", "Use a whole number, 1 or higher"],
    ["orderNum", "-1", "Use a whole number, 1 or higher"],
    ["orderNum", "1.5", "Use a whole number, 1 or higher"],
    ["orderNum", "1e3", "Use a whole number, 1 or higher"],
    ["orderNum", "999999999", "Use a whole number, 1 or higher"],
    ["dripDay", "-1", "Use a whole number, 0 or higher"],
    ["dripDay", "x", "Use a whole number, 0 or higher"],
    ["prompts", "{", "Invalid JSON format for prompts"],
    ["prompts", "{}", "Invalid JSON format for prompts"],
  ])("%s %j is refused: %s", (name, value, message) => {
    expect(readLesson({ ...good, [name]: value })).toMatchObject({ errors: { [name]: message } });
  });

  test("a text may be as long as its limit, and not longer", () => {
    expect(readLesson({ ...good, content: "x".repeat(maxContent) })).toHaveProperty("values");
    const read = readLesson({ ...good, content: "x".repeat(maxContent + 1) });
    expect("errors" in read && read.errors.content).toContain("300,000 characters");
  });

  test("every field has its own error", () => {
    const read = readLesson(typedFields.parse({}));
    expect("errors" in read && Object.keys(read.errors).sort()).toEqual([
      "moduleId",
      "orderNum",
      "slug",
      "title",
    ]);
  });
});

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

  test("of long texts that have nothing in common are found soon as well", () => {
    const long = (mark: string) => Array.from({ length: 20_000 }, (_, at) => mark + at).join("\n");
    const started = performance.now();
    expect(lineDifferences(long("a"), long("b"))).toHaveLength(2);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
