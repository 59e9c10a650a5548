import { describe, expect, test } from "vitest";
import { canonicalZone, isDue, smsOf, telOf, zonesOf } from "./rules.ts";

const daysAfter = (day: string, days: number) =>
  new Date(new Date(day).getTime() + days * 24 * 3600_000);

test("isDue: numbers are due for a look after 180 days", () => {
  expect(isDue("2026-11-28", daysAfter("2026-11-28", 180))).toBe(false);
  expect(isDue("2026-11-28", daysAfter("2026-11-28", 180.01))).toBe(true);
  expect(isDue("2026-11-28", daysAfter("2026-11-28", -1))).toBe(false);
});

test.each([
  ["116 123", "tel:116123", "sms:116123"],
  ["*4141", "tel:*4141", "sms:*4141"],
  ["#31 41", "tel:%233141", "sms:%233141"],
])("telOf, smsOf: %s is dialled without spaces", (number, tel, sms) => {
  expect([telOf(number), smsOf(number)]).toEqual([tel, sms]);
});

describe("zonesOf", () => {
  const codes = zonesOf(["IE", "IN", "UA", "US", "FR", "RE"]);
  test.each([
    ["Europe/Dublin", "IE"],
    ["Asia/Kolkata", "IN"],
    ["Asia/Calcutta", "IN"],
    ["Europe/Kyiv", "UA"],
    ["US/Pacific", "US"],
    ["Indian/Reunion", "RE"],
    ["Europe/London", undefined],
    ["UTC", undefined],
  ])("%s is in %s", (zone, code) => {
    expect(codes.get(canonicalZone(zone))).toBe(code);
  });
});
