import { createTransport } from "nodemailer";
import { isThisMachine } from "../config/config.ts";
import { EmailDelayed, EmailRefused, type Mailer, MailServerAway } from "./mail.ts";
import { envelope, type Sender } from "./message.ts";

/** Classifies an error of nodemailer. What happens before the server has accepted our login, and
 * what it says of our own address, is our problem, and temporary. What it says of this recipient
 * or message is about the email, and so is a connection that breaks during it: this email may be
 * what breaks it. */
export function smtpError(error: unknown, isLetIn: boolean): Error {
  const { code, command, responseCode = 0, response, message } = error as SmtpError;
  const words = mistakeInUrl(error as SmtpError) ?? response ?? message;
  const isOurAddress = command === "MAIL FROM" && responseCode !== tooLarge;
  const isAtTheDoor = !isLetIn || isOfConnecting(error as SmtpError);
  if (isAtTheDoor || isOurAddress || responseCode === signInFirst)
    return new MailServerAway(words, { cause: error });
  const isOfMessage = code === "EENVELOPE" || code === "EMESSAGE";
  // Without a response, nodemailer itself rejects the address.
  if (isOfMessage && (isForGood(responseCode, words) || responseCode === 0))
    return new EmailRefused(words, { cause: error });
  if (responseCode > 0) return new EmailDelayed(words, { cause: error });
  return new Error(words, { cause: error });
}

/** What is wrong in SMTP_URL, for the coach, where the error itself speaks of protocols. */
function mistakeInUrl({ command, message, timeoutType }: SmtpError): string | null {
  if (command === "STARTTLS")
    return "The mail server offers no encryption here, so the password was not sent. Ask your provider for the port that does.";
  if (message.includes("wrong version number"))
    return "The mail server does not begin encrypted at this port: write smtp:// instead of smtps:// in SMTP_URL.";
  if (timeoutType === "GREETING_TIMEOUT")
    return "The mail server says nothing. If this port is encrypted from the first word, write smtps:// instead of smtp:// in SMTP_URL.";
  return null;
}

const signInFirst = 530;
const tooLarge = 552;
const failedSomehow = 554;

/** Whether a 5xx is about this recipient or message. Policies (5.7.x: relaying denied, block
 * lists) and quotas (5.4.5) are usually about the sender, however final they sound; a bare 554
 * may be anything (RFC 3463, RFC 5321 4.2.3). */
function isForGood(responseCode: number, words: string): boolean {
  if (responseCode < 500) return false;
  const status = /^\d{3}[ -]5\.(\d{1,3}\.\d{1,3})\b/.exec(words)?.[1];
  if (!status) return responseCode !== failedSomehow;
  return status !== "4.5" && !status.startsWith("7.");
}

/** Whether no connection could be made, also a second one after the login was accepted. */
function isOfConnecting({ code, syscall, timeoutType }: SmtpError): boolean {
  if (syscall === "connect" || code === "EAUTH" || code === "EDNS" || code === "ETLS") return true;
  return timeoutType !== undefined && timeoutType !== "SOCKET_TIMEOUT";
}

type SmtpError = Error & {
  code?: string;
  command?: string;
  responseCode?: number;
  response?: string;
  syscall?: string;
  timeoutType?: string;
};

const connections = 6;
/** Beside them, for the newsletter: as many as it sends at once. */
export const bulkConnections = 6;

/** An email is given up for now after this, also when the server sends a byte now and then. */
const longestMs = 150_000;

/** A password goes to another machine only encrypted, unless `url` says `?requireTLS=false`. */
function mustEncrypt(url: string): boolean {
  const { username, hostname } = new URL(url);
  return username !== "" && !isThisMachine(hostname);
}

/** Sends through an SMTP server over a few persistent connections. `name`: this machine's, for
 * EHLO; by default what the system calls it, which few servers believe. */
export function smtpMailer(url: string, sender: Sender, name?: string): Mailer {
  const open = (maxConnections: number) =>
    createTransport({
      // What the URL says in its query wins.
      url,
      requireTLS: mustEncrypt(url),
      name,
      pool: true,
      maxConnections,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      // Servers that scan emails before accepting them are slow; giving up early would send twice.
      socketTimeout: 60_000,
    });
  const [transport, bulk] = [open(connections), open(bulkConnections)];
  /** Message-IDs in progress over a connection whose login was accepted. */
  const letIn = new Set<string>();
  for (const each of [transport, bulk])
    each.use("stream", ({ message, data }, done) => {
      message.processFunc((source) => {
        letIn.add(String(data.messageId));
        return source;
      });
      done();
    });
  const mailer: Mailer = {
    async deliver(message, signal) {
      const email = envelope(message, sender);
      const cut = new AbortController();
      const limit = setTimeout(() => cut.abort(), longestMs);
      const cutOff = () => cut.abort();
      signal?.addEventListener("abort", cutOff);
      if (signal?.aborted) cut.abort();
      try {
        const { response } = await (message.isBulk ? bulk : transport).sendMail({
          ...email,
          signal: cut.signal,
        });
        return { response };
      } catch (error) {
        throw signal?.aborted ? error : smtpError(error, letIn.has(email.messageId));
      } finally {
        clearTimeout(limit);
        signal?.removeEventListener("abort", cutOff);
        letIn.delete(email.messageId);
      }
    },
    async send(message, signal) {
      await mailer.deliver(message, signal);
    },
    close() {
      transport.close();
      bulk.close();
    },
  };
  return mailer;
}
