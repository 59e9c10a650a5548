import { expect, test } from "vitest";
import { routeTable } from "../../../tests/support/route-table.ts";
import { monthAfter, monthBefore, parseYear, reservedSlugs, withoutControls } from "./rules.ts";

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

test("characters that XML cannot carry are left out, others stay", () => {
  expect(withoutControls("a\u0000b\u0007c\ud800d\ufffee\tf\ng\u{1f499}")).toBe(
    "abc\ufffdde\tf\ng\u{1f499}",
  );
});

test("no issue has the slug of another page of the newsletter", () => {
  const own = routeTable.flatMap(
    ({ pattern }) => /^\/newsletter\/([a-z]+)$/.exec(pattern)?.[1] ?? [],
  );
  expect(own.length).toBeGreaterThan(4);
  for (const slug of own) expect([slug, reservedSlugs.has(slug)]).toEqual([slug, true]);
});
