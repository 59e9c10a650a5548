import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { type CountryCode, isValidPhoneNumber } from "libphonenumber-js/max";
import type { Plugin } from "vite";
import type { z } from "zod";
import { dedicatedPages, hasDedicatedPage } from "../../app/features/courses/rules.ts";
import { contentFileName, readContentFile } from "../../app/features/pages/content-files.server.ts";
import { renderContent } from "../../app/features/pages/render.server.ts";
import { picturesIn } from "../../app/features/pictures/rules.ts";
import { markdownToHtml } from "../../app/platform/markdown/render.ts";
import { aboutPng } from "../../app/platform/share-cards/png.ts";
import { type Content, type PageKind, pageFields } from "../../content/fields.ts";
import help from "../../content/help/countries.json" with { type: "json" };
import { type Help, helpSchema } from "../../content/schema.ts";
import { shareDrawings, shareSize } from "../../content/share.ts";

const root = path.join(import.meta.dirname, "..", "..");
const pages = path.join(root, "content", "pages");
const isPage = /\/content\/pages\/([^/]+)\.(?:md|yaml)$/;
const helpFile = "content/help/countries.json";

/**
 * Checks the words that a new site begins with: content/share.ts and its pictures, and the files of
 * content/pages, each of which it makes into a module: `source` as written, `shown` as on the page.
 */
export function content(): Plugin {
  return {
    name: "blue-dot:content",
    enforce: "pre",
    buildStart() {
      checkShare(Object.keys(shareDrawings));
      checkHelp(help);
    },
    async load(id) {
      const [, name] = isPage.exec(id) ?? [];
      if (!name) return null;
      const { source, shown } = await readPage(name, await readFile(id, "utf8"));
      const code = `export const source = ${JSON.stringify(source)};
export const shown = ${JSON.stringify(shown)};`;
      return { code, map: null, moduleType: "js" };
    },
  };
}

/** Mistakes in the coach's texts, one line each; to be reported before a build begins. */
export async function mistakesInWords(): Promise<string[]> {
  const checks = [
    async () => checkShare(Object.keys(shareDrawings)),
    async () => checkHelp(help),
    ...Object.keys(pageFields).map((kind) => () => readPages(kind as PageKind)),
  ];
  const results = await Promise.allSettled(checks.map((check) => check()));
  return results.flatMap((result) => (result.status === "rejected" ? [result.reason.message] : []));
}

/** @throws where no page of the site has this name */
function kindOf(name: string): PageKind {
  if (hasDedicatedPage(name)) return "course";
  if (name in pageFields && name !== "course") return name as PageKind;
  throw new Error(`content/pages/${name}.md: no page of the site shows a file of this name`);
}

async function readPages(kind: PageKind): Promise<void> {
  for (const name of kind === "course" ? dedicatedPages : [kind])
    await readPage(name, await readFile(path.join(pages, contentFileName(kind, name)), "utf8"));
}

/**
 * Reads a file of content/pages.
 * @throws an error that names the file and what is wrong with it
 */
export async function readPage(
  name: string,
  text: string,
): Promise<{ source: Content; shown: Content }> {
  const kind = kindOf(name);
  const file = `content/pages/${contentFileName(kind, name)}`;
  const source = readContentFile(kind, text, file);
  if (picturesIn(text).length > 0)
    throw new Error(`${file}: an uploaded picture (picture:…) is in one site's database alone`);
  for (const picture of picturesOf(source))
    if (!existsSync(path.join(root, "public", picture)))
      throw new Error(`${file}: there is no file public${picture}`);
  const shown = await renderContent(pageFields[kind], source, {
    text: (markdown) => markdownToHtml(markdown, {}, "page"),
    picture: (path) => path,
  });
  return { source, shown };
}

const picturesOf = ({ featured = [] }: Content) =>
  (featured as Record<string, string>[]).flatMap(({ picture }) => picture ?? []);

/** @throws an error that names a picture of content/share.ts that is missing or has another size */
export function checkShare(names: readonly string[]): void {
  for (const name of names) {
    const file = `public/share/${name}.png`;
    if (!existsSync(path.join(root, file)))
      throw new Error(`content/share.ts: there is no file ${file}; 'npm run pictures' draws it`);
    const { width, height } = aboutPng(readFileSync(path.join(root, file)));
    if (width !== shareSize.width || height !== shareSize.height)
      throw new Error(`${file} has ${width} x ${height} pixels; 1200 x 630 are needed`);
  }
}

/** @throws an error that names what is wrong with content/help, one line each, by country */
export function checkHelp(facts: Help, now = new Date()): void {
  const today = now.toISOString().slice(0, 10);
  const { countries } = checked(helpSchema(today), facts, helpFile, (raw, at) => {
    const code = (raw as Help).countries[Number(at[1])]?.code;
    return at[0] === "countries" && code ? [code, ...at.slice(2)] : at;
  });
  const wrong = countries.flatMap(({ code, lines }) =>
    lines
      .flatMap(({ call, text }) => [call, text?.to])
      .filter((number) => number !== undefined && !isNumberOf(number, code))
      .map((number) => `${helpFile}: ${code} has no number like '${number}'`),
  );
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
}

/** Numbers of six digits and fewer are in no numbering plan: those are not looked up. */
const isNumberOf = (number: string, code: string) =>
  number.replaceAll(" ", "").length < 7 || isValidPhoneNumber(number, code as CountryCode);

function checked<T>(
  schema: z.ZodType<T>,
  value: unknown,
  file: string,
  place: (value: unknown, at: PropertyKey[]) => PropertyKey[] = (_, at) => at,
): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const lines = result.error.issues.map(
    ({ path: at, message }) => `${file}: ${place(value, at).join(".")} ${message}`,
  );
  throw new Error(lines.join("\n"));
}
