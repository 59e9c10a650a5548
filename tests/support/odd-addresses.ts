import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { newId } from "~/platform/db/ids.ts";

const appDir = path.join(import.meta.dirname, "..", "..", "app");

/** A file below app/. */
export const sourceOf = (file: string) => readFileSync(path.join(appDir, file), "utf8");

/** The names that this source looks for in the query of an address. */
export function namesIn(source: string): string[] {
  const asked = source.matchAll(/(?:(?:searchParams|query)\.\w+|\basked)\(\s*"([\w-]+)"/g);
  return [...asked].map(([, name = ""]) => name);
}

/** Those that any source of the site looks for. */
export const allNames = [
  ...new Set(globSync("**/*.{ts,tsx}", { cwd: appDir }).flatMap((file) => namesIn(sourceOf(file)))),
];

/** What stands in addresses that no one was given, as it is written there. */
export const oddities: [string, string][] = [
  ["nothing", ""],
  ["NUL", "%00"],
  ["NUL between letters", "a%00b"],
  ["NUL behind an id", `${newId()}%00`],
  ["an id of nothing", newId()],
  ["5,000 letters", "l".repeat(5000)],
  ["emoji", "%F0%9F%8C%8A%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7"],
  ["half a letter", "%ED%A0%80"],
  ["bytes that are no text", "%ff%fe"],
  ["half a percent code", "%E0%A4%"],
  ["a percent sign", "%"],
  ["a negative number", "-1"],
  ["a huge number", "99999999999999999999999999"],
  ["a number beyond all", "1e999"],
  ["a name that objects have", "__proto__"],
  ["another", "-constructor"],
  ["a quote", "'%22%5C);--"],
  ["a way up", "..%2f..%2fsite.db"],
  ["blanks and line breaks", "%20%0d%0a%09"],
  ["letters that turn the rest around", "%E2%80%AEcourses"],
];

/** The same, for addresses that lead on to another one: no header takes them as they are. */
export const oddWays: [string, string][] = [
  ["a blank", "a%20b"],
  ["a line break of Unicode", "a%E2%80%A8b"],
  ["a way to a page with letters beyond Latin-1", "%2Fcourses%2F%E2%98%95%3Fq%3D%F0%9F%8C%8A"],
  ["a way to a page with a letter of Latin-1", "%2Fcourses%2Fcaf%C3%A9%23%C3%A9"],
];
