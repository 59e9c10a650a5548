import { expect, test } from "vitest";
import { formatMoney } from "./rules.ts";

test.each([
  [19700, "usd", "$197.00"],
  [5, "usd", "$0.05"],
  [123456789, "usd", "$1,234,567.89"],
  [19700, "eur", "€197.00"],
  [19700, "jpy", "¥19,700"],
])("%d of %s is %s", (amount, currency, words) => {
  expect(formatMoney(amount, currency)).toBe(words);
});
