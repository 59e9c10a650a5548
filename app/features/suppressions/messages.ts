import type { MailRates } from "./rules.ts";

export const suppressedPath = "/admin/mail/suppressed";

export const suppressionReasons = ["bounce", "complaint", "manual"] as const;

export const reasonNames = {
  bounce: "Bounced",
  complaint: "Reported as spam",
  manual: "Added by hand",
} as const;

/** Who said so. */
export const sourceNames: Readonly<Record<string, string>> = {
  ses: "Amazon SES",
  postmark: "Postmark",
  mailgun: "Mailgun",
  brevo: "Brevo",
  resend: "Resend",
  mailbox: "a returned email",
};

export const suppressionMessages = {
  loadFailed: "Failed to load these addresses",
  failed: "Failed to change the list",
  invalid: "Please type one email address, such as name@example.com.",
  already: "This address is on the list already.",
  added: { title: "Added to the list", tone: "success" },
  lifted: { title: "This address gets email again", tone: "success" },
} as const;

const percent = (part: number, whole: number) =>
  (part / whole).toLocaleString("en-US", { style: "percent", maximumFractionDigits: 2 });

const emails = (count: number) =>
  count === 1 ? "one email" : `${count.toLocaleString("en-US")} emails`;

/** 'Of 1,204 emails in the last 30 days, 14 bounced (1.16%) and one was reported as spam (0.08%).' */
export function ratesInWords({ sent, bounced, complained }: MailRates, days: number): string {
  const of = (count: number, words: (count: string) => string) => {
    const text = count === 1 ? "one" : count === 0 ? "none" : count.toLocaleString("en-US");
    const share = count > 0 && sent >= count ? ` (${percent(count, sent)})` : "";
    return words(text) + share;
  };
  const came = of(bounced, (count) => `${count} bounced`);
  const was = complained > 1 ? "were" : "was";
  const spam = of(complained, (count) => `${count} ${was} reported as spam`);
  return `Of ${emails(sent)} in the last ${days} days, ${came} and ${spam}.`;
}
