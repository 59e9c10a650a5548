import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import remarkSmartypants from "remark-smartypants";
import { unified } from "unified";
import { checkLength, type Node, withinBounds } from "./bounds.ts";

export function walk(node: Node, visit: (node: Node) => void) {
  visit(node);
  for (const child of node.children ?? []) walk(child, visit);
}

/** The page prints the one `<h1>`; whoever writes `#` in a text means its largest heading. */
function demoteTitles() {
  return (tree: unknown) =>
    walk(tree as Node, (node) => {
      if (node.tagName === "h1") node.tagName = "h2";
    });
}

/** Other sites learn neither where a reader came from nor get a handle on her window. */
function closeLinks() {
  return (tree: unknown) =>
    walk(tree as Node, (node) => {
      if (node.tagName === "a")
        Object.assign(node.properties ?? {}, { rel: ["noopener", "noreferrer"] });
    });
}

/** On a phone, a help line that is named can be called at once. */
const allowed = {
  ...defaultSchema,
  protocols: {
    ...defaultSchema.protocols,
    href: [...(defaultSchema.protocols?.href ?? []), "tel", "sms"],
  },
};

/** Markdown as a tree of HTML without anything that could run. */
export const safeTree = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(withinBounds)
  .use(remarkSmartypants, { dashes: false })
  .use(remarkRehype)
  .use(withinBounds)
  .use(rehypeSanitize, allowed)
  .use(demoteTitles)
  .use(closeLinks)
  .freeze();

const pipeline = safeTree().use(rehypeStringify).freeze();

/**
 * Markdown (with tables, task lists and footnotes) as HTML without anything that could run, made
 * in this very thread: some texts of a few kilobytes take minutes. What people type goes through
 * `renderMarkdown` (renderer.ts).
 * @throws {TooMuch}
 */
export async function markdownToHtml(markdown: string): Promise<string> {
  return checkLength(String(await pipeline.process(markdown)));
}
