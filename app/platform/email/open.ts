import type { Config } from "../config/config.ts";
import { folderMailer } from "./folder.ts";
import type { Mailer } from "./mail.ts";
import { smtpMailer } from "./smtp.ts";

/** SMTP when it is configured, else `.eml` files in DATA_DIR/mail with their links printed. */
export function openMailer(
  { smtpUrl, mailFrom: from, dataDir }: Pick<Config, "smtpUrl" | "mailFrom" | "dataDir">,
  replyTo: string,
): Mailer {
  const sender = { from, replyTo };
  return smtpUrl ? smtpMailer(smtpUrl, sender) : folderMailer(dataDir, sender);
}
