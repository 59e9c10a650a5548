import { expect, test } from "vitest";
import { fitText } from "./layout.ts";

/** Each character is half as wide as it is high. */
const measure = (text: string, size: number) => (text.length * size) / 2;
const box = {
  ...{ width: 600, height: 400, sizes: [80, 60, 40], leading: 1, mostLines: 4, balanced: false },
};
const placed = (text: string, more: Partial<typeof box> = {}) =>
  fitText(text, { ...box, ...more }, measure);

test("fitText: a short text has the largest size, on one line", () => {
  expect(placed("Seven days")).toEqual({ size: 80, lines: ["Seven days"] });
  expect(placed("")).toEqual({ size: 80, lines: [] });
});

test("fitText: a longer one is broken at spaces, then steps down", () => {
  expect(placed("Grief courses in your own time")).toEqual({
    size: 80,
    lines: ["Grief courses", "in your own", "time"],
  });
  expect(placed("Grief courses in your own time", { height: 130 })).toEqual({
    size: 60,
    lines: ["Grief courses in", "your own time"],
  });
});

test("fitText: no word is broken where a smaller size has room for it", () => {
  expect(placed("Rechtsschutzversicherung").size).toBe(40);
});

test("fitText: what has no room at the smallest size ends with an ellipsis, in four lines", () => {
  const { size, lines } = placed("word ".repeat(200).trim());
  expect([size, lines.length]).toEqual([40, 4]);
  expect(lines.at(-1)).toMatch(/word…$/);
  for (const line of [...lines, ...placed("x".repeat(1000)).lines])
    expect(measure(line, size)).toBeLessThanOrEqual(600);
});

test("fitText: lines of like length where that is asked for, or one word would be left", () => {
  const text = "a person who is there";
  expect(placed(text, { sizes: [60] }).lines).toEqual(["a person who", "is there"]);
  expect(placed("ten words on two lines stand", { sizes: [60] }).lines).toEqual([
    "ten words on two",
    "lines stand",
  ]);
  expect(placed("ten words on two lines stand", { sizes: [60], balanced: true }).lines).toEqual([
    "ten words on",
    "two lines stand",
  ]);
});

test("fitText: a line may end at a hyphen or a dash, and never at a no-break space", () => {
  expect(placed("one-on-one-coaching for-all", { sizes: [80] }).lines).toContain("one-on-one-");
  const lines = placed("The Blue\u00a0Dot Method of mine", { sizes: [80] }).lines;
  expect(lines.some((line) => line.includes("Blue\u00a0Dot"))).toBe(true);
});
