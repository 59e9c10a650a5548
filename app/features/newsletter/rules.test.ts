import { describe, expect, test } from "vitest";
import {
  confirmText,
  emailKey,
  emailPauseMs,
  type LinkState,
  linkState,
  mayRemind,
  nextEmailAt,
  parseConfirmText,
  withEmailTime,
} from "./rules.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = Date.UTC(2026, 10, 21, 3);

test("an address is the same whatever its capitals and the blanks around it", () => {
  expect(emailKey(" Ada@Example.COM\t")).toBe("ada@example.com");
  expect(emailKey("ada+list@example.com")).not.toBe(emailKey("ada@example.com"));
});

describe("emails that a signup causes", () => {
  test.each<[string, number[], number]>([
    ["the first goes at once", [], now],
    ["not again within ten minutes", [now - minute], now - minute + emailPauseMs],
    ["again after ten minutes", [now - emailPauseMs], now],
    ["after one that is still to come", [now + minute], now + minute + emailPauseMs],
    ["three in 24 hours", [now - 3 * hour, now - 2 * hour, now - hour], now + 21 * hour],
    ["the oldest of them is gone", [now - day, now - 2 * hour, now - hour], now],
    ["in whatever order", [now - hour, now - 3 * hour, now - 2 * hour], now + 21 * hour],
    ["at once after a clock that was a year ahead", [now + 365 * day], now],
    ["both rules", [now - day + minute, now - 20 * minute, now - minute], now + 9 * minute],
  ])("%s", (_, times, expected) => expect(nextEmailAt(times, now)).toBe(expected));

  test("an address that is signed up every minute causes three emails a day, not more", () => {
    let times: number[] = [];
    const sent: number[] = [];
    for (let at = now; at < now + 5 * day; at += minute) {
      if (nextEmailAt(times, at) > at) continue;
      times = withEmailTime(times, at);
      sent.push(at);
    }
    for (const at of sent)
      expect(sent.filter((other) => other >= at && other < at + day).length).toBeLessThanOrEqual(3);
    for (const [n, at] of sent.slice(1).entries())
      expect(at - (sent[n] ?? 0)).toBeGreaterThanOrEqual(emailPauseMs);
    expect(sent).toHaveLength(15);
  });

  test("a clock that was a year ahead loosens no rule", () => {
    const wrong = [1, 2, 3].map((n) => now + 365 * day + n * hour);
    expect(nextEmailAt(withEmailTime(wrong, now), now + 1)).toBe(now + emailPauseMs);
    expect(mayRemind(wrong, now)).toBe(true);
    expect(mayRemind(withEmailTime(wrong, now), now + 1)).toBe(false);
  });

  test("a reminder goes out once a day", () => {
    expect(mayRemind([], now)).toBe(true);
    expect(mayRemind([now - day], now)).toBe(true);
    expect(mayRemind([now - day + 1], now)).toBe(false);
    expect(mayRemind([now - 2 * day, now - hour], now)).toBe(false);
  });
});

const id = "01a1fd36-4566-735c-9e1a-a0fde67203d5";
const link = { id, generation: 2, expires: now + 1000 };

describe("a confirmation link", () => {
  test("says what was put into it, to the second", () => {
    expect(parseConfirmText(confirmText(link))).toEqual(link);
    expect(confirmText({ ...link, expires: now + 1999 })).toBe(confirmText(link));
  });

  const of = (status: "pending" | "confirmed" | "unsubscribed", generation = 2) => ({
    status,
    generation,
  });
  test.each<[LinkState, Parameters<typeof linkState>]>([
    ["broken", [null, null, now]],
    ["open", [link, of("pending"), now]],
    ["open", [link, of("pending"), link.expires - 1]],
    ["expired", [link, of("pending"), link.expires]],
    ["done", [link, of("confirmed"), now]],
    ["done", [link, of("confirmed"), link.expires + day]],
    ["outdated", [link, of("unsubscribed", 3), now]],
    ["replaced", [link, of("pending", 3), now]],
    ["replaced", [link, of("confirmed", 3), now]],
    ["replaced", [link, of("confirmed", 3), link.expires + day]],
    ["replaced", [link, of("pending", 1), now]],
    ["outdated", [link, of("unsubscribed"), now]],
    ["outdated", [link, null, now]],
    ["expired", [link, null, link.expires]],
  ])("%s (%#)", (state, asked) => expect(linkState(...asked)).toBe(state));
});
