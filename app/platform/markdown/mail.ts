import { type Node, safeTree, walk } from "./render.ts";

type Properties = Record<string, unknown>;
type Part = Node & { value?: string };

/** A text for a letter, as a tree of HTML elements. */
export type MailTree = Node;

/**
 * Markdown as a letter can show it: nothing loads from outside (a picture leaves its description),
 * links are whole addresses, and what only works within a page (ticking, jumping to a footnote) is
 * plain text.
 * @param origin what links within the site begin with
 */
export async function mailTree(markdown: string, origin: string): Promise<MailTree> {
  const tree = (await safeTree.run(safeTree.parse(markdown))) as Node;
  walk(tree, (node) => {
    if (node.children) node.children = node.children.flatMap((child) => forMail(child, origin));
  });
  return tree;
}

function forMail(node: Part, origin: string): Part[] {
  const properties = (node.properties ?? {}) as Properties;
  switch (node.tagName) {
    case "img":
      return properties.alt ? [text(`[${properties.alt}]`)] : [];
    case "input":
      return [text(properties.checked ? "☑" : "☐")];
    case "a":
      return link(node, properties, origin);
    default:
      return [node];
  }
}

function link(node: Part, properties: Properties, origin: string): Part[] {
  const href = String(properties.href ?? "");
  if ("dataFootnoteBackref" in properties) return [];
  const words = (node.children ?? []).flatMap((child) => forMail(child, origin));
  if ("dataFootnoteRef" in properties) return [text("["), ...words, text("]")];
  if (href === "" || href.startsWith("#") || !URL.canParse(href, `${origin}/`)) return words;
  properties.href = new URL(href, `${origin}/`).href;
  return [node];
}

const text = (value: string): Part => ({ type: "text", value });
