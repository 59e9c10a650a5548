import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { type CountryCode, isValidPhoneNumber } from "libphonenumber-js/max";
import type { Plugin } from "vite";
import { parse } from "yaml";
import type { z } from "zod";
import { markdownToHtml } from "../../app/platform/markdown/render.ts";
import { aboutPng } from "../../app/platform/share-cards/png.ts";
import help from "../../content/help/countries.json" with { type: "json" };
import {
  type Help,
  helpSchema,
  type PageText,
  pageFiles,
  type Share,
  type Site,
  shareSchema,
  siteSchema,
  type TextPart,
  type TextSection,
} from "../../content/schema.ts";
import { share, shareSize } from "../../content/share.ts";
import { site } from "../../content/site.ts";

const root = path.join(import.meta.dirname, "..", "..");
const isPage = /\/content\/pages\/([^/]+)\.md$/;
const helpFile = "content/help/countries.json";

/**
 * Checks the coach's words at build: content/site.ts, content/share.ts and the pictures they name,
 * and each Markdown file of content/pages, which it makes into a module with the text as HTML.
 */
export function content(): Plugin {
  return {
    name: "blue-dot:content",
    enforce: "pre",
    buildStart() {
      checkSite(site);
      checkShare(share);
      checkHelp(help);
    },
    async load(id) {
      const [, name] = isPage.exec(id) ?? [];
      if (!name) return null;
      const text = await readPage(name, await readFile(id, "utf8"));
      return { code: `export default ${JSON.stringify(text)};`, map: null, moduleType: "js" };
    },
  };
}

/** Mistakes in the coach's texts, one line each; to be reported before a build begins. */
export async function mistakesInWords(): Promise<string[]> {
  const checks = [
    async () => checkSite(site),
    async () => checkShare(share),
    async () => checkHelp(help),
    ...Object.keys(pageFiles).map(
      (name) => async () =>
        readPage(name, await readFile(path.join(root, "content", "pages", `${name}.md`), "utf8")),
    ),
  ];
  const results = await Promise.allSettled(checks.map((check) => check()));
  return results.flatMap((result) => (result.status === "rejected" ? [result.reason.message] : []));
}

/** @throws an error that names what is wrong with content/site.ts, one line a mistake */
export function checkSite(facts: Site): void {
  const { coach, featured } = checked(siteSchema, facts, "content/site.ts");
  for (const picture of [coach.photo, ...featured.map((video) => video.thumbnail)])
    if (picture && !existsSync(path.join(root, "public", picture)))
      throw new Error(`content/site.ts: there is no file public${picture}`);
}

/** @throws an error that names what is wrong with content/share.ts or a picture it stands for */
export function checkShare(cards: Share): void {
  for (const name of Object.keys(checked(shareSchema, cards, "content/share.ts"))) {
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

/**
 * Reads a file of content/pages.
 * @throws an error that names the file and what is wrong with it
 */
export async function readPage(name: string, source: string): Promise<PageText> {
  const file = `content/pages/${name}.md`;
  const expected = pageFiles[name];
  if (!expected) throw new Error(`${file}: no page of the site shows a file of this name`);
  const parts = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(withNames(source, file));
  if (!parts) throw new Error(`${file}: does not begin with front matter between '---' lines`);
  const [, head = "", body = ""] = parts;
  const front = checked(expected.front, readFront(head, file), file) as Omit<
    PageText,
    "html" | "sections"
  >;
  const [opening = "", ...rest] = body.split(/^## +/m);
  const sections = await Promise.all(
    rest.map((source) => readSection(source, expected.divided ?? false)),
  );
  if (expected.sections !== undefined && sections.length !== expected.sections)
    throw new Error(
      `${file}: has ${sections.length} sections ('## …'), and the page shows ${expected.sections}`,
    );
  checkHeadings(sections, file);
  const typeset = Object.entries(front).map(async ([key, words]) => [key, await asLine(words)]);
  return {
    ...(Object.fromEntries(await Promise.all(typeset)) as typeof front),
    html: await markdownToHtml(opening),
    sections,
  };
}

/** What stands in braces in a text is said in content/site.ts, and there only. */
const names: Record<string, string> = {
  brand: site.name,
  coach: site.coach.name,
  email: site.email,
};

function withNames(text: string, file: string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const known = names[name];
    if (known !== undefined) return known;
    const all = Object.keys(names).map((one) => `{${one}}`);
    throw new Error(`${file}: '{${name}}' stands for nothing; there are ${all.join(", ")}`);
  });
}

function readFront(yaml: string, file: string): unknown {
  try {
    return parse(yaml);
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
}

/** What is under a heading is found by its id, and React tells sections apart by it. */
function checkHeadings(sections: TextSection[], file: string): void {
  const seen = new Set<string>();
  for (const { id, title } of sections.flatMap((section) => [section, ...(section.parts ?? [])])) {
    if (seen.has(id)) throw new Error(`${file}: two headings are '${title}'`);
    seen.add(id);
  }
}

/** A heading or another line that is shown as it is: no markup, but the quotes of a printed page. */
async function asLine(markdown: string): Promise<string> {
  const text = (await markdownToHtml(markdown)).replace(/<[^>]*>/g, "").trim();
  return text.replaceAll("&#x3C;", "<").replaceAll("&#x26;", "&");
}

async function readSection(source: string, divided: boolean): Promise<TextSection> {
  if (!divided) return readPart(source);
  const [opening = "", ...rest] = source.split(/^### +/m);
  return { ...(await readPart(opening)), parts: await Promise.all(rest.map(readPart)) };
}

/** A heading and what stands under it. */
async function readPart(source: string): Promise<TextPart> {
  const end = source.indexOf("\n");
  const title = await asLine(end < 0 ? source : source.slice(0, end));
  const id = title
    .toLowerCase()
    .replace(/[’']/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return { id, title, html: await markdownToHtml(end < 0 ? "" : source.slice(end)) };
}

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
