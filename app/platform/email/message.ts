import { Readable } from "node:stream";
import type { SendMailOptions } from "nodemailer";
import type { EmailMessage } from "./mail.ts";

/** Longer ones are no names, or are not missed in 'Hello,'. */
const longest = 40;

/** What an email program turns into a link (URLs, phone numbers) or decodes (RFC 2047), with the
 * dots of Unicode's list of confusable characters. */
const suspicious = /[/\u2044\u2215\u29f8@\\<>]|www|=\?|[.。܁܂۔꘎ꓸ]\p{L}{2}|\p{Nd}{4}/iu;

const turning = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

const asSeen = (text: string) =>
  text.normalize("NFKC").replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");

/** The name for a greeting, or null. Robots type advertisements as names for other people's
 * addresses: no email repeats what could become a link or a phone call. */
export function greetingName(name: string): string | null {
  const trimmed = name.trim();
  if (trimmed.length > longest) return null;
  const seen = asSeen(trimmed);
  return seen === "" || turning.test(trimmed) || suspicious.test(seen) ? null : trimmed;
}

/** 'Hello Ada,', or 'Hello,' when the name must not be repeated. */
export function greetingOf(name: string | null): string {
  const fit = greetingName(name ?? "");
  return fit ? `Hello ${fit},` : "Hello,";
}

export function receiver(name: string | null, address: string): { name: string; address: string } {
  return { name: greetingName(name ?? "") ?? "", address };
}

/** With these headers mail programs unsubscribe by themselves, with one click (RFC 8058). */
export function unsubscribeHeaders(url: string): Record<string, string> {
  return {
    "List-Unsubscribe": `<${url}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/** `from` is MAIL_FROM; `replyTo` is an address, when replies go elsewhere. */
export type Sender = { from: string; replyTo: string };

/** The domain of an address such as MAIL_FROM, which Message-IDs end with. */
export const messageIdDomain = (from: string): string =>
  /@([^>\s]+)/.exec(from)?.[1] ?? "localhost";

/** The message as nodemailer wants it. The address is passed apart from the name: a comma in
 * text would add a recipient. */
export function envelope(
  message: EmailMessage,
  { from, replyTo }: Sender,
): SendMailOptions & { messageId: string } {
  const sender = (/<([^<>]*)>\s*$/.exec(from)?.[1] ?? from).trim().toLowerCase();
  return {
    from,
    ...(sender !== replyTo.toLowerCase() && { replyTo: { name: "", address: replyTo } }),
    to: message.to,
    // Email programs decode what looks like an encoded word (RFC 2047). With a zero-width space in
    // it, the subject is encoded instead.
    subject: message.subject.replaceAll("=?", "=\u200b?"),
    ...(message.encoded
      ? {
          alternatives: [message.encoded.text, message.encoded.html].map((pieces) => ({
            raw: Readable.from(pieces),
          })),
        }
      : { html: message.html, text: message.text }),
    messageId: `<${message.id}@${messageIdDomain(from)}>`,
    headers: { "Auto-Submitted": "auto-generated", ...message.headers },
  };
}
