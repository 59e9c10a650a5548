import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { createTransport } from "nodemailer";
import type { Config } from "../config/config.ts";
import { type EmailMessage, type Mailer, MailServerAway } from "./mail.ts";
import { envelope, type Sender } from "./message.ts";
import { smtpMailer } from "./smtp.ts";

/** SMTP when it is configured, else `.eml` files in DATA_DIR/mail with their links printed. */
export function openMailer(
  {
    smtpUrl,
    mailFrom: from,
    dataDir,
    appUrl,
  }: Pick<Config, "smtpUrl" | "mailFrom" | "dataDir" | "appUrl">,
  replyTo: () => string,
): Mailer {
  const sender = {
    from,
    get replyTo() {
      return replyTo();
    },
  };
  if (!smtpUrl) return folderMailer(dataDir, sender);
  return smtpMailer(smtpUrl, sender, new URL(appUrl).hostname);
}

export const mailFolder = (dataDir: string) => path.join(dataDir, "mail");

// Writes each message to DATA_DIR/mail as an `.eml` file and prints its links, so that the site can
// be tried without a mail server.
function folderMailer(dataDir: string, sender: Sender): Mailer {
  const folder = mailFolder(dataDir);
  const transport = createTransport({ streamTransport: true, buffer: true });
  const mailer: Mailer = {
    async deliver(message) {
      const { message: source } = await transport.sendMail(envelope(message, sender));
      const file = path.join(folder, `${message.id}.eml`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(`${file}.part`, source as Buffer, { mode: 0o600 });
        await rename(`${file}.part`, file);
      } catch (error) {
        // A full disk leaves a partial file.
        await rm(`${file}.part`, { force: true }).catch(() => {});
        const { code = "no reason" } = error as NodeJS.ErrnoException;
        throw new MailServerAway(`the folder accepts no emails: ${code}`, { cause: error });
      }
      if (!message.isBulk) printLinks(message, file);
      return { file };
    },
    async send(message) {
      await mailer.deliver(message);
    },
    close: () => transport.close(),
  };
  return mailer;
}

function printLinks(message: EmailMessage, file: string) {
  const links = [...message.text.matchAll(/https?:\/\/[^\s<>]+/g)].map(([link]) => `    ${link}`);
  process.stdout.write(
    [`Email "${message.subject}" was written to ${file}`, ...new Set(links), ""].join("\n"),
  );
}
