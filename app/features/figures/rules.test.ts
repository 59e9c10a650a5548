import { describe, expect, test } from "vitest";
import { lineChart } from "./charts.server.ts";
import { weekWords } from "./messages.ts";
import { medianOf } from "./rules.ts";

test.each([
  [[], null],
  [[9, 1, 5, 3], null],
  [[9, 1, 5, 3, 7], 5],
  [[1, 2, 3, 4, 5, 60], 3.5],
  [[0, 0, 0, 0, 0], 0],
])("medianOf: of %j it is %j", (values, median) => expect(medianOf(values)).toBe(median));

describe("lineChart", () => {
  test("ends in the dot of this week, and writes the most where it was", () => {
    const chart = lineChart([0, 4, 2, 1]);
    expect(chart.finished).toBe("M6,68L82,22L158,45");
    expect(chart.unfinished).toBe("M158,45L234,56.5");
    expect(chart.dot).toEqual({ x: 234, y: 56.5 });
    expect(chart.peak).toEqual({ x: 82, y: 22, at: 1, anchor: "start" });
  });

  test("is a flat line where there was nothing, and needs no second number where this week is the most", () => {
    expect(lineChart([0, 0, 0])).toMatchObject({ finished: "M6,68L120,68", peak: null });
    expect(lineChart([1, 2, 3]).peak).toBeNull();
  });

  test("goes below its base where more came back than went", () => {
    const chart = lineChart([0, -100, 100]);
    expect(chart.baseline).toBe(45);
    expect(chart.finished).toBe("M6,45L120,68");
  });
});

test.each([
  [[0, 0], "Refunds in the last 2 weeks: none. This week so far: 0."],
  [
    [5, 1],
    "Refunds in the last 2 weeks. The most was 5, in the week from Nov 16. This week so far: 1.",
  ],
  [[1, 5], "Refunds in the last 2 weeks. The most was 5, this week. This week so far: 5."],
])("weekWords: %j", (values, words) => {
  const series = { names: ["Nov 16", "Nov 23"], words: values.map(String), values };
  expect(weekWords("Refunds", series)).toBe(words);
});
