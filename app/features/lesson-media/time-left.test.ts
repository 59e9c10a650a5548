import { describe, expect, test } from "vitest";
import { TimeLeft, timeLeftInWords } from "./time-left.ts";

const mega = 1_000_000;

describe("TimeLeft", () => {
  /** What is shown while a file goes at these speeds (bytes a second), one reading a second. */
  function shown(size: number, speeds: number[]): (string | null)[] {
    const left = new TimeLeft();
    let sent = 0;
    return [0, ...speeds].map((speed, second) => {
      sent += speed;
      return left.read(second * 1000, sent, size);
    });
  }
  const changes = (words: (string | null)[]) => words.filter((word, n) => word !== words[n - 1]);

  test("shows nothing before anything was measured", () => {
    expect(shown(10 * mega, [mega])).toEqual([null, "a few seconds left"]);
    const left = new TimeLeft();
    left.read(0, 0, 10 * mega);
    expect(left.read(499, mega, 10 * mega)).toBeNull();
    expect(left.read(500, mega, 10 * mega)).not.toBeNull();
  });

  test("only ever counts down at an even speed", () => {
    expect(changes(shown(200 * mega, Array(195).fill(mega)))).toEqual([
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
    const words = changes(shown(600 * mega, nervous));
    const minutes = words.flatMap((word) => Number(/\d+/.exec(word ?? "")?.[0] ?? []));
    expect(minutes.slice(1)).toEqual(minutes.slice(1).toSorted((a, b) => b - a));
    expect(words.length).toBeLessThan(8);
  });

  test("is corrected when the connection becomes slower for good, after four seconds", () => {
    const words = shown(600 * mega, [...Array(20).fill(10 * mega), ...Array(60).fill(mega)]);
    expect(words[20]).toBe("less than a minute left");
    expect(words.at(-1)).toBe("about 6 minutes left");
    expect(new Set(shown(600 * mega, [10 * mega, mega, mega, mega]).slice(1)).size).toBe(1);
  });

  test("counts down between two corrections", () => {
    const left = new TimeLeft();
    const read = (second: number, sent: number) => left.read(second * 1000, sent, 92 * mega);
    expect([read(0, 0), read(1, mega), read(3, mega)]).toEqual([
      null,
      "about 2 minutes left",
      "about a minute left",
    ]);
  });

  test("measures again when bytes did not arrive, or after a reset", () => {
    const left = new TimeLeft();
    const read = (second: number, sent: number) => left.read(second * 1000, sent, 100 * mega);
    expect([read(0, 0), read(1, mega)]).toEqual([null, "about 2 minutes left"]);
    // The last estimate counts down meanwhile.
    expect([read(2, 0), read(3, 0)]).toEqual(["about 2 minutes left", "about 2 minutes left"]);
    left.reset();
    expect([read(4, 0), read(5, 50 * mega)]).toEqual([null, "a few seconds left"]);
  });
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
])("timeLeftInWords: %d seconds are %s", (seconds, words) => {
  expect(timeLeftInWords(seconds)).toBe(words);
});
