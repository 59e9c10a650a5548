import hoodiecrow from "hoodiecrow-imap";
import { newId } from "~/platform/db/ids.ts";
import { freePort } from "./port.ts";

/** A real mailbox over IMAP on loopback, for emails as they came. */
export async function startMailbox(raws: readonly string[]) {
  const port = await freePort();
  const messages = raws.map((raw) => ({ raw: raw.replace(/\r?\n/g, "\r\n") }));
  const server = hoodiecrow({ storage: { INBOX: { messages } } });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `imap://testuser:testpass@127.0.0.1:${port}/INBOX`,
    /** Which of them, by place, were marked as read. */
    seen: () =>
      (server.folderCache.INBOX?.messages ?? []).map(({ flags }) => flags.includes("\\Seen")),
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

type Part = [type: string, text: string, encoding?: "base64"];

function multipart(type: string, subject: string, parts: Part[], id = newId()): string {
  const body = parts.map(([partType, text, encoding]) => {
    const head = `Content-Type: ${partType}`;
    if (!encoding) return `--=_part\n${head}\n\n${text}\n`;
    const lines = Buffer.from(text).toString("base64").replace(/.{76}/g, "$&\n");
    return `--=_part\n${head}\nContent-Transfer-Encoding: base64\n\n${lines}\n`;
  });
  return `Return-Path: <>
From: Mail Delivery System <MAILER-DAEMON@mx.example.net>
To: hello@grief.example
Subject: ${subject}
Date: ${new Date().toUTCString()}
Message-ID: <${id}@mx.example.net>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=${type}; boundary="=_part"

This is a MIME-encapsulated message.

${body.join("\n")}
--=_part--
`;
}

type About = {
  address: string;
  /** The id of the email, as its Message-ID has it. */
  email: string;
  status?: string;
  action?: string;
  original?: string;
  encoding?: "base64";
  /** The whole email, or its head alone. */
  whole?: boolean;
};

const emailOf = ({ address, email }: About) => `Received: from grief.example by mx.example.net;
 ${new Date().toUTCString()}
From: Nora <hello@grief.example>
To: ${address}
Subject: A letter
Message-ID:
 <${email}@grief.example>

Hello,

this is a letter.
`;

/** As a mail server says that an email could not be delivered (RFC 3464). */
export function deliveryReport(about: About): string {
  const { address, status = "5.1.1", action = "failed", original, encoding, whole = true } = about;
  const status_ = `Reporting-MTA: dns; mx.example.net
X-Queue-ID: 4XyZ
Arrival-Date: ${new Date().toUTCString()}

Final-Recipient: rfc822; ${address}
${original ? `Original-Recipient: rfc822;${original}\n` : ""}Action: ${action}
Status: ${status} (bad destination mailbox address)
Remote-MTA: dns; mx.example.org
Diagnostic-Code: smtp; 550 ${status} <${address}>: Recipient address
    rejected: User unknown in virtual mailbox table
`;
  const source = emailOf(about);
  return multipart("delivery-status", "Undelivered Mail Returned to Sender", [
    ["text/plain; charset=us-ascii", "I'm sorry to have to inform you that your message could not"],
    ["message/delivery-status", status_, encoding],
    whole ? ["message/rfc822", source] : ["text/rfc822-headers", source.split("\n\n")[0] ?? ""],
  ]);
}

/** As a provider says that somebody reported an email as spam (RFC 5965). */
export function abuseReport(about: About & { type?: string; redacted?: boolean }): string {
  const { address, type = "abuse", redacted = false } = about;
  const report = `Feedback-Type: ${type}
User-Agent: Yahoo!-Mail-Feedback/2.0
Version: 1
Original-Mail-From: <hello@grief.example>
${redacted ? "" : `Original-Rcpt-To: <${address}>\n`}Arrival-Date: ${new Date().toUTCString()}
Reported-Domain: grief.example
`;
  return multipart("feedback-report", "Email feedback report", [
    ["text/plain", "This is an email abuse report for an email message"],
    ["message/feedback-report", report],
    ["message/rfc822", emailOf({ ...about, ...(redacted && { address: "redacted" }) })],
  ]);
}

/** As a reader answers an email; `more` are further lines of the head. */
export function answerTo(messageId: string, from: string, more: readonly string[] = []): string {
  return `From: Ada <${from}>
To: hello@grief.example
Subject: Re: A letter
Date: ${new Date().toUTCString()}
Message-ID: <${newId()}@mail.example.com>
In-Reply-To: ${messageId}
${more.map((line) => `${line}\n`).join("")}Content-Type: text/plain

Thank you.
`;
}
