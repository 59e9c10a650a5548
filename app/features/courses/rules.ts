/** '$197.00', from cents (spec 9: two decimals). */
export function formatPrice(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
