/** '$197.00', '¥19,700'. `amount` in the currency's smallest unit; ISO 4217 in lower case. */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency });
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  return format.format(amount / 10 ** digits);
}
