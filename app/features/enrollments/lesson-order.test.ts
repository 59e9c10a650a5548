import { describe, expect, test } from "vitest";
import {
  daysSince,
  initialLesson,
  isLocked,
  lessonButtons,
  lessonByKey,
  lessonKeys,
  neighbours,
  percent,
  whatComesNext,
} from "./lesson-order.ts";
import { type Lesson, type Module, opensAt } from "./rules.ts";

const hour = 3600_000;
const start = new Date("2026-03-28T22:15:00Z");
const later = (ms: number) => new Date(start.getTime() + ms);

describe("drip", () => {
  test.each([
    [0, 0],
    [24 * hour - 60_000, 0],
    [24 * hour - 1, 0],
    [24 * hour, 1],
    [7 * 24 * hour - 1, 6],
    [7 * 24 * hour, 7],
    [-5 * hour, 0],
  ])("%d ms after enrolling is day %d", (ms, day) => {
    expect(daysSince(start, later(ms))).toBe(day);
  });

  test("the spring night that has 23 hours in Europe changes nothing", () => {
    expect(process.env.TZ).toBe("Pacific/Chatham");
    expect(isLocked(1, start, later(23 * hour + 59 * 60_000))).toBe(true);
    expect(isLocked(1, start, later(24 * hour))).toBe(false);
  });

  test("day 0 is open at once, also for a clock that runs behind", () => {
    expect(isLocked(0, start, start)).toBe(false);
    expect(isLocked(0, start, later(-hour))).toBe(false);
  });

  test("opensAt is the first moment at which it is not locked", () => {
    const opening = opensAt(7, start);
    expect(isLocked(7, start, new Date(opening.getTime() - 1))).toBe(true);
    expect(isLocked(7, start, opening)).toBe(false);
  });
});

test.each([
  [0, 0, 0],
  [0, 3, 0],
  [1, 3, 33],
  [2, 3, 67],
  [3, 3, 100],
  [1, 8, 13],
  [199, 200, 100],
])("%d of %d lessons is %d %%", (completed, total, expected) => {
  expect(percent(completed, total)).toBe(expected);
});

/** 'a' is open, 'a*' completed, 'a!' locked, 'a*!' both. */
function lesson(text: string): Lesson {
  const slug = text.replace(/[*!]/g, "");
  return {
    id: `id-${slug}`,
    slug,
    title: slug,
    dripDay: 0,
    isCompleted: text.includes("*"),
    isLocked: text.includes("!"),
  };
}
const course = (...modules: string[][]): Module[] =>
  modules.map((lessons, index) => ({
    id: `m${index}`,
    title: `Module ${index}`,
    lessons: lessons.map(lesson),
  }));

describe("what comes after a completed module", () => {
  const next = (...modules: string[][]) =>
    whatComesNext(course(["a*", "b*"], ...modules), "m0", start);
  test("the next module, open", () =>
    expect(next(["c", "d!"])).toEqual({ kind: "module", title: "Module 1", opensAt: null }));
  test("the next module, and when its first lesson opens", () => {
    const modules = course(["a*"], ["c!", "d!"]);
    const [, second] = modules;
    for (const [index, lesson] of (second?.lessons ?? []).entries()) lesson.dripDay = 7 + index;
    expect(whatComesNext(modules, "m0", start)).toEqual({
      kind: "module",
      title: "Module 1",
      opensAt: later(7 * 24 * hour),
    });
  });
  test("a module without lessons, or with all of them done, is passed over", () =>
    expect(next([], ["c*"], ["d"])).toEqual({ kind: "module", title: "Module 3", opensAt: null }));
  test("the end of the course", () => {
    expect(next()).toEqual({ kind: "finished" });
    expect(next([], ["c*"])).toEqual({ kind: "finished" });
  });
  test("the last module, while earlier lessons are not done", () => {
    expect(whatComesNext(course(["a", "b*"], ["c*"]), "m1", start)).toEqual({ kind: "rest" });
    expect(whatComesNext(course(["a", "b*"]), "m0", start)).toEqual({ kind: "rest" });
  });
});

describe("initial lesson", () => {
  test.each([
    [course(["a", "b"]), "a"],
    [course(["a*", "b"]), "b"],
    [course(["a*", "b*"], ["c"]), "c"],
    [course(["a*", "b!"], ["c"]), "c"],
    [course(["a*", "b*"]), "a"],
    [course(["a*", "b!"]), "a"],
    [course(["a!"]), "a"],
    [course([], ["a"]), "a"],
  ])("case %#", (modules, slug) => {
    expect(initialLesson(modules)?.slug).toBe(slug);
  });
  test("the first module decides when nothing is open", () => {
    expect(initialLesson(course([], ["a*"]))).toBeNull();
  });
  test.each([[course()], [course([])]])("none without lessons", (modules) => {
    expect(initialLesson(modules)).toBeNull();
  });
});

test.each([
  ["id-a", undefined, "b"],
  ["id-b", "a", "c"],
  ["id-c", "b", undefined],
  ["id-x", undefined, undefined],
])("neighbours: of %s", (id, previous, next) => {
  const found = neighbours(course(["a", "b"], [], ["c"]), id);
  expect([found.previous?.slug, found.next?.slug]).toEqual([previous, next]);
});

test.each([
  ["the first, the next one open", course(["a", "b"]), "a", [undefined, "b", null]],
  ["completed, the next one locked", course(["a*", "b!"]), "a", [undefined, undefined, null]],
  ["the last of its module", course(["a*", "b"], ["c"]), "b", ["a", "c", "open"]],
  ["the same, completed", course(["a", "b*"]), "b", ["a", undefined, "done"]],
])("lessonButtons: %s", (_, modules, slug, expected) => {
  const found = lessonByKey(modules, slug);
  if (!found) throw new Error(slug);
  const { previous, next, completeModule } = lessonButtons(modules, found);
  expect([previous?.slug, next?.slug, completeModule]).toEqual(expected);
});

describe("the lesson in the address", () => {
  test("is the slug, and the id too where two modules share a slug", () => {
    const modules = course(["a", "b"], ["c"]);
    const twin = { ...lesson("a"), id: "id-twin" };
    modules[1]?.lessons.push(twin);
    for (const one of [...(modules[0]?.lessons ?? []), twin])
      expect(lessonByKey(modules, lessonKeys(modules)(one))).toBe(one);
    expect(lessonKeys(modules)(lesson("b"))).toBe("b");
    expect(lessonByKey(modules, "a")?.id).toBe("id-a");
  });
  test.each(["", "x", "a~", "b~id-a", "~", "../a", "A"])("%j names none of its own", (key) => {
    const found = lessonByKey(course(["a", "b"]), key);
    expect(found?.slug ?? null).toBe(key === "a~" ? "a" : null);
  });
});
