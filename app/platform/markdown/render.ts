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

function demoteTitles() {
  return (tree: unknown) =>
    walk(tree as Node, (node) => {
      if (node.tagName === "h1") node.tagName = "h2";
    });
}

function closeLinks() {
  return (tree: unknown) =>
    walk(tree as Node, (node) => {
      if (node.tagName === "a")
        Object.assign(node.properties ?? {}, { rel: ["noopener", "noreferrer"] });
    });
}

// On a phone, a reader can call a help line from the text.
const allowed = {
  ...defaultSchema,
  protocols: {
    ...defaultSchema.protocols,
    href: [...(defaultSchema.protocols?.href ?? []), "tel", "sms"],
  },
};

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

/** Safe HTML, made in this thread: some texts of a few kilobytes take minutes. User text goes
 * through `renderMarkdown` (renderer.ts). @throws {TooMuch} */
export async function markdownToHtml(markdown: string): Promise<string> {
  return checkLength(String(await pipeline.process(markdown)));
}
