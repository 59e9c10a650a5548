import { describe, expect, test } from "vitest";
import { greetingName, greetingOf, receiver } from "./greeting.ts";

describe("the name in a letter", () => {
  test.each([
    "Ada",
    "María José",
    "Jean-Luc",
    "O'Neill",
    "J.R.R.",
    "李",
    "A",
    "Ada & Grace",
    'A "x"',
  ])("%s is repeated", (name) => {
    expect(greetingName(name)).toBe(name);
    expect(greetingOf(name)).toBe(`Hello ${name},`);
    expect(receiver(name, "a@example.com")).toEqual({ name, address: "a@example.com" });
  });
  test.each([
    "",
    "  ",
    "Win now https://spam.example",
    "www.evil.example",
    "spam.example",
    "spam。example",
    "WWW spam",
    "boss@example.org",
    "<b>Ada</b>",
    "call 0800 1234567",
    "Ada\r\nBcc: boss",
    "\u202eadA",
    "a".repeat(41),
  ])("%j is not", (name) => {
    expect(greetingName(name)).toBeNull();
    expect(greetingOf(name)).toBe("Hello,");
    expect(receiver(name, "a@example.com")).toEqual({ name: "", address: "a@example.com" });
  });
  test("nobody's name is missed where there is none", () =>
    expect(greetingOf(null)).toBe("Hello,"));
});
