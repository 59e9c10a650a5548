import { parse, stringify } from "yaml";
import type { Content, PageKind } from "../../../content/fields.ts";
import { pageFields } from "../../../content/fields.ts";
import { contentSchema } from "../../../content/page-schema.ts";

/* Pages as files that fit into git: the first edition in content/pages, and what `content:export`
 * writes. A page with a `text` is Markdown: its other words are the front matter, and each of its
 * `sections` stands under a `##`. Every other page is YAML. */

export const isMarkdown = (kind: PageKind): boolean => "text" in pageFields[kind];

/** 'about.md', 'site.yaml'; a course's page is named by its address. */
export const contentFileName = (kind: PageKind, name: string = kind): string =>
  `${name}.${isMarkdown(kind) ? "md" : "yaml"}`;

/** Reads the file of a page. @throws an error with one line for each mistake, which names the file */
export function readContentFile(kind: PageKind, source: string, file: string): Content {
  const checked = contentSchema(kind).safeParse(parsed(kind, source, file));
  if (checked.success) return checked.data;
  const lines = checked.error.issues.map(
    ({ path, message }) => `${file}: ${path.join(".")}: ${message}`,
  );
  throw new Error(lines.join("\n"));
}

function parsed(kind: PageKind, source: string, file: string): unknown {
  if (!isMarkdown(kind)) return parseYaml(source, file);
  const parts = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(source);
  if (!parts) throw new Error(`${file}: does not begin with front matter between '---' lines`);
  const [, head = "", body = ""] = parts;
  if (!("sections" in pageFields[kind])) return { ...parseYaml(head, file), text: body };
  const [text, ...rest] = body.split(/^## +/m);
  const sections = rest.map((section) => {
    const [title = "", ...lines] = section.split("\n");
    return { title, text: lines.join("\n") };
  });
  return { ...parseYaml(head, file), text, sections };
}

function parseYaml(source: string, file: string): object {
  try {
    const value: unknown = parse(source);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`);
  }
  throw new Error(`${file}: holds no words by their names`);
}

/** The file of a page; {@link readContentFile} reads the same from it. */
export function writeContentFile(kind: PageKind, content: Content): string {
  if (!isMarkdown(kind)) return toYaml(content);
  const { text, sections, ...front } = content;
  const parts = (sections ?? []) as Record<string, string>[];
  const body = [text, ...parts.map((part) => `## ${part.title}\n\n${part.text}`)];
  const inBody =
    "sections" in pageFields[kind] ? front : { ...front, ...(sections && { sections }) };
  return `---\n${toYaml(inBody)}---\n\n${body.filter(Boolean).join("\n\n")}\n`;
}

// Long texts as blocks, one paragraph a line: a change of a word is a change of one line in git.
const toYaml = (value: object) => stringify(value, { lineWidth: 0, blockQuote: "literal" });
