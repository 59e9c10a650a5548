import { describe, expect, test } from "vitest";
import { formatPrice, formatPriceShort, titleParts } from "./rules.ts";

describe("a price", () => {
  test.each([
    [19700, "$197.00", "$197"],
    [4750, "$47.50", "$47.50"],
    [4705, "$47.05", "$47.05"],
    [5, "$0.05", "$0.05"],
    [0, "Free", "$0"],
    [125000, "$1,250.00", "$1,250"],
    [99999999, "$999,999.99", "$999,999.99"],
  ])("of %i cents", (cents, long, short) => {
    expect(formatPrice(cents)).toBe(long);
    expect(formatPriceShort(cents)).toBe(short);
  });
});

describe("a title with a number", () => {
  test.each([
    ["Week 1: Where you are", "Week 1", "Where you are"],
    ["Day 12: One thing: the kettle", "Day 12", "One thing: the kettle"],
    ["Tydzień 3: Co zostało", "Tydzień 3", "Co zostało"],
  ])("%s", (whole, number, title) => {
    expect(titleParts(whole)).toEqual({ number, title });
  });

  test.each([
    "Landing",
    "Week 1",
    "Week 1:",
    "Week 1:   ",
    "Week one: Here",
    "3: Here",
    ": Here",
    "",
  ])("%j has none", (title) => expect(titleParts(title)).toEqual({ number: null, title }));
});
