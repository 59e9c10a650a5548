import { expect, test } from "vitest";
import { weeksUntil } from "./weeks.ts";

const iso = (date: Date | undefined) => date?.toISOString();

test.each([
  // Berlin: clocks go back on October 25, 2026, and forward on March 28, 2027.
  ["Europe/Berlin", "2026-10-25T22:59:59Z", "2026-10-18T22:00:00.000Z", "2026-10-25T23:00:00.000Z"],
  ["Europe/Berlin", "2026-10-25T23:00:00Z", "2026-10-25T23:00:00.000Z", "2026-11-01T23:00:00.000Z"],
  ["Europe/Berlin", "2027-03-28T12:00:00Z", "2027-03-21T23:00:00.000Z", "2027-03-28T22:00:00.000Z"],
  [
    "America/New_York",
    "2026-11-02T04:59:00Z",
    "2026-10-26T04:00:00.000Z",
    "2026-11-02T05:00:00.000Z",
  ],
  [
    "Asia/Kathmandu",
    "2026-11-29T18:15:00Z",
    "2026-11-29T18:15:00.000Z",
    "2026-12-06T18:15:00.000Z",
  ],
  [
    "Pacific/Chatham",
    "2026-11-28T00:00:00Z",
    "2026-11-22T10:15:00.000Z",
    "2026-11-29T10:15:00.000Z",
  ],
  ["UTC", "2027-01-01T00:00:00Z", "2026-12-28T00:00:00.000Z", "2027-01-04T00:00:00.000Z"],
])("weeksUntil: in %s, %s is in the week from %s to %s", (zone, now, start, end) => {
  const weeks = weeksUntil(new Date(now), zone, 1);
  expect([iso(weeks.starts[0]), iso(weeks.end)]).toEqual([start, end]);
});

test("weeksUntil: each week begins where the one before ends, on a Monday at midnight, all year", () => {
  const shown = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone: "Australia/Lord_Howe", weekday: "short", hour: "2-digit", hourCycle: "h23" },
  });
  const { starts, end } = weeksUntil(new Date("2026-11-28T12:00:00Z"), "Australia/Lord_Howe", 60);
  expect(starts).toHaveLength(60);
  for (const at of [...starts, end]) {
    expect(shown.format(at)).toBe("Mon, 00");
    expect(at.getTime() % (15 * 60_000)).toBe(0);
  }
  const lengths = new Set(
    [...starts.slice(1), end].map(
      (at, n) => (at.getTime() - (starts[n]?.getTime() ?? 0)) / 3600_000,
    ),
  );
  expect([...lengths].sort()).toEqual([167.5, 168, 168.5]);
});
