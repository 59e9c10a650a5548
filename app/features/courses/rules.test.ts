import { describe, expect, test } from "vitest";
import { courseFormMessages } from "./messages.ts";
import {
  applyOutlineChange,
  comingSoonHint,
  formatPrice,
  formatPriceShort,
  type OutlineOrder,
  parsePrice,
  priceField,
  titleParts,
  visitorsSee,
} from "./rules.ts";

describe("a price", () => {
  test.each([
    [19700, "$197.00", "$197"],
    [4750, "$47.50", "$47.50"],
    [4705, "$47.05", "$47.05"],
    [5, "$0.05", "$0.05"],
    [0, "Free", "$0"],
    [125000, "$1,250.00", "$1,250"],
    [99999999, "$999,999.99", "$999,999.99"],
  ])("of %i cents", (cents, long, short) => {
    expect(formatPrice(cents)).toBe(long);
    expect(formatPriceShort(cents)).toBe(short);
  });
});

describe("what visitors see of a course", () => {
  const sold = { active: true, comingSoon: false, priceCents: 19700, canSell: true };
  const course = { ...sold, hasOwnPage: false };
  test.each([
    [{}, "Active: visitors can buy it for $197.00."],
    [{ priceCents: 0, canSell: false }, "Active: visitors can enroll for free."],
    [{ canSell: false }, "Active: visitors see its price but cannot buy it, as Stripe is not"],
    [{ comingSoon: true }, "Active, coming soon: visitors see its page with “Coming Soon” and"],
    [{ comingSoon: true, priceCents: 0 }, "Active, coming soon: visitors see its page"],
    [{ active: false }, "Inactive: visitors find no page of it."],
    [{ active: false, comingSoon: true }, "Inactive: visitors find no page of it."],
    [{ active: false, hasOwnPage: true }, "Inactive: visitors see its page with “Coming Soon” and"],
  ])("%o", (change, words) => {
    const now = { ...course, ...change };
    expect(visitorsSee(now)).toContain(words);
    // The choice promises no more than what 'No' would do.
    const promise = comingSoonHint(now);
    expect(promise.includes("can buy it")).toBe(now.canSell && now.priceCents !== 0);
    expect(promise.includes("for free")).toBe(now.priceCents === 0);
    expect(promise.includes("While the course is inactive")).toBe(!now.active);
  });
});

describe("a title with a number", () => {
  test.each([
    ["Week 1: Where you are", "Week 1", "Where you are"],
    ["Day 12: One thing: the kettle", "Day 12", "One thing: the kettle"],
    ["Tydzień 3: Co zostało", "Tydzień 3", "Co zostało"],
  ])("%s", (whole, number, title) => {
    expect(titleParts(whole)).toEqual({ number, title });
  });

  test.each([
    "Landing",
    "Week 1",
    "Week 1:",
    "Week 1:   ",
    "Week one: Here",
    "3: Here",
    ": Here",
    "",
  ])("%j has none", (title) => expect(titleParts(title)).toEqual({ number: null, title }));
});

describe("a price as it is typed", () => {
  test.each([
    ["197", 19_700],
    ["197.00", 19_700],
    ["$197", 19_700],
    [" $ 1,197.50 ", 119_750],
    ["US$12", 1200],
    ["0", 0],
    ["0.00", 0],
    ["0.5", 50],
    [".5", 50],
    ["5.", 500],
    // Each of these times 100 is not whole in fractions of two.
    ["1.15", 115],
    ["19.99", 1999],
    ["8.2", 820],
    ["999,999.99", 99_999_999],
  ])("%s", (typed, cents) => expect(parsePrice(typed)).toEqual({ cents }));

  test.each([
    ["", courseFormMessages.priceMissing],
    [" $ ", courseFormMessages.priceMissing],
    ["-1", courseFormMessages.priceNegative],
    ["-$5", courseFormMessages.priceNegative],
    ["free", courseFormMessages.priceUnclear],
    ["NaN", courseFormMessages.priceUnclear],
    ["1e3", courseFormMessages.priceUnclear],
    ["0x10", courseFormMessages.priceUnclear],
    ["1,97", courseFormMessages.priceUnclear],
    ["1.2.3", courseFormMessages.priceUnclear],
    [".", courseFormMessages.priceUnclear],
    ["1.005", courseFormMessages.priceFine],
    ["0.01", courseFormMessages.priceLow],
    ["$.49", courseFormMessages.priceLow],
    ["1000000", courseFormMessages.priceHigh],
    ["9".repeat(400), courseFormMessages.priceHigh],
  ])("%s is refused", (typed, problem) => expect(parsePrice(typed)).toEqual({ problem }));

  test.each([0, 50, 115, 1999, 19_700, 99_999_999])("%i cents come back", (cents) =>
    expect(parsePrice(priceField(cents))).toEqual({ cents }),
  );
});

const course: OutlineOrder = [
  { id: "A", lessons: ["a1", "a2", "a3"] },
  { id: "B", lessons: [] },
  { id: "C", lessons: ["c1"] },
];
const written = (modules: OutlineOrder | null) =>
  modules?.map(({ id, lessons }) => `${id}:${lessons.join(",")}`).join(" ") ?? null;

describe("lessons", () => {
  const move = (lessonId: string, moduleId: string, beforeId: string) =>
    written(applyOutlineChange(course, { intent: "move-lesson", lessonId, moduleId, beforeId }));
  const step = (lessonId: string, direction: "up" | "down") =>
    written(applyOutlineChange(course, { intent: "step-lesson", lessonId, direction }));

  test("go before another, or to the end", () => {
    expect(move("a3", "A", "a1")).toBe("A:a3,a1,a2 B: C:c1");
    expect(move("a1", "A", "")).toBe("A:a2,a3,a1 B: C:c1");
    expect(move("a1", "C", "c1")).toBe("A:a2,a3 B: C:a1,c1");
    expect(move("a1", "B", "")).toBe("A:a2,a3 B:a1 C:c1");
  });
  test("stay where they are before themselves or a missing lesson", () => {
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
    written(applyOutlineChange(course, { intent: "move-module", moduleId, beforeId }));
  const step = (moduleId: string, direction: "up" | "down") =>
    written(applyOutlineChange(course, { intent: "step-module", moduleId, direction }));

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
