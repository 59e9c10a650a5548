import { describe, expect, test } from "vitest";
import {
  maxPrompts,
  maxQuestion,
  moveItem,
  promptRows,
  promptsText,
  readPrompts,
  rowsText,
} from "./prompts.ts";

const message = "Invalid JSON format for prompts";

describe("the prompts field", () => {
  test.each(["", "   ", "\n"])("%j keeps what there is", (raw) => {
    expect(readPrompts(raw)).toEqual({ asked: "keep" });
  });

  test.each(["[]", " [ ] ", "null", '[{"question": " ", "placeholder": ""}]', "[{}]"])(
    "%j clears",
    (raw) => {
      expect(readPrompts(raw)).toEqual({ asked: null });
    },
  );

  test("takes questions, with a placeholder or without, and leaves blank rows out", () => {
    const raw =
      '[{"question": " One? "}, {"question":""}, {"question": "Two?", "placeholder": " p "}]';
    expect(readPrompts(raw)).toEqual({
      asked: [
        { question: "One?", placeholder: "" },
        { question: "Two?", placeholder: "p" },
      ],
    });
  });

  test.each(["{", "[", "x", "[{'question': 'a'}]", "undefined", "[1,]"])(
    "%j is no JSON: the message of the specification",
    (raw) => {
      expect(readPrompts(raw)).toEqual({ error: { message, detail: null } });
    },
  );

  test.each([
    ["{}", "It must be a list"],
    ["7", "It must be a list"],
    ['"How?"', "It must be a list"],
    ['["How?"]', "Prompt 1 must have the form"],
    ["[null]", "Prompt 1 must have the form"],
    ["[[]]", "Prompt 1 must have the form"],
    ['[{"question": 7}]', "Prompt 1 must have texts"],
    ['[{"question": "a", "placeholder": null}]', "Prompt 1 must have texts"],
    ['[{"question": "a"}, {"placeholder": "b"}]', "Prompt 2 needs a question."],
    ['[{"question": "a", "hint": "b"}]', "would be lost: hint"],
    [JSON.stringify([{ question: "q".repeat(maxQuestion + 1) }]), "more than 2,000 characters"],
    [JSON.stringify(Array(maxPrompts + 1).fill({ question: "q" })), "100 prompts at most"],
    [`[${" ".repeat(300_001)}]`, "too long"],
  ])("%s is refused with what is wrong", (raw, detail) => {
    const read = readPrompts(raw);
    expect(read).toMatchObject({ error: { message } });
    expect("error" in read && read.error.detail).toContain(detail);
  });

  test("the longest and most that can be", () => {
    const most = Array(maxPrompts).fill({ question: "q".repeat(maxQuestion), placeholder: "" });
    expect(readPrompts(JSON.stringify(most))).toEqual({ asked: most });
  });
});

describe("rows and the field", () => {
  test("show the same, blank rows and blanks too", () => {
    const rows = [
      { question: "a ", placeholder: "" },
      { question: "", placeholder: "" },
    ];
    expect(promptRows(rowsText(rows))).toEqual(rows);
    expect(promptRows("")).toEqual([]);
    expect(promptRows("[]")).toEqual([]);
  });

  test.each(["{", "{}", '["a"]', '[{"question": "a", "hint": "b"}]', '[{"question": 1}]'])(
    "%s cannot be shown as rows without losing something",
    (raw) => {
      expect(promptRows(raw)).toBeNull();
    },
  );

  test("no rows are said to be none; no prompts are an empty field", () => {
    expect(rowsText([])).toBe("[]");
    expect(promptsText(null)).toBe("");
    expect(promptsText([])).toBe("");
    expect(JSON.parse(promptsText([{ question: "a", placeholder: "b" }]))).toEqual([
      { question: "a", placeholder: "b" },
    ]);
  });

  test("one row moves, the others keep their order", () => {
    expect(moveItem(["a", "b", "c"], 0, 1)).toEqual(["b", "a", "c"]);
    expect(moveItem(["a", "b", "c"], 2, 0)).toEqual(["c", "a", "b"]);
  });
});
