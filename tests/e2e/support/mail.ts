import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "@playwright/test";
import { emailsTo, pathOf } from "../../support/mailbox.ts";
import { partsOf } from "../../support/mime-parts.ts";

/** Emails to an address that lie in DATA_DIR/mail, decoded. */
function messages(dataDir: string, to: string): string[] {
  const folder = path.join(dataDir, "mail");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".eml"))
    .sort()
    .map((name) => readFileSync(path.join(folder, name), "utf8"))
    .map((source) => partsOf(source).join("\n"))
    .filter((source) => source.includes(to));
}

/** Waits for the email and takes the link in it that leads to `page`, e.g. `/auth/verify`. */
export async function linkInMail(
  dataDir: string,
  to: string,
  page: string,
  { count = 1 } = {},
): Promise<string> {
  const pattern = new RegExp(`https?://[^\\s"<>]*${page}\\?[^\\s"<>]*`);
  const links = () => messages(dataDir, to).flatMap((source) => source.match(pattern) ?? []);
  await expect.poll(() => links().length, `emails to ${to}`).toBe(count);
  return (links().at(-1) ?? "").replaceAll("&amp;", "&");
}

/** Waits for the only email to an address. @returns path and query of its link */
export async function onlyLinkTo(dataDir: string, address: string): Promise<string> {
  const links = () => emailsTo({ dataDir }, address).map(pathOf);
  await expect.poll(() => links().length, `emails to ${address}`).toBe(1);
  return links()[0] ?? "";
}
