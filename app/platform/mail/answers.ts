import { MailDelayed, MailRefused, MailServerAway } from "./mail.ts";

/**
 * What an error of the mail library says. Whatever happens before the server has let us in, and
 * whatever it says of our own address, is about us: a wrong password, a closed door, and it is
 * mended one day. What it says of this receiver or this message is about the letter, and so is a
 * line that breaks meanwhile: it may be this letter that breaks it.
 */
export function meaningOf(error: unknown, isLetIn: boolean): Error {
  const { code, command, responseCode = 0, response, message } = error as SmtpError;
  const words = response ?? message;
  const isOurAddress = command === "MAIL FROM" && responseCode !== tooLarge;
  const isAtTheDoor = !isLetIn || isOfConnecting(error as SmtpError);
  if (isAtTheDoor || isOurAddress || responseCode === signInFirst)
    return new MailServerAway(words, { cause: error });
  const isOfLetter = code === "EENVELOPE" || code === "EMESSAGE";
  // Without an answer, it is the library that can make nothing of the address.
  if (isOfLetter && (isForGood(responseCode, words) || responseCode === 0))
    return new MailRefused(words, { cause: error });
  if (responseCode > 0) return new MailDelayed(words, { cause: error });
  return new Error(words, { cause: error });
}

const signInFirst = 530;
const tooLarge = 552;
const failedSomehow = 554;

/**
 * Whether a 5xx is about this receiver or this message. Policies (5.7.x: relaying denied, we are on
 * a block list) and quotas (5.4.5) are about whoever sends, as a rule, however final they sound; and
 * a bare 554 may be anything (RFC 3463, RFC 5321 4.2.3).
 */
function isForGood(responseCode: number, words: string): boolean {
  if (responseCode < 500) return false;
  const status = /^\d{3}[ -]5\.(\d{1,3}\.\d{1,3})\b/.exec(words)?.[1];
  if (!status) return responseCode !== failedSomehow;
  return status !== "4.5" && !status.startsWith("7.");
}

/** Whether no connection was to be had: also a new one, after that by which the letter was let in. */
function isOfConnecting({ code, syscall, timeoutType }: SmtpError): boolean {
  if (syscall === "connect" || code === "EAUTH" || code === "EDNS" || code === "ETLS") return true;
  return timeoutType !== undefined && timeoutType !== "SOCKET_TIMEOUT";
}

type SmtpError = Error & {
  code?: string;
  command?: string;
  responseCode?: number;
  /** The server's own words. */
  response?: string;
  syscall?: string;
  timeoutType?: string;
};
