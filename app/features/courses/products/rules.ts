import { courseTexts, highestPriceCents, lowestPriceCents } from "./texts.ts";

/**
 * A price as somebody types it, in whole cents: '197', '197.5', '$1,197.50'. Counted in letters,
 * never in fractions, so that no cent gets lost.
 * @returns cents, or what is wrong with it
 */
export function parsePrice(typed: string): { cents: number } | { problem: string } {
  const text = typed.replace(/\s/g, "").replace(/^(-?)(US)?\$/i, "$1");
  if (text === "" || text === "-") return { problem: courseTexts.priceMissing };
  const parts = /^(-?)(\d+|\d{1,3}(?:,\d{3})+)?(?:\.(\d*))?$/.exec(text);
  const [, sign, whole = "", fraction = ""] = parts ?? [];
  if (!parts || whole + fraction === "") return { problem: courseTexts.priceUnclear };
  if (sign) return { problem: courseTexts.priceNegative };
  if (fraction.length > 2) return { problem: courseTexts.priceFine };
  const cents = Number(whole.replaceAll(",", "") + fraction.padEnd(2, "0"));
  if (cents > 0 && cents < lowestPriceCents) return { problem: courseTexts.priceLow };
  return cents > highestPriceCents ? { problem: courseTexts.priceHigh } : { cents };
}

/** Cents as they stand in the field: '197.00' (spec 9, two decimals). */
export function priceField(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}
