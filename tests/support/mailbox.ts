import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { vi } from "vitest";
import type { Config } from "~/platform/config/config.ts";
import { partsOf, quotedPrintable } from "./mime-parts.ts";

/** An email as it lies in DATA_DIR/mail. */
export type ReceivedEmail = {
  to: string;
  subject: string;
  source: string;
  text: string;
  link: string;
};

/** The emails that the site has written to this address so far, in any capitals, oldest first. */
export function emailsTo({ dataDir }: Pick<Config, "dataDir">, address: string): ReceivedEmail[] {
  const folder = path.join(dataDir, "mail");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".eml"))
    .sort()
    .map((name) => readEmail(readFileSync(path.join(folder, name), "utf8")))
    .filter(({ to }) => to.toLowerCase().includes(address.toLowerCase()));
}

/** Waits until the site's worker has written the `count`-th email to this address. */
export function emailTo(config: Pick<Config, "dataDir">, address: string, count = 1) {
  return vi.waitFor(
    () => {
      const message = emailsTo(config, address)[count - 1];
      if (!message) throw new Error(`no email number ${count} to ${address} yet`);
      return message;
    },
    { timeout: 25_000, interval: 20 },
  );
}

/** An email as a mail program has it. */
export function readEmail(source: string): ReceivedEmail {
  const [head = ""] = source.split(/\r?\n\r?\n/);
  const headers = head.replaceAll(/\r?\n[ \t]+/g, " ");
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(headers)?.[1] ?? "";
  const text = partsOf(source).find((part) => /content-type: text\/plain/i.test(part)) ?? "";
  const link = /https?:\/\/\S+\/(auth|account|courses|invitation)\S*/.exec(text)?.[0] ?? "";
  return { to: header("To"), subject: encodedWords(header("Subject")), source, text, link };
}

/** RFC 2047, the kind that is used for text which is mostly ASCII; blanks between two words are not said. */
function encodedWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, word: string) =>
      quotedPrintable(word.replaceAll("_", " ")),
    );
}

/** Path and query of an email's link. */
export function pathOf({ link }: ReceivedEmail): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}
