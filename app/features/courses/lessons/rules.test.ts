import { describe, expect, test } from "vitest";
import { readLesson } from "./rules.ts";
import { type Fields, typedFields } from "./schema.ts";
import { maxContent, maxTitle } from "./texts.ts";

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
