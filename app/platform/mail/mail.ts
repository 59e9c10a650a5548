/** One message to one person. */
export type MailMessage = {
  /** Stable over retries: it becomes the Message-ID, by which receivers drop a copy. */
  id: string;
  to: { name: string; address: string };
  subject: string;
  html: string;
  text: string;
  headers?: Record<string, string>;
};

/** Sends a message, or throws: {@link MailRefused} for good, anything else for now. */
export type Mail = { send(message: MailMessage): Promise<void>; close(): void };

/** The receiving server refused the message for good; trying again is no use. */
export class MailRefused extends Error {}
