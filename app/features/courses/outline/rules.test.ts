import { describe, expect, test } from "vitest";
import { type Arrangement, changed } from "./rules.ts";

const course: Arrangement = [
  { id: "A", lessons: ["a1", "a2", "a3"] },
  { id: "B", lessons: [] },
  { id: "C", lessons: ["c1"] },
];
const written = (modules: Arrangement | null) =>
  modules?.map(({ id, lessons }) => `${id}:${lessons.join(",")}`).join(" ") ?? null;

describe("lessons", () => {
  const move = (lessonId: string, moduleId: string, beforeId: string) =>
    written(changed(course, { intent: "move-lesson", lessonId, moduleId, beforeId }));
  const step = (lessonId: string, direction: "up" | "down") =>
    written(changed(course, { intent: "step-lesson", lessonId, direction }));

  test("go before another, or to the end", () => {
    expect(move("a3", "A", "a1")).toBe("A:a3,a1,a2 B: C:c1");
    expect(move("a1", "A", "")).toBe("A:a2,a3,a1 B: C:c1");
    expect(move("a1", "C", "c1")).toBe("A:a2,a3 B: C:a1,c1");
    expect(move("a1", "B", "")).toBe("A:a2,a3 B:a1 C:c1");
  });
  test("stay where they are before themselves or nobody that is there", () => {
    expect(move("a2", "A", "gone")).toBe("A:a1,a3,a2 B: C:c1");
    expect(move("gone", "A", "a1")).toBeNull();
    expect(move("a1", "gone", "")).toBeNull();
  });
  test("step by step, over the edges of modules", () => {
    expect(step("a2", "up")).toBe("A:a2,a1,a3 B: C:c1");
    expect(step("a2", "down")).toBe("A:a1,a3,a2 B: C:c1");
    expect(step("a3", "down")).toBe("A:a1,a2 B:a3 C:c1");
    expect(step("c1", "up")).toBe("A:a1,a2,a3 B:c1 C:");
    expect(step("a1", "up")).toBe(written(course));
    expect(step("c1", "down")).toBe(written(course));
  });
});

describe("modules", () => {
  const move = (moduleId: string, beforeId: string) =>
    written(changed(course, { intent: "move-module", moduleId, beforeId }));
  const step = (moduleId: string, direction: "up" | "down") =>
    written(changed(course, { intent: "step-module", moduleId, direction }));

  test("go before another, or to the end, with their lessons", () => {
    expect(move("C", "A")).toBe("C:c1 A:a1,a2,a3 B:");
    expect(move("A", "")).toBe("B: C:c1 A:a1,a2,a3");
    expect(move("B", "B")).toBe(written(course));
    expect(move("gone", "A")).toBeNull();
  });
  test("step by step, and no further than the ends", () => {
    expect(step("B", "up")).toBe("B: A:a1,a2,a3 C:c1");
    expect(step("B", "down")).toBe("A:a1,a2,a3 C:c1 B:");
    expect(step("A", "up")).toBe(written(course));
    expect(step("C", "down")).toBe(written(course));
  });
});
