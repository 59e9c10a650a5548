import { describe, expect, test } from "vitest";
import { givenAnswers, journalText, matchAnswers, mergeTexts, placeAnswers } from "./rules.ts";

describe("journal", () => {
  const a = { question: "What is hard?", answer: "Mornings." };
  const b = { question: "What helps?", answer: " Tea,\nwith him \u{1F499} " };
  const blank = { question: "Else?", answer: " \n\t" };
  test("question and answer, a separator between prompts, blank answers left out", () => {
    expect(journalText([a, blank, b])).toBe(
      "What is hard?\nMornings.\n\n---\n\nWhat helps?\n Tea,\nwith him \u{1F499} ",
    );
    expect(journalText([b])).toBe("What helps?\n Tea,\nwith him \u{1F499} ");
    expect(givenAnswers([blank, a])).toEqual([a]);
  });
  test.each([[[]], [[blank]], [[blank, blank]]])("none is null", (answers) => {
    expect(journalText(answers)).toBeNull();
  });
});

test.each([
  ["", "new", "new"],
  ["old", " ", "old"],
  ["old", "new", "old\n\nnew"],
  ["old", "old and more", "old and more"],
  ["old and more", "old", "old and more"],
])("bringing %j back beside %j loses nothing", (older, newer, expected) => {
  expect(mergeTexts(older, newer)).toBe(expected);
});

describe("answers and questions", () => {
  const said = (question: string, answer: string) => ({ question, answer });
  test("of two equal questions, the first answer belongs to the first", () => {
    const answers = [said("Q", "one"), said("Q", "two"), said("gone", "three")];
    expect(matchAnswers(["Q", "other", "Q"], answers)).toEqual({
      matched: ["one", null, "two"],
      rest: [said("gone", "three")],
    });
  });
  test.each([
    [
      ["a", "b"],
      [said("b", "B"), said("a", "A")],
      ["A", "B"],
    ],
    [["a"], [said("a", "A"), said("old", "words")], ["A\n\nold\nwords"]],
    [["a"], [said("", "words")], ["words"]],
    [[], [said("a", "A")], []],
    [["a"], [], [""]],
  ])("placed into boxes (%#)", (questions, answers, boxes) => {
    expect(placeAnswers(questions, answers)).toEqual(boxes);
  });
});
