import type { Config } from "../config/config.ts";
import { folderMail } from "./folder.ts";
import type { Mail } from "./mail.ts";
import { smtpMail } from "./smtp.ts";

/**
 * SMTP when it is configured, else `.eml` files in DATA_DIR/mail with their links printed.
 * @param replyTo the address where answers are read
 */
export function openMail(
  { smtpUrl, mailFrom: from, dataDir }: Pick<Config, "smtpUrl" | "mailFrom" | "dataDir">,
  replyTo: string,
): Mail {
  const sender = { from, replyTo };
  return smtpUrl ? smtpMail(smtpUrl, sender) : folderMail(dataDir, sender);
}
