/**
 * An amount in its own currency: '$197.00', '€197.00', '¥19,700'.
 * @param amount in the currency's smallest unit
 * @param currency ISO 4217 in small letters, as Stripe has it
 */
export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency });
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  return format.format(amount / 10 ** digits);
}
