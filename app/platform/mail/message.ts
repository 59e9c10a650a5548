import type { SendMailOptions } from "nodemailer";
import type { MailMessage } from "./mail.ts";

/** The message as the mail library wants it. The address is passed apart from the name: a text with a comma would add a receiver. */
export function envelope(
  message: MailMessage,
  from: string,
): SendMailOptions & { messageId: string } {
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? "localhost";
  return {
    from,
    to: message.to,
    subject: message.subject,
    html: message.html,
    text: message.text,
    messageId: `<${message.id}@${domain}>`,
    headers: { "Auto-Submitted": "auto-generated", ...message.headers },
  };
}
