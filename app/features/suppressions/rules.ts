/** Above these shares of what was sent, mailbox providers begin to refuse a sender. */
export const mostBounces = 0.05;
export const mostComplaints = 0.001;

/** Fewer say nothing: of twenty emails, one is five per cent. */
export const fewestBounces = 5;
export const fewestComplaints = 2;

export type MailRates = { sent: number; bounced: number; complained: number };

/** Which of the two limits is exceeded, by more than a few. */
export function exceeded({ sent, bounced, complained }: MailRates) {
  return {
    bounces: bounced >= fewestBounces && bounced > sent * mostBounces,
    complaints: complained >= fewestComplaints && complained > sent * mostComplaints,
  };
}

/** In days; content/pages/privacy.md says the same. */
export const mailReportDays = 90;
/** Of the figures for the coach. */
export const rateDays = 30;
/** A report belongs to the newest issue that went to its address within so many days. */
export const issueDays = 14;

export const mailProviders = ["ses", "postmark", "mailgun", "brevo", "resend"] as const;
export type MailProvider = (typeof mailProviders)[number];

export const isMailProvider = (name: string): name is MailProvider =>
  (mailProviders as readonly string[]).includes(name);

export const longestAddress = 255;
const longestDetail = 500;

/** What a mail server said, as one line that any database takes. */
export function cleanDetail(text: string | null | undefined): string | null {
  const line = (text ?? "").toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ");
  return (
    line
      .replace(/^\s*smtp;/i, "")
      .trim()
      .slice(0, longestDetail)
      .toWellFormed() || null
  );
}

/** As `emailKey` of a subscriber; null for what cannot be an address. */
export function addressKey(text: string): string | null {
  const key = text.trim().toLowerCase();
  const isPlain = /^[^\s\p{C}<>,;@]+@[^\s\p{C}<>,;@]+$/u.test(key);
  return isPlain && key.length <= longestAddress ? key : null;
}

/** The status of a bounce that is about the address (RFC 3463). A full mailbox (5.2.2) may be emptied;
 * policies (5.7.x) and quotas (5.4.5) are usually about the sender. */
export function isAboutAddress(status: string): boolean {
  return /^5\.\d{1,3}\.\d{1,3}$/.test(status) && !/^5\.(7\.|2\.2$|4\.5$)/.test(status);
}
