import { describe, expect, test } from "vitest";
import { isLocked } from "~/features/enrollments/lesson-order.ts";
import { opensAt } from "~/features/enrollments/rules.ts";
import { firstMark, isItsMorning, lastEnrolled, subjectOf } from "./rules.ts";

const at = (text: string) => new Date(text);
const dayMs = 24 * 3600_000;

describe("a lesson that is looked at for the first time", () => {
  const created = at("2027-01-10T09:00:00Z");

  test.each([
    [
      "was there before the site told of lessons",
      "2027-03-01T12:00:00Z",
      "2027-02-22T12:00:00.000Z",
    ],
    ["was added since", "2027-01-01T12:00:00Z", "2027-01-03T09:00:00.000Z"],
  ])("%s: whoever enrolled by then is past it", (_, telling, mark) => {
    const first = firstMark({ createdAt: created, dripDay: 7 }, at(telling));
    expect(first.enrolledAt.toISOString()).toBe(mark);
    expect(first.enrollmentId).toBe("");
  });

  test("nobody before the mark has it opening later, everybody after it has", () => {
    const telling = at("2027-03-01T12:00:00Z");
    const { enrolledAt } = firstMark({ createdAt: created, dripDay: 7 }, telling);
    expect(opensAt(7, new Date(enrolledAt.getTime() - 1)) < telling).toBe(true);
    expect(opensAt(7, new Date(enrolledAt.getTime() + 1)) > telling).toBe(true);
  });
});

test.each([1, 2, 7, 365])(
  "the last who has lesson of day %i open at a time is the last for whom it is not locked",
  (day) => {
    const now = at("2027-03-28T01:30:00Z");
    const last = lastEnrolled(day, now);
    expect(isLocked(day, last, now)).toBe(false);
    expect(isLocked(day, new Date(last.getTime() + 1), now)).toBe(true);
    expect(now.getTime() - last.getTime()).toBe(day * dayMs);
  },
);

test.each([
  ["2027-01-10", 7, false],
  ["2027-01-10", 8, true],
  ["2027-01-10", 11, true],
  ["2027-01-10", 12, false],
  ["2027-01-10", 23, false],
  ["2027-01-11", 8, false],
  ["2027-01-09", 8, false],
])("on %s at %i o'clock a letter of January 10 may go out: %s", (day, hour, may) => {
  expect(isItsMorning("2027-01-10", { day, hour })).toBe(may);
});

describe("a letter is called", () => {
  const lesson = (title: string, words: object | null = null) => ({ title, words });
  const course = (title: string, ...lessons: ReturnType<typeof lesson>[]) => ({ title, lessons });

  test.each([
    ["“Keys” is open", [course("Blue", lesson("Keys"))]],
    ["“Keys” and “Toast” are open", [course("Blue", lesson("Keys"), lesson("Toast"))]],
    [
      "“Keys” and “Water” are open",
      [course("Blue", lesson("Keys")), course("Calm", lesson("Water", {}))],
    ],
    [
      "“Keys” and two more lessons are open",
      [course("Blue", lesson("Keys"), lesson("Toast")), course("Calm", lesson("Water"))],
    ],
    [
      "“1” and 7 more lessons are open",
      [course("Blue", ..."12345678".split("").map((n) => lesson(n)))],
    ],
    ["Calm: Water", [course("Calm", lesson("Water", {}))]],
    ["Calm: “Water” and “Salt”", [course("Calm", lesson("Water", {}), lesson("Salt", {}))]],
    [
      "“Water” and “Salt” are open",
      [course("Calm", lesson("Water", {})), course("Sea", lesson("Salt", {}))],
    ],
  ])("%s", (subject, courses) => {
    expect(subjectOf(courses)).toBe(subject);
  });
});
