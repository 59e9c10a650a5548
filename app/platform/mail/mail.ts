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

export type Mail = {
  /**
   * Sends a message, or throws: {@link MailRefused} for good, {@link MailServerAway} when no letter
   * could be sent just now, {@link MailDelayed} or anything else when this one is to be tried again.
   * @param signal cuts the sending off; whether it arrived is not known then
   */
  send(message: MailMessage, signal?: AbortSignal): Promise<void>;
  close(): void;
};

/** The receiving server refused the message for good; trying again is no use. */
export class MailRefused extends Error {}

/** The receiving server wants this message later. */
export class MailDelayed extends Error {}

/**
 * It is about us, not about the message: our mail server cannot be reached, does not let us in, or
 * takes nothing from our address.
 */
export class MailServerAway extends Error {}
