import { describe, expect, test } from "vitest";
import {
  clockTimeAndZone,
  comingDay,
  comingMorning,
  comingTime,
  dayInWords,
  knownZone,
  momentInWords,
  namedUtc,
  shortDay,
} from "./words.ts";

const now = new Date("2026-11-21T15:00:00Z");

test.each([
  ["2026-11-21T14:58:01Z", "UTC", "a minute ago"],
  ["2026-11-21T14:58:00Z", "UTC", "today at 2:58 PM UTC"],
  ["2026-11-21T00:05:00Z", "UTC", "today at 12:05 AM UTC"],
  ["2026-11-20T23:50:00Z", "UTC", "yesterday at 11:50 PM UTC"],
  ["2026-11-20T23:50:00Z", "Europe/Paris", "today at 12:50 AM"],
  ["2026-11-21T01:30:00Z", "America/New_York", "yesterday at 8:30 PM"],
  ["2026-11-19T23:59:00Z", "UTC", "November 19 at 11:59 PM UTC"],
  ["2026-11-17T20:30:00Z", "Asia/Tokyo", "November 18 at 5:30 AM"],
  ["2025-12-31T20:30:00Z", "UTC", "December 31, 2025 at 8:30 PM UTC"],
  ["2025-12-31T20:30:00Z", "Asia/Tokyo", "January 1 at 5:30 AM"],
  ["2026-11-21T15:00:30Z", "UTC", "a minute ago"],
])("%s in %s is '%s'", (date, zone, words) => {
  expect(momentInWords(new Date(date), now, zone)).toBe(words);
});

test("days are the reader's own", () => {
  const date = new Date("2026-11-23T23:30:00Z");
  expect(dayInWords(date, now, "UTC")).toBe("Monday, November 23");
  expect(dayInWords(date, now, "Europe/Paris")).toBe("Tuesday, November 24");
  expect(dayInWords(new Date("2027-01-02T12:00:00Z"), now, "UTC")).toBe(
    "Saturday, January 2, 2027",
  );
  expect(shortDay(date, "Europe/Paris")).toBe("Nov 24");
});

test.each([
  ["America/New_York", "3:15 PM Eastern Time"],
  ["Europe/Paris", "9:15 PM Central European Time"],
  ["UTC", "8:15 PM UTC"],
])("clockTimeAndZone: an email names the zone %s", (zone, words) => {
  expect(clockTimeAndZone(new Date("2026-11-21T20:15:00Z"), zone)).toBe(words);
});

test("namedUtc: only UTC is named", () => {
  expect(namedUtc("20:15", "UTC")).toBe("20:15 UTC");
  expect(namedUtc("20:15", "Europe/Paris")).toBe("20:15");
});

test("a zone that is not set, or unknown here, is another one", () => {
  expect(knownZone("Europe/Paris", "UTC")).toBe("Europe/Paris");
  expect(knownZone(null, "UTC")).toBe("UTC");
  expect(knownZone("Nowhere/At_All", "UTC")).toBe("UTC");
});

describe("a moment that comes", () => {
  test.each([
    ["2026-11-21T18:55:00Z", "Europe/Paris", "today at 7:55 PM"],
    ["2026-11-21T18:54:01Z", "Europe/Paris", "today at 7:55 PM"],
    ["2026-11-21T23:59:30Z", "UTC", "tomorrow at 12:00 AM UTC"],
    ["2026-11-22T18:55:00Z", "Asia/Tokyo", "tomorrow at 3:55 AM"],
    ["2026-11-23T18:55:00Z", "UTC", "on Monday, November 23, at 6:55 PM UTC"],
    ["2027-01-02T12:00:00Z", "Europe/Paris", "on Saturday, January 2, 2027, at 1:00 PM"],
  ])("comingTime: %s in %s is '%s'", (date, zone, words) =>
    expect(comingTime(new Date(date), now, zone)).toBe(words),
  );

  test("comingDay: with its hour where it is today", () => {
    const date = new Date("2026-11-21T18:55:00Z");
    expect(comingDay(date, now, "Europe/Paris")).toBe("today at 7:55 PM");
    const tomorrow = new Date("2026-11-22T18:55:00Z");
    expect(comingDay(tomorrow, now, "Asia/Tokyo")).toBe("Nov 23");
    expect(comingDay(tomorrow, now, "UTC")).toBe("Nov 22 UTC");
    const nextYear = new Date("2027-11-22T18:55:00Z");
    expect(comingDay(nextYear, now, "Asia/Tokyo")).toBe("Nov 23, 2027");
  });

  test.each([
    ["2026-11-21T16:00:00Z", "America/Los_Angeles", "this morning"],
    ["2026-11-22T08:00:00Z", "UTC", "tomorrow morning"],
    ["2026-11-23T08:00:00Z", "UTC", "on the morning of Monday, November 23"],
  ])("comingMorning: %s in %s is '%s'", (date, zone, words) =>
    expect(comingMorning(new Date(date), now, zone)).toBe(words),
  );
});
