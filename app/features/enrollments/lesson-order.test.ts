import { describe, expect, test } from "vitest";
import {
  afterLastOpen,
  daysSince,
  initialLesson,
  isLocked,
  lessonButtons,
  lessonByKey,
  lessonKeys,
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
    [course(["a!", "b*"], ["c"]), "c"],
    [course(["a!", "b*", "c*"]), "b"],
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
  ["the first, the next one open", course(["a", "b"]), "a", [undefined, "b", null]],
  ["completed, the next one locked", course(["a*", "b!"]), "a", [undefined, undefined, null]],
  ["the last of its module", course(["a*", "b"], ["c"]), "b", ["a", "c", "open"]],
  ["the same, completed", course(["a", "b*"]), "b", ["a", undefined, "done"]],
  ["a module without lessons between", course(["a"], [], ["c"]), "a", [undefined, "c", "open"]],
  [
    "locked ones before the next open one",
    course(["a"], ["b!", "c!", "d"]),
    "a",
    [undefined, "d", "open"],
  ],
  ["locked ones before it", course(["a", "b!"], ["c!", "d"]), "d", ["a", undefined, "open"]],
  ["only locked ones before it", course(["a!", "b!", "c"]), "c", ["b", undefined, "open"]],
  ["locked itself", course(["a", "b!"], ["c"]), "b", ["a", "c", "open"]],
])("lessonButtons: %s", (_, modules, slug, expected) => {
  const found = lessonByKey(modules, slug);
  if (!found) throw new Error(slug);
  const { previous, next, completeModule } = lessonButtons(modules, found);
  expect([previous?.slug, next?.slug, completeModule]).toEqual(expected);
});

test("lessonButtons: the locked lessons that 'Next Lesson' passes over", () => {
  const passedOver = (...modules: string[][]) => {
    const [first] = course(...modules).flatMap(({ lessons }) => lessons);
    if (!first) throw new Error("no lesson");
    return lessonButtons(course(...modules), first).passedOver.map(({ slug }) => slug);
  };
  expect(passedOver(["a", "b!"], ["c!", "d", "e!"])).toEqual(["b", "c"]);
  expect(passedOver(["a", "b", "c!"])).toEqual([]);
  expect(passedOver(["a", "b!"])).toEqual([]);
});

describe("afterLastOpen", () => {
  const days = (modules: Module[], ...dripDays: number[]) => {
    const lessons = modules.flatMap((module) => module.lessons);
    for (const [index, lesson] of lessons.entries()) lesson.dripDay = dripDays[index] ?? 0;
    return modules;
  };
  const after = (modules: Module[], slug: string) => {
    const { opensNext, toDo, isFinished } = afterLastOpen(modules, `id-${slug}`);
    return [opensNext?.slug, toDo?.slug, isFinished];
  };
  test.each([
    ["the next one is locked", days(course(["a*", "b!"]), 0, 7), "a", ["b", undefined, false]],
    [
      "a later one opens sooner",
      days(course(["a*", "b!", "c!"]), 0, 9, 7),
      "a",
      ["c", undefined, false],
    ],
    ["two open at once", days(course(["a*", "b!", "c!"]), 0, 7, 7), "a", ["b", undefined, false]],
    [
      "a locked one is completed",
      days(course(["a*", "b*!", "c!"]), 0, 3, 7),
      "a",
      ["c", undefined, false],
    ],
    ["an earlier one is not done", course(["a", "b*"], ["c*"]), "c", [undefined, "a", false]],
    ["only this one is not done", course(["a*", "b"]), "b", [undefined, undefined, false]],
    ["all are done", course(["a*", "b*"], [], ["c*"]), "c", [undefined, undefined, true]],
  ])("%s", (_, modules, slug, expected) => expect(after(modules, slug)).toEqual(expected));
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
