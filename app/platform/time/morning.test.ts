import { describe, expect, test } from "vitest";
import { localHour, morningAfter, nextMorning, startOfDay } from "./morning.ts";

const eight = (from: string, zone: string) => {
  const { at, day } = nextMorning(new Date(from), zone, 8);
  return `${day} ${at.toISOString()}`;
};

describe("the next eight in the morning", () => {
  test.each([
    // Berlin: clocks go forward on March 28, 2027, at 02:00, and back on October 31 at 03:00.
    ["Europe/Berlin", "2027-03-27T06:59:00Z", "2027-03-27 2027-03-27T07:00:00.000Z"],
    ["Europe/Berlin", "2027-03-27T07:00:00Z", "2027-03-27 2027-03-27T07:00:00.000Z"],
    ["Europe/Berlin", "2027-03-27T07:00:00.001Z", "2027-03-28 2027-03-28T06:00:00.000Z"],
    ["Europe/Berlin", "2027-03-28T00:59:00Z", "2027-03-28 2027-03-28T06:00:00.000Z"],
    ["Europe/Berlin", "2027-03-28T01:00:00Z", "2027-03-28 2027-03-28T06:00:00.000Z"],
    ["Europe/Berlin", "2027-10-30T12:00:00Z", "2027-10-31 2027-10-31T07:00:00.000Z"],
    ["Europe/Berlin", "2027-10-31T00:30:00Z", "2027-10-31 2027-10-31T07:00:00.000Z"],
    ["Europe/Berlin", "2027-10-31T01:30:00Z", "2027-10-31 2027-10-31T07:00:00.000Z"],
    // New York: forward on March 14, 2027, back on November 7.
    ["America/New_York", "2027-03-13T13:00:00.001Z", "2027-03-14 2027-03-14T12:00:00.000Z"],
    ["America/New_York", "2027-03-14T12:00:00.001Z", "2027-03-15 2027-03-15T12:00:00.000Z"],
    ["America/New_York", "2027-11-06T12:00:00.001Z", "2027-11-07 2027-11-07T13:00:00.000Z"],
    ["America/New_York", "2027-11-07T05:30:00Z", "2027-11-07 2027-11-07T13:00:00.000Z"],
    // Half an hour, in the southern spring: October 3, 2027, and back on April 4.
    ["Australia/Lord_Howe", "2027-10-02T12:00:00Z", "2027-10-03 2027-10-02T21:00:00.000Z"],
    ["Australia/Lord_Howe", "2027-10-01T22:00:00Z", "2027-10-03 2027-10-02T21:00:00.000Z"],
    ["Australia/Lord_Howe", "2027-04-03T20:00:00Z", "2027-04-04 2027-04-03T21:30:00.000Z"],
    ["Pacific/Auckland", "2027-09-25T12:00:00Z", "2027-09-26 2027-09-25T19:00:00.000Z"],
    ["Asia/Kolkata", "2027-06-01T02:30:00Z", "2027-06-01 2027-06-01T02:30:00.000Z"],
    ["Asia/Kolkata", "2027-06-01T02:30:00.001Z", "2027-06-02 2027-06-02T02:30:00.000Z"],
    // Samoa went over the date line: it had no December 30, 2011.
    ["Pacific/Apia", "2011-12-29T18:00:00.001Z", "2011-12-31 2011-12-30T18:00:00.000Z"],
  ])("in %s from %s on is %s", (zone, from, expected) => {
    expect(eight(from, zone)).toBe(expected);
  });

  test("where clocks leave the hour out it is as much later, and the first where they show it twice", () => {
    const two = (from: string) => nextMorning(new Date(from), "Europe/Berlin", 2).at.toISOString();
    expect(two("2027-03-27T23:00:00Z")).toBe("2027-03-28T01:00:00.000Z");
    expect(two("2027-10-30T23:00:00Z")).toBe("2027-10-31T00:00:00.000Z");
    expect(two("2027-10-31T00:00:00.001Z")).toBe("2027-11-01T01:00:00.000Z");
  });

  test("is unknown in a zone that there is not", () => {
    expect(() => nextMorning(new Date(), "Mars/Olympus", 8)).toThrow(RangeError);
  });
});

describe.each([
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Pacific/Auckland",
  "Pacific/Chatham",
  "Asia/Kolkata",
  "America/St_Johns",
  "UTC",
])("through a whole year in %s", (zone) => {
  const shown = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  const year = Array.from({ length: 366 * 8 }, (_, n) => new Date(Date.UTC(2027, 0, 1, n * 3, 17)));

  test("it is at eight by that place's own clocks, on the day it names, and no other came before", () => {
    for (const from of year) {
      const { at, day } = nextMorning(from, zone, 8);
      expect(shown.format(at)).toBe(`${day} 08:00:00`);
      const hours = (at.getTime() - from.getTime()) / 3600_000;
      expect(hours).toBeGreaterThanOrEqual(0);
      expect(hours).toBeLessThan(25.01);
      // Had there been an earlier one, its date would be the one before, and not past yet.
      const dayBefore = shown.format(from).slice(0, 10);
      if (day !== dayBefore) expect(shown.format(from).slice(11) > "08:00:00").toBe(true);
    }
  });

  test("what the clock shows is what the place's own clocks show", () => {
    for (const from of year) {
      const { day, hour } = localHour(from, zone);
      expect(`${day} ${String(hour).padStart(2, "0")}`).toBe(shown.format(from).slice(0, 13));
    }
  });
});

test.each([
  ["2026-11-30", "UTC", "2026-11-30T00:00:00.000Z"],
  ["2026-11-30", "America/New_York", "2026-11-30T05:00:00.000Z"],
  ["2026-07-01", "America/New_York", "2026-07-01T04:00:00.000Z"],
  // Midnight is skipped there on this day.
  ["2026-09-06", "America/Santiago", "2026-09-06T04:00:00.000Z"],
  ["2028-02-29", "UTC", "2028-02-29T00:00:00.000Z"],
  ["2026-02-29", "UTC", null],
  ["2026-13-01", "UTC", null],
  ["20261130", "UTC", null],
  ["2026-11-30T12:00", "UTC", null],
  ["tomorrow", "UTC", null],
  ["", "UTC", null],
])("startOfDay: %j in %s is %j", (day, timeZone, at) => {
  expect(startOfDay(day, timeZone)?.toISOString() ?? null).toBe(at);
});

test.each([
  // On the evening of a day, and over the change of the clocks.
  ["2027-03-27T22:30:00Z", "Europe/Berlin", 1, "2027-03-28T06:00:00.000Z"],
  ["2027-03-27T23:30:00Z", "Europe/Berlin", 1, "2027-03-29T06:00:00.000Z"],
  ["2026-11-28T20:00:00Z", "Asia/Tokyo", 60, "2027-01-27T23:00:00.000Z"],
  ["2026-11-28T20:00:00Z", "UTC", 0, "2026-11-28T08:00:00.000Z"],
])("morningAfter: %s in %s, after %d days", (from, timeZone, days, at) => {
  expect(morningAfter(new Date(from), timeZone, days, 8).toISOString()).toBe(at);
});
