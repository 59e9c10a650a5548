import { expect, test } from "vitest";
import { asCsv } from "./csv.ts";

const cell = (text: string) => asCsv([[text]]).replace(/\n$/, "");

test.each([
  ["a formula", "=1+1", "'=1+1"],
  ["one behind a blank", " =1+1", "' =1+1"],
  ["one behind a blank that does not break", "\u00a0=1+1", "'\u00a0=1+1"],
  ["one behind a line separator", "\u2028=1+1", "'\u2028'=1+1"],
  ["one behind a paragraph separator", "\u2029@SUM(A1)", "'\u2029'@SUM(A1)"],
  ["one behind an ideographic blank", "\u3000+1", "'\u3000+1"],
  ["one behind a mark of byte order", "\ufeff-1", "'\ufeff-1"],
  ["one behind letters of no width", "\u200b\u2060=1+1", "'\u200b\u2060=1+1"],
  ["one behind a next-line sign", "\u0085=1", "'\u0085'=1"],
  ["one in wide letters behind a blank", "\u00a0\uff1d1", "'\u00a0\uff1d1"],
  ["one behind a semicolon", "a;=1+1", "a;'=1+1"],
  ["one behind a semicolon and a blank", "a;\u00a0=1+1", "a;'\u00a0=1+1"],
  ["one behind a line separator inside", "a\u2028=1+1", "a\u2028'=1+1"],
  ["a name", "Ada Lovelace", "Ada Lovelace"],
  ["a name with a sign inside", "Ada = Grace", "Ada = Grace"],
  ["a name of another script", "\u00a0محمد", "\u00a0محمد"],
])("asCsv: %s", (_, text, expected) => {
  expect(cell(text)).toBe(expected);
});

test("asCsv: time grows in proportion to a text of separators and blanks", () => {
  const timeOf = (length: number) => {
    const texts = ["\t", ";", " ", '"', "\u00a0", "\u2028", "; "].map((one) =>
      one.repeat(length).slice(0, length),
    );
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now();
      for (const text of texts) asCsv([[`${text}a`], [`a${text}`]]);
      return performance.now() - start;
    });
    return times.toSorted((a, b) => a - b)[2] ?? 0;
  };
  timeOf(2000);
  // Eight times as long took 64 times as long where each separator looked at all behind it.
  expect(timeOf(16_000)).toBeLessThan(30 * (timeOf(2000) + 0.2));
});
