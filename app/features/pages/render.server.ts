import type { Content, Field, Fields, ListField } from "../../../content/fields.ts";
import { typeset } from "../../platform/markdown/render.ts";

/** Makes Markdown safe HTML. */
export type RenderText = (markdown: string) => Promise<string>;

/** The words of a page as they are shown: lines with printed quotes, texts as HTML. The names in
 * braces are put in later, when they are known (`withNames`). */
export async function renderContent(
  fields: Fields,
  content: Content,
  renderText: RenderText,
): Promise<Content> {
  const rendered: Content = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = content[name];
    rendered[name] =
      field.kind === "list"
        ? await renderList(field, (value ?? []) as Record<string, string>[], renderText)
        : await renderValue(field, (value ?? "") as string, renderText);
  }
  return rendered;
}

async function renderList(
  { of }: ListField,
  items: Record<string, string>[],
  renderText: RenderText,
) {
  const rendered: Record<string, string>[] = [];
  for (const item of items) {
    const shown: Record<string, string> = {};
    for (const [part, field] of Object.entries(of))
      shown[part] = await renderValue(field, item[part] ?? "", renderText);
    rendered.push(shown);
  }
  return rendered;
}

/** One place of a page as it is shown. */
export async function renderValue(
  { kind, exact }: Field,
  value: string,
  renderText: RenderText,
): Promise<string> {
  if (kind === "text") return value === "" ? "" : renderText(value);
  return kind === "line" && !exact ? typeset(value) : value;
}
