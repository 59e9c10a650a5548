import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "@playwright/test";
import { partsOf } from "../../support/letter-parts.ts";

/** Letters to an address that lie in DATA_DIR/mail, decoded. */
function letters(dataDir: string, to: string): string[] {
  const folder = path.join(dataDir, "mail");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".eml"))
    .sort()
    .map((name) => readFileSync(path.join(folder, name), "utf8"))
    .map((source) => partsOf(source).join("\n"))
    .filter((source) => source.includes(to));
}

/** Waits for the letter and takes the link in it that leads to `page`, e.g. `/auth/verify`. */
export async function linkInMail(
  dataDir: string,
  to: string,
  page: string,
  { count = 1 } = {},
): Promise<string> {
  const pattern = new RegExp(`https?://[^\\s"<>]*${page}\\?[^\\s"<>]*`);
  const links = () => letters(dataDir, to).flatMap((source) => source.match(pattern) ?? []);
  await expect.poll(() => links().length, `letters to ${to}`).toBe(count);
  return (links().at(-1) ?? "").replaceAll("&amp;", "&");
}

/** Waits for a letter; @returns its HTML */
export async function letterHtml(dataDir: string, to: string): Promise<string> {
  await expect.poll(() => letters(dataDir, to).length, `letters to ${to}`).toBeGreaterThan(0);
  const [source = ""] = letters(dataDir, to);
  return /<!DOCTYPE html[\s\S]*<\/html>/i.exec(source)?.[0] ?? "";
}
