import { describe, expect, test } from "vitest";
import { parsePrice, priceField } from "./rules.ts";
import { courseTexts } from "./texts.ts";

describe("a price as it is typed", () => {
  test.each([
    ["197", 19_700],
    ["197.00", 19_700],
    ["$197", 19_700],
    [" $ 1,197.50 ", 119_750],
    ["US$12", 1200],
    ["0", 0],
    ["0.00", 0],
    ["0.5", 50],
    [".5", 50],
    ["5.", 500],
    // Each of these times 100 is not whole in fractions of two.
    ["1.15", 115],
    ["19.99", 1999],
    ["8.2", 820],
    ["999,999.99", 99_999_999],
  ])("%s", (typed, cents) => expect(parsePrice(typed)).toEqual({ cents }));

  test.each([
    ["", courseTexts.priceMissing],
    [" $ ", courseTexts.priceMissing],
    ["-1", courseTexts.priceNegative],
    ["-$5", courseTexts.priceNegative],
    ["free", courseTexts.priceUnclear],
    ["NaN", courseTexts.priceUnclear],
    ["1e3", courseTexts.priceUnclear],
    ["0x10", courseTexts.priceUnclear],
    ["1,97", courseTexts.priceUnclear],
    ["1.2.3", courseTexts.priceUnclear],
    [".", courseTexts.priceUnclear],
    ["1.005", courseTexts.priceFine],
    ["0.01", courseTexts.priceLow],
    ["$.49", courseTexts.priceLow],
    ["1000000", courseTexts.priceHigh],
    ["9".repeat(400), courseTexts.priceHigh],
  ])("%s is refused", (typed, problem) => expect(parsePrice(typed)).toEqual({ problem }));

  test.each([0, 50, 115, 1999, 19_700, 99_999_999])("%i cents come back", (cents) =>
    expect(parsePrice(priceField(cents))).toEqual({ cents }),
  );
});
