import { describe, expect, test } from "vitest";
import { addressState, clock, resumeAt, retryDelayMs } from "./rules.ts";

describe("resumeAt", () => {
  const minutes = 60_000;
  test.each([
    [0, 10 * minutes, 0],
    [4_999, 10 * minutes, 0],
    [5_000, 10 * minutes, 5_000],
    [200_000, 10 * minutes, 200_000],
    [587_999, 10 * minutes, 587_999],
    [588_000, 10 * minutes, 0],
    [600_000, 10 * minutes, 0],
    [700_000, 10 * minutes, 0],
    [54_999, 1 * minutes, 54_999],
    [55_000, 1 * minutes, 0],
    [6_000, 8_000, 0],
    [200_000, null, 200_000],
    [4_000, null, 0],
  ])("at %i of %s: %i", (positionMs, durationMs, expected) => {
    expect(resumeAt(positionMs, durationMs)).toBe(expected);
  });
});

describe("addressState: a URL that ends at 10,000, 3,000 ahead", () => {
  test.each([
    [0, "good"],
    [6_999, "good"],
    [7_000, "ending"],
    [9_999, "ending"],
    [10_000, "over"],
    [7_200_000, "over"],
  ])("at %i: %s", (now, expected) => {
    expect(addressState(10_000, now, 3_000)).toBe(expected);
  });
});

test("retryDelayMs: tries come further apart, and end", () => {
  expect([0, 1, 2, 3, 4].map(retryDelayMs)).toEqual([0, 1000, 4000, null, null]);
});

test.each([
  [0, "0:00"],
  [9_999, "0:09"],
  [200_400, "3:20"],
  [3_599_999, "59:59"],
  [3_600_000, "1:00:00"],
  [36_605_000, "10:10:05"],
])("clock: %i ms are %s", (ms, words) => expect(clock(ms)).toBe(words));
