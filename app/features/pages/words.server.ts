import { dedicatedPages } from "~/features/courses/rules.ts";
import { publicImagesOf } from "~/features/pictures/pictures.server.ts";
import { picturesIn, waitingPicture } from "~/features/pictures/rules.ts";
import type { Query } from "~/platform/db/database.ts";
import { renderMarkdown } from "~/platform/markdown/renderer.ts";
import { type Content, type Field, type ListField, pageFields } from "~content/fields.ts";
import { contentSchema, problemOf } from "~content/page-schema.ts";
import { pageKinds, pageMessages } from "./messages.ts";
import type { EditedPage } from "./pages.server.ts";
import { type Renderer, renderContent, renderValue } from "./render.server.ts";
import type { FieldValue } from "./schema.ts";

/** With the pictures that the words name. */
async function rendererOf(db: Query, words: Content | FieldValue): Promise<Renderer & Pictures> {
  const images = await publicImagesOf(db, JSON.stringify(words));
  return {
    text: (markdown) => renderMarkdown(markdown, images, "page"),
    picture: (value) => images[value.replace(pictureScheme, "")]?.src ?? value,
    pictureProblem(text) {
      const waiting = waitingPicture(text);
      if (waiting !== null) return pageMessages.waitingPicture(waiting);
      return namedPictures(text).every((id) => Object.hasOwn(images, id))
        ? null
        : pageMessages.unknownPicture;
    },
  };
}

/** What is wrong with the pictures that a text names, as a sentence; null where nothing is. */
type Pictures = { pictureProblem: (text: string) => string | null };

const pictureScheme = /^picture:/;
/** Also those that are no pictures at all. */
const namedPictures = (text: string) => [
  ...[...text.matchAll(/\]\(picture:([^)\s]*)/g)].map(([, id = ""]) => id),
  ...picturesIn(text),
];

/** The words of a page as they are shown. @throws {MarkdownRefused} */
export async function renderPage(
  db: Query,
  kind: EditedPage["kind"],
  content: Content,
): Promise<Content> {
  return renderContent(pageFields[kind], content, await rendererOf(db, content));
}

/** What is wrong with the words of a page, by its places, as sentences; none where nothing is. */
export async function problemsOf(
  db: Query,
  kind: EditedPage["kind"],
  content: Content,
): Promise<Record<string, string>> {
  const problems: Record<string, string> = {};
  const checked = contentSchema(kind).safeParse(content);
  for (const { path, message } of checked.error?.issues ?? []) {
    const [field, at, part] = path;
    problems[String(field)] ??=
      part === undefined ? message : inItem(kind, String(field), Number(at), String(part), message);
  }
  const [addresses, { pictureProblem }] = await Promise.all([
    courseAddresses(db),
    rendererOf(db, content),
  ]);
  for (const [name, value] of Object.entries(content)) {
    const lost = lostLink(value, addresses);
    if (lost) problems[name] ??= pageMessages.noSuchPage(lost);
    for (const text of textsIn(value)) {
      const problem = pictureProblem(text);
      if (problem) problems[name] ??= problem;
    }
  }
  return problems;
}

function inItem(
  kind: EditedPage["kind"],
  name: string,
  at: number,
  part: string,
  message: string,
): string {
  const { one, of } = (pageFields[kind] as Record<string, Field | ListField>)[name] as ListField;
  return `${sentenceCase(one)} ${at + 1}, ${of[part]?.label ?? part}: ${message}`;
}

const sentenceCase = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** What is written in one place: as it is shown, and what is wrong with it, by its items' parts. */
export async function previewField(
  db: Query,
  field: Field | ListField,
  value: FieldValue,
): Promise<{ shown: FieldValue; problems: Record<string, string> }> {
  const [addresses, render] = await Promise.all([courseAddresses(db), rendererOf(db, value)]);
  const problems: Record<string, string> = {};
  const look = (place: string, of: Field, text: string) => {
    const trimmed = text.replaceAll("\r\n", "\n").trim();
    const lost = of.kind === "text" ? lostLink(trimmed, addresses) : null;
    const problem =
      problemOf(of, trimmed) ??
      (lost && pageMessages.noSuchPage(lost)) ??
      render.pictureProblem(trimmed);
    if (problem) problems[place] = problem;
    return renderValue(of, trimmed, render);
  };
  if (field.kind !== "list") return { shown: await look("", field, String(value)), problems };
  const items = typeof value === "string" ? [] : value;
  const { min, max, one } = field;
  if (items.length < min) problems[""] = `There are at least ${min} here: please add a ${one}.`;
  if (items.length > max) problems[""] = `There is room for ${max} here: please remove a ${one}.`;
  const shown: Record<string, string>[] = [];
  for (const [at, item] of items.entries()) {
    const parts: Record<string, string> = {};
    for (const [part, of] of Object.entries(field.of))
      parts[part] = await look(`${at}.${part}`, of, item[part] ?? "");
    shown.push(parts);
  }
  return { shown, problems };
}

async function courseAddresses(db: Query): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("products")
    .select("slug")
    .where("deletedAt", "is", null)
    .execute();
  return new Set(rows.map(({ slug }) => `/courses/${slug}`));
}

/** Addresses of the site that a text may lead to, beside the pages and the courses. */
const others = /^\/(help|auth|my-courses|account|mail-preferences|newsletter)(\/|$)/;
const pagePaths = new Set([
  ...Object.values(pageKinds).map(({ path }) => path),
  ...dedicatedPages.map((slug) => `/courses/${slug}`),
]);

const textsIn = (value: FieldValue) =>
  typeof value === "string" ? [value] : value.flatMap((item) => Object.values(item));

/** The first address of the site itself in a text to which there is no page; null where there is none. */
function lostLink(value: FieldValue, addresses: ReadonlySet<string>): string | null {
  for (const text of textsIn(value))
    for (const [, target = ""] of text.matchAll(/\]\((\/[^)\s#?]*)[^)]*\)/g)) {
      const path = target.length > 1 ? target.replace(/\/$/, "") : target;
      if (!pagePaths.has(path) && !addresses.has(path) && !others.test(path)) return path;
    }
  return null;
}
