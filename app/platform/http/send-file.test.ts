import { expect, test } from "vitest";
import { growth, inProportion } from "../../../tests/support/growth.ts";
import { matchesTag, parseRange } from "./send-file.ts";

test.each([
  ['"abc"', true],
  ['W/"abc"', true],
  ['"x", "abc"', true],
  ['"x",W/"abc" , "y"', true],
  ["*", true],
  [" * ", true],
  ['"ab"', false],
  ['"abcd"', false],
  ["abc", false],
  ['W/"x", "y"', false],
  ['"x, "abc"', false],
  ['"*"', false],
  ["", false],
])("If-None-Match: %s names the tag: %s", (header, matches) => {
  expect(matchesTag(header, '"abc"')).toBe(matches);
});

test.each([
  [null, null],
  ["", null],
  ["bytes=0-0", { start: 0, end: 0 }],
  ["bytes=0-", { start: 0, end: 99 }],
  ["bytes=99-", { start: 99, end: 99 }],
  ["bytes=10-19", { start: 10, end: 19 }],
  ["bytes=90-1000", { start: 90, end: 99 }],
  ["bytes=-1", { start: 99, end: 99 }],
  ["bytes=-1000", { start: 0, end: 99 }],
  ["bytes=100-", "unsatisfiable"],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=20-10", null],
  ["bytes=-", null],
  ["bytes=a-b", null],
  ["bytes=0-1,5-6", null],
  ["BYTES=0-1", { start: 0, end: 1 }],
  ["items=0-1", null],
  ["bytes=1e1-", null],
])("of 100 bytes, %j is %j", (header, expected) => {
  expect(parseRange(header, 100)).toEqual(expected);
});

test("an empty file has no range to give", () => {
  expect(parseRange("bytes=0-", 0)).toBe("unsatisfiable");
  expect(parseRange("bytes=-5", 0)).toBe("unsatisfiable");
});

test.each(["0-0,", "9", "-", " ", ",", "bytes=", "0-9-"])(
  "the time for many of %j grows with their number",
  (piece) => {
    const prepare = (size: number) => `bytes=${piece.repeat(size / piece.length)}`;
    expect(growth(prepare, (header) => parseRange(header, 100), 100_000)).toBeLessThan(
      inProportion,
    );
  },
);
