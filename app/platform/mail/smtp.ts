import { createTransport } from "nodemailer";
import { type Mail, MailRefused } from "./mail.ts";
import { envelope } from "./message.ts";

/** Sends through an SMTP server, over a few connections that are kept open. */
export function smtpMail(url: string, from: string): Mail {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 4,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  });
  return {
    async send(message) {
      try {
        await transport.sendMail(envelope(message, from));
      } catch (error) {
        // A wrong password or a closed door is about us, and mended one day; only what the
        // server says of this receiver or this message is about the message.
        const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
        if (responseCode >= 500 && (code === "EENVELOPE" || code === "EMESSAGE"))
          throw new MailRefused((error as Error).message, { cause: error });
        throw error;
      }
    },
    close: () => transport.close(),
  };
}
