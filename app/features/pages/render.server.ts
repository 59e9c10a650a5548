import type { Content, Field, Fields, ListField } from "../../../content/fields.ts";
import { typeset } from "../../platform/markdown/render.ts";

/** What the words of a page are made of: Markdown becomes safe HTML, and a picture its address. */
export type Renderer = {
  text: (markdown: string) => Promise<string>;
  picture: (value: string) => string;
};

/** The words of a page as they are shown: lines with printed quotes, texts as HTML. The names in
 * braces are put in later, when they are known (`withNames`). */
export async function renderContent(
  fields: Fields,
  content: Content,
  render: Renderer,
): Promise<Content> {
  const rendered: Content = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = content[name];
    rendered[name] =
      field.kind === "list"
        ? await renderList(field, (value ?? []) as Record<string, string>[], render)
        : await renderValue(field, (value ?? "") as string, render);
  }
  return rendered;
}

async function renderList({ of }: ListField, items: Record<string, string>[], render: Renderer) {
  const rendered: Record<string, string>[] = [];
  for (const item of items) {
    const shown: Record<string, string> = {};
    for (const [part, field] of Object.entries(of))
      shown[part] = await renderValue(field, item[part] ?? "", render);
    rendered.push(shown);
  }
  return rendered;
}

/** One place of a page as it is shown. */
export async function renderValue(
  { kind, exact }: Field,
  value: string,
  render: Renderer,
): Promise<string> {
  if (kind === "text") return value === "" ? "" : render.text(value);
  if (kind === "picture") return render.picture(value);
  return kind === "line" && !exact ? typeset(value) : value;
}
