import { describe, expect, test } from "vitest";
import {
  currentDrafts,
  firstWords,
  matchAnswers,
  mergeTexts,
  placeAnswers,
} from "./place-answers.ts";
import { givenAnswers, journalPages, journalText } from "./rules.ts";
import type { JournalCourseOutline, LessonOutline } from "./schema.ts";

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

describe("currentDrafts", () => {
  const draft = (id: string, revision: number, at: number, text = "text", within = "") => ({
    ...{ id, revision, at, when: null, answers: [{ question: "Q", answer: text }] },
    absorbed: within ? [{ id: within, revision: 3 }] : [],
  });
  test.each([
    ["the newest first", [draft("a", 1, 1), draft("b", 1, 2)], ["b1", "a1"]],
    ["the later state of one", [draft("a", 1, 9), draft("a", 2, 1)], ["a2"]],
    ["of two equal states the first", [draft("a", 1, 1), draft("a", 1, 2)], ["a1"]],
    ["not what is in another", [draft("a", 3, 9), draft("b", 1, 1, "text", "a")], ["b1"]],
    [
      "what was typed since it was put into another",
      [draft("a", 4, 2), draft("b", 1, 1, "", "a")],
      ["a4"],
    ],
    ["nothing where all of it was emptied", [draft("a", 3, 1), draft("b", 1, 2, " ", "a")], []],
  ])("has %s", (_, known, expected) => {
    expect(currentDrafts(known).map(({ id, revision }) => id + revision)).toEqual(expected);
  });
});

test("firstWords: one line, cut between characters", () => {
  const said = (...answers: string[]) => answers.map((answer) => ({ question: "Q", answer }));
  expect(firstWords(said(" ", " one\n\ntwo "))).toBe("one two");
  expect(firstWords(said("\u{1F499}".repeat(90)))).toBe("\u{1F499}".repeat(80));
  expect(firstWords([])).toBe("");
});

test("pages are cut between entries and drafts, also within one lesson", () => {
  const where = { slug: "s", module: "m", finishedAt: null, version: "v", isOpen: true };
  const place = { ...where, photographs: [] };
  const lesson = (id: string, size: number, ...drafts: number[]): LessonOutline => ({
    ...{ ...place, id, title: id, size, stamp: null, isContinued: false },
    drafts: drafts.map((size, at) => ({
      ...{ id: `${id}.${at}`, revision: 1, updatedAt: new Date(0), size },
    })),
  });
  const course = (id: string, ...lessons: LessonOutline[]): JournalCourseOutline => ({
    ...{ id, slug: id, title: id, closed: null, lessons },
  });
  const pages = journalPages(
    [course("A", lesson("a", 6_000, 2_000, 9_000, 1_000)), course("B", lesson("b", 0, 100))],
    10_000,
  );
  const listed = pages.map((page) =>
    page.map(({ id, lessons }) => ({
      course: id,
      lessons: lessons.map((one) => [
        one.isContinued ? `${one.id}, continued` : one.id,
        one.size,
        ...one.drafts.map(({ size }) => size),
      ]),
    })),
  );
  expect(listed).toEqual([
    [{ course: "A", lessons: [["a", 6_000, 2_000]] }],
    [{ course: "A", lessons: [["a, continued", 0, 9_000]] }],
    [
      { course: "A", lessons: [["a, continued", 0, 1_000]] },
      { course: "B", lessons: [["b", 0, 100]] },
    ],
  ]);
});
