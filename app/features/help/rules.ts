/** Numbers are looked at again after so many days. */
export const dueAfterDays = 180;

const dayMs = 24 * 3600_000;

/** Whether numbers that were checked on a day ('2026-11-28') are due for a look. */
export function isDue(checked: string, now: Date): boolean {
  return now.getTime() - new Date(checked).getTime() > dueAfterDays * dayMs;
}

/** Where a phone's number leads: 'tel:116123'. */
export function telOf(number: string): string {
  return `tel:${dialled(number)}`;
}

/** Where texting to a number leads: 'sms:50808'. */
export function smsOf(number: string): string {
  return `sms:${dialled(number)}`;
}

// In an address, a bare '#' would begin a fragment.
const dialled = (number: string) => number.replaceAll(" ", "").replaceAll("#", "%23");

/** The place of a country on /help. */
export const anchorOf = (code: string) => code.toLowerCase();

type Region = Intl.Locale & { getTimeZones(): string[] | undefined };

/** Each time zone's country (ISO 3166), as the time zone database has them. */
export function zonesOf(codes: readonly string[]): Map<string, string> {
  return new Map(
    codes.flatMap((code) =>
      ((new Intl.Locale("und", { region: code }) as Region).getTimeZones() ?? []).map(
        (zone) => [zone, code] as const,
      ),
    ),
  );
}

/** A zone's one name among its old and new ones: 'Asia/Kolkata' is 'Asia/Calcutta' here. */
export function canonicalZone(zone: string): string {
  return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
}
