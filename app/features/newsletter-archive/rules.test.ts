import { expect, test } from "vitest";
import { absoluteAddresses, monthAfter, monthBefore, parseYear, withoutControls } from "./rules.ts";

test.each([
  ["2026-01-03", "2025-12"],
  ["2026-12-01", "2026-11"],
  ["2026-10-02", "2026-09"],
])("the month before that of %s is %s", (day, month) => {
  expect(monthBefore(day)).toBe(month);
  expect(monthAfter(month)).toBe(day.slice(0, 7));
});

test.each([
  ["2026", 2026],
  ["1999", null],
  ["20260", null],
  ["2026.", null],
  ["", null],
])("%j in an address is the year %j", (text, year) => expect(parseYear(text)).toBe(year));

const page = "https://bluedot.example/newsletter/one";

test.each([
  ['<a href="/about">a</a>', '<a href="https://bluedot.example/about">a</a>'],
  ['<a href="#fn">a</a>', `<a href="${page}#fn">a</a>`],
  ['<a href="mailto:a@b.example">a</a>', '<a href="mailto:a@b.example">a</a>'],
  [
    '<a href="/?a=1&#x26;b=2&amp;c">a</a>',
    '<a href="https://bluedot.example/?a=1&amp;b=2&amp;c">a</a>',
  ],
  ['<img alt="x > src=" src="/a.jpg" sizes="1px" srcset="/a.jpg 1x">', undefined],
  ['<p>the attribute href="/about"</p>', '<p>the attribute href="/about"</p>'],
  ["<p>1 < 2 and href", "<p>1 < 2 and href"],
])("%j, read elsewhere", (html, expected) => {
  const image = '<img alt="x > src=" src="https://bluedot.example/a.jpg">';
  expect(absoluteAddresses(html, page)).toBe(expected ?? image);
});

test("an unclosed tag of a megabyte takes no long time", () => {
  const html = `<a ${'href="/a" '.repeat(50_000)}`;
  const start = performance.now();
  absoluteAddresses(html + "<a ".repeat(50_000), page);
  expect(performance.now() - start).toBeLessThan(500);
});

test("characters that XML cannot carry are left out, others stay", () => {
  expect(withoutControls("a\u0000b\u0007c\ud800d\ufffee\tf\ng\u{1f499}")).toBe(
    "abc\ufffdde\tf\ng\u{1f499}",
  );
});
