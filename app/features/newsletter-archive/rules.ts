/** What `/newsletter/…` has beside its issues: none may have one of these as its slug. */
export const reservedSlugs: ReadonlySet<string> = new Set([
  ...["archive", "confirm", "confirmed", "feed", "frequency", "issues", "new", "preferences"],
  ...["subscribe", "subscribed", "unsubscribe", "unsubscribed"],
]);

/** On the archive's first page; what is older is on the pages of its years. */
export const issuesShown = 20;

/** The name of an issue's share picture. */
export const issueCard = (id: string) => `issue:${id}`;

export const issuePath = (slug: string) => `/newsletter/${slug}`;
export const archivePath = "/newsletter/archive";
export const feedPath = "/newsletter/feed.xml";

/** From an address, '2026'; null for what is no year that can have issues. */
export function parseYear(text: string): number | null {
  return /^2\d{3}$/.test(text) ? Number(text) : null;
}

/** The month before that of a day: '2025-12' for '2026-01-03'. */
export function monthBefore(day: string): string {
  const [year = 0, month = 0] = day.split("-").map(Number);
  return month > 1 ? `${year}-${String(month - 1).padStart(2, "0")}` : `${year - 1}-12`;
}

/** '2027-01' for '2026-12'. */
export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return number < 12 ? `${year}-${String(number + 1).padStart(2, "0")}` : `${year + 1}-01`;
}

/** Without the characters that XML 1.0 cannot carry. */
export function withoutControls(text: string): string {
  return text.toWellFormed().replaceAll(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, "");
}
