const dollars = (digits: number) =>
  new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
/** What is said in the place of a price of nothing. */
export const free = "Free";

const exact = dollars(2);
const whole = dollars(0);

/** What a course costs: '$197.00', from cents (spec 9: two decimals), or 'Free'. */
export function formatPrice(cents: number): string {
  if (cents === 0) return free;
  return exact.format(cents / 100);
}

/** '$197' as a button says it, from cents (spec 2, Blue Dot course page); cents only where there are any. */
export function formatPriceShort(cents: number): string {
  return (cents % 100 === 0 ? whole : exact).format(cents / 100);
}

/**
 * A module's title in its two halves, so that a page can set the number apart:
 * 'Week 1: Where you are' is 'Week 1' and 'Where you are'. A title without a number is whole.
 */
export function titleParts(title: string): { number: string | null; title: string } {
  const [, number, rest] = /^(\p{L}+ \d+): (.*\S)/u.exec(title) ?? [];
  return number && rest ? { number, title: rest } : { number: null, title };
}
