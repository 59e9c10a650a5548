import { describe, expect, test } from "vitest";
import { subjectOf } from "./rules.ts";

describe("the subject of an email about lessons", () => {
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
