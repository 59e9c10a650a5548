import { describe, expect, test } from "vitest";
import { daysWords, emailWords, moveWords } from "./lesson-days.ts";
import { everyLessonOpen } from "./rules.ts";

const now = new Date("2026-11-22T12:00:00Z");
const ago = (days: number) => new Date(now.getTime() - days * 24 * 3600_000);
const day = (date: Date) => date.toISOString().slice(5, 10);

describe("moveWords: lessons of the days 0, 1, 2, 6, of which those of 0 and 1 are completed", () => {
  const lessons = [0, 1, 2, 6].map((dripDay) => ({ dripDay, isCompleted: dripDay < 2 }));

  test.each<[string, Date, Date, string]>([
    ["further back", ago(0), ago(2), "2 more lessons open at once."],
    ["back by a day", ago(1), ago(2), "1 more lesson opens at once."],
    ["by less than a day", ago(1.5), ago(1.1), "No lesson opens or closes at once."],
    ["to what is long past", ago(6), ago(300), "No lesson opens or closes at once."],
    ["every lesson open", ago(0), everyLessonOpen, "3 more lessons open at once."],
    ["from every lesson open", everyLessonOpen, ago(2), "1 lesson closes until the new day."],
    [
      "to today, with a completed lesson",
      ago(2),
      ago(0),
      "2 lessons close until the new day. 1 of them is completed: that and the answers stay, in the journal too.",
    ],
    [
      "to a day to come, day 0 stays open",
      ago(1),
      ago(-30),
      "1 lesson closes until the new day. It is completed: that and the answers stay, in the journal too.",
    ],
  ])("%s", (_, before, after, words) => {
    expect(moveWords({ lessons, before, after, now })).toBe(words);
  });
});

describe("daysWords", () => {
  test.each<[string, Date, boolean, string]>([
    [
      "from the enrollment",
      ago(1),
      false,
      "The days count from the enrollment, 11-21. Two lessons are open now. The next one opens on 11-23, the last on 11-27.",
    ],
    [
      "from another day",
      ago(6),
      true,
      "The days count from 11-16, not from the enrollment. All of its lessons are open now.",
    ],
    [
      "from a day to come: the lesson of day 0 is open",
      ago(-8),
      true,
      "The days count from 11-30, not from the enrollment. One lesson is open now. The next one opens on 12-01, the last on 12-06.",
    ],
    ["not at all", everyLessonOpen, true, "Every lesson is open, whatever its day."],
  ])("%s", (_, from, isMoved, words) => {
    expect(daysWords({ from, isMoved }, [0, 1, 2, 6], now, day)).toBe(words);
  });
});

test.each([
  ["open", "off", /^This course sends no lesson emails/],
  ["open", "notice", /^No lesson emails are sent while every lesson is open/],
  ["open", "lesson", /^No lesson emails are sent while every lesson is open/],
  ["enrollment", "notice", /^Lesson emails follow the new days/],
  ["2026-11-01", "lesson", /^Lesson emails follow the new days/],
  ["2026-11-01", "off", /^This course sends no lesson emails/],
] as const)("emailWords: days %s in a course with emails %s", (days, mode, words) => {
  expect(emailWords(days, mode)).toMatch(words);
});
