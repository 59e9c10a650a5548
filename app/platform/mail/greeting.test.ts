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
    "Gal·la",
    "می\u200cخواهم",
    "नवीन्",
    "Nguyễn Thị Minh Khai",
    "Dr. Ada",
    "St. John",
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
    "spam\u2024example",
    "spam\ufe52example",
    "spam\u0701example",
    "spam\ua4f8example",
    "spam\u06d4example",
    "spam.\u200bexample",
    "spam\u00ad.\u2060example",
    "ｗｗｗ spam",
    "boss\uff20example",
    "boss\ufe6bexample",
    "https:\u2044\u2044spam",
    "https:\u2215\u2215spam",
    "call ０８００ １２３４",
    "call \u0660\u0668\u0660\u0660",
    "=?utf-8?B?ZXZpbC5leGFtcGxl?=",
    "Ada =?utf-8?Q?evil?=",
    "\uff1d\uff1futf-8?B?ZXZpbA==?=",
    "=\u200b?utf-8?B?ZXZpbA==?=",
  ])("%j is not", (name) => {
    expect(greetingName(name)).toBeNull();
    expect(greetingOf(name)).toBe("Hello,");
    expect(receiver(name, "a@example.com")).toEqual({ name: "", address: "a@example.com" });
  });
  test("nobody's name is missed where there is none", () =>
    expect(greetingOf(null)).toBe("Hello,"));
});
