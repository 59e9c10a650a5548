import type { EncodedBody } from "./template.ts";

export type EmailMessage = {
  /** Stable over retries: it becomes the Message-ID, by which receivers drop a copy. */
  id: string;
  to: { name: string; address: string };
  subject: string;
  html: string;
  text: string;
  /** `html` and `text` as they are sent, where that was made once for many (template.ts). */
  encoded?: EncodedBody;
  /** One of many: it goes over connections of its own, and no email that is waited for is behind it. */
  isBulk?: boolean;
  headers?: Record<string, string>;
};

/** What the mail server answered when it took an email, or the file that it became without one. */
export type Delivery = { response: string } | { file: string };

export type Mailer = {
  /** {@link send}, with what became of the email. */
  deliver(message: EmailMessage, signal?: AbortSignal): Promise<Delivery>;
  /** @param signal aborts the sending; whether the email arrived is then unknown @throws
   * {EmailRefused} permanently, {MailServerAway} when no email can be sent now; {EmailDelayed}
   * or any other error is retried */
  send(message: EmailMessage, signal?: AbortSignal): Promise<void>;
  close(): void;
};

export class EmailRefused extends Error {}

export class EmailDelayed extends Error {}

/** The problem is not the message: our server is unreachable, or refuses our login or sender. */
export class MailServerAway extends Error {}
