import { describe, expect, test } from "vitest";
import {
  isSameFile,
  lengthInWords,
  meaningOf,
  nextPace,
  nextTimeLeft,
  type Pace,
  percentOf,
  retryDelay,
  type TimeLeft,
  timeLeftInWords,
} from "./rules.ts";

test.each([
  [0, "0:00"],
  [499, "0:00"],
  [500, "0:01"],
  [59_499, "0:59"],
  [59_500, "1:00"],
  [187_000, "3:07"],
  [3_599_499, "59:59"],
  [3_600_000, "1:00:00"],
  [3_723_000, "1:02:03"],
  [360_000_000, "100:00:00"],
])("%i ms are %s", (ms, words) => {
  expect(lengthInWords(ms)).toBe(words);
});

test.each([
  [0, 10, 0],
  [1, 3, 33],
  [999, 1000, 99],
  [4_999_999_999, 5_000_000_000, 99],
  [10, 10, 100],
  [11, 10, 100],
  [-1, 10, 0],
  [0, 0, 0],
])("%i of %i bytes are %i %%", (received, size, percent) => {
  expect(percentOf(received, size)).toBe(percent);
});

describe("the time left", () => {
  const mega = 1_000_000;
  /** What is said while a file goes at these speeds (bytes a second), one reading a second. */
  function told(size: number, speeds: number[]): (string | null)[] {
    let [sent, pace, left]: [number, Pace | null, TimeLeft | null] = [0, null, null];
    return [0, ...speeds].map((speed, second) => {
      sent += speed;
      pace = nextPace(pace, second * 1000, sent);
      left = nextTimeLeft(left, pace, size - sent);
      return left && timeLeftInWords(left, second * 1000);
    });
  }
  const changes = (words: (string | null)[]) => words.filter((word, n) => word !== words[n - 1]);

  test("is not said before anything was measured", () => {
    expect(told(10 * mega, [mega])).toEqual([null, "a few seconds left"]);
  });

  test("only ever counts down at an even speed", () => {
    expect(changes(told(200 * mega, Array(195).fill(mega)))).toEqual([
      null,
      "about 3 minutes left",
      "about 2 minutes left",
      "about a minute left",
      "less than a minute left",
      "a few seconds left",
    ]);
  });

  test("does not jump where the speed does, second by second", () => {
    const nervous = Array.from({ length: 150 }, (_, n) => (n % 2 ? 1.8 : 0.2) * mega);
    const words = changes(told(600 * mega, nervous));
    const minutes = words.flatMap((word) => Number(/\d+/.exec(word ?? "")?.[0] ?? []));
    expect(minutes.slice(1)).toEqual(minutes.slice(1).toSorted((a, b) => b - a));
    expect(words.length).toBeLessThan(8);
  });

  test("is corrected when the line becomes slower for good", () => {
    const words = told(600 * mega, [...Array(20).fill(10 * mega), ...Array(60).fill(mega)]);
    expect(words[20]).toBe("less than a minute left");
    expect(words.at(-1)).toBe("about 6 minutes left");
  });

  test("stands for four seconds at least", () => {
    const words = told(600 * mega, [10 * mega, mega, mega, mega]);
    expect(new Set(words.slice(1)).size).toBe(1);
  });

  test("begins anew when what was sent turns out not to have arrived", () => {
    const before = nextPace(nextPace(null, 0, 0), 1000, 5 * mega);
    expect(nextPace(before, 2000, 3 * mega)).toEqual({ at: 2000, sent: 3 * mega, speed: null });
  });

  test("is not guessed from readings that lie too close", () => {
    const before: Pace = { at: 1000, sent: 10, speed: 5 };
    expect(nextPace(before, 1499, 20)).toBe(before);
    expect(nextPace(before, 1500, 20)).not.toBe(before);
  });

  test("stays as it was said while nothing moves", () => {
    const said = { seconds: 50, at: 0 };
    expect(nextTimeLeft(said, { at: 9000, sent: 5, speed: 0 }, 100)).toBe(said);
    expect(nextTimeLeft(null, { at: 9000, sent: 5, speed: null }, 100)).toBe(null);
  });

  test.each([
    [0, "a few seconds left"],
    [9.9, "a few seconds left"],
    [10, "less than a minute left"],
    [44, "less than a minute left"],
    [45, "about a minute left"],
    [89, "about a minute left"],
    [90, "about 2 minutes left"],
    [5 * 60, "about 5 minutes left"],
    [9.9 * 60, "about 10 minutes left"],
    [12 * 60, "about 10 minutes left"],
    [13 * 60, "about 15 minutes left"],
    [52 * 60, "about 50 minutes left"],
    [53 * 60, "about an hour left"],
    [75 * 60, "about an hour and a half left"],
    [106 * 60, "about 2 hours left"],
    [23.4 * 3600, "about 23 hours left"],
    [24 * 3600, "more than a day left"],
    [Number.POSITIVE_INFINITY, "more than a day left"],
  ])("%d seconds are %s", (seconds, words) => {
    expect(timeLeftInWords({ seconds, at: 5 }, 5)).toBe(words);
  });

  test("counts down between two readings, and not below nothing", () => {
    expect(timeLeftInWords({ seconds: 100, at: 0 }, 50_000)).toBe("about a minute left");
    expect(timeLeftInWords({ seconds: 1, at: 0 }, 50_000)).toBe("a few seconds left");
  });
});

describe("a file chosen again", () => {
  const chosen = { name: "grief.mp4", size: 10, lastModified: 5 };
  const stopped = { fileName: "grief.mp4", size: 10 };
  test.each([
    ["the same", {}, chosen, true],
    ["the same on another computer, as far as can be told", {}, null, true],
    ["changed since", { lastModified: 6 }, chosen, false],
    ["longer", { size: 11 }, chosen, false],
    ["of another name", { name: "Grief.mp4" }, chosen, false],
    ["with blanks around its name, which the site leaves out", { name: " grief.mp4" }, null, true],
    ["with signs in its name that the site leaves out", { name: "gri\u202eef.mp4" }, null, true],
  ])("%s", (_, difference, remembered, isSame) => {
    expect(isSameFile({ ...chosen, ...difference }, stopped, remembered)).toBe(isSame);
  });
});

test("tries come at once, then ever later, twice a minute at least", () => {
  const waits = Array.from({ length: 10 }, (_, attempt) => retryDelay(attempt));
  expect(waits.slice(0, 4)).toEqual([500, 1000, 2000, 4000]);
  expect(waits.at(-1)).toBe(30_000);
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  expect(retryDelay(10_000)).toBe(30_000);
});

test.each([
  [0, "again"],
  [408, "again"],
  [409, "again"],
  [423, "again"],
  [425, "again"],
  [429, "again"],
  [500, "again"],
  [502, "again"],
  [503, "again"],
  [507, "refused"],
  [404, "gone"],
  [410, "gone"],
  [302, "signed-out"],
  [401, "signed-out"],
  [400, "refused"],
  [403, "refused"],
  [413, "refused"],
  [415, "refused"],
])("status %i means %s", (status, meaning) => {
  expect(meaningOf(status)).toBe(meaning);
});
