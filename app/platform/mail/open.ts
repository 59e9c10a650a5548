import type { Config } from "../config/config.ts";
import { folderMail } from "./folder.ts";
import type { Mail } from "./mail.ts";
import { smtpMail } from "./smtp.ts";

/** SMTP when it is configured, else `.eml` files in DATA_DIR/mail with their links printed. */
export function openMail(config: Pick<Config, "smtpUrl" | "mailFrom" | "dataDir">): Mail {
  return config.smtpUrl
    ? smtpMail(config.smtpUrl, config.mailFrom)
    : folderMail(config.dataDir, config.mailFrom);
}
