import type { SendMailOptions } from "nodemailer";
import type { MailMessage } from "./mail.ts";

/** From whom letters are, as MAIL_FROM has it, and where answers go if not there: an address. */
export type Sender = { from: string; replyTo: string };

/** The message as the mail library wants it. The address is passed apart from the name: a text with a comma would add a receiver. */
export function envelope(
  message: MailMessage,
  { from, replyTo }: Sender,
): SendMailOptions & { messageId: string } {
  const sender = (/<([^<>]*)>\s*$/.exec(from)?.[1] ?? from).trim().toLowerCase();
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? "localhost";
  return {
    from,
    ...(sender !== replyTo.toLowerCase() && { replyTo: { name: "", address: replyTo } }),
    to: message.to,
    // Mail programs decode what looks like an encoded word (RFC 2047), also where nobody encoded
    // one: a title of a course is text. With a space of no width in it, it is written encoded.
    subject: message.subject.replaceAll("=?", "=\u200b?"),
    html: message.html,
    text: message.text,
    messageId: `<${message.id}@${domain}>`,
    headers: { "Auto-Submitted": "auto-generated", ...message.headers },
  };
}
