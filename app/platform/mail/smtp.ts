import { createTransport } from "nodemailer";
import { meaningOf } from "./answers.ts";
import type { Mail } from "./mail.ts";
import { envelope, type Sender } from "./message.ts";

/** Letters that can be on their way at the same time: as many as the worker sends (platform/jobs/worker.ts). */
const connections = 6;

/** A letter is given up for now after so long, also when the server says a byte now and then. */
const longestMs = 150_000;

/** Sends through an SMTP server, over a few connections that are kept open. */
export function smtpMail(url: string, sender: Sender): Mail {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: connections,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    // Servers that look into letters before they take them are slow, and to give up early would
    // be to send twice.
    socketTimeout: 60_000,
  });
  /** Message-IDs of what is under way over a connection that the server has let us in by. */
  const letIn = new Set<string>();
  transport.use("stream", ({ message, data }, done) => {
    message.processFunc((source) => {
      letIn.add(String(data.messageId));
      return source;
    });
    done();
  });
  return {
    async send(message, signal) {
      const letter = envelope(message, sender);
      const cut = new AbortController();
      const limit = setTimeout(() => cut.abort(), longestMs);
      const cutOff = () => cut.abort();
      signal?.addEventListener("abort", cutOff);
      if (signal?.aborted) cut.abort();
      try {
        await transport.sendMail({ ...letter, signal: cut.signal });
      } catch (error) {
        throw signal?.aborted ? error : meaningOf(error, letIn.has(letter.messageId));
      } finally {
        clearTimeout(limit);
        signal?.removeEventListener("abort", cutOff);
        letIn.delete(letter.messageId);
      }
    },
    close: () => transport.close(),
  };
}
