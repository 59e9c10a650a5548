import { checkBounds, type Node } from "./bounds.ts";
import { safeTree, walk } from "./render.ts";

type Properties = Record<string, unknown>;

/** A text for an email, as a tree of HTML elements. */
export type MailTree = Node;

/**
 * Elements and texts in an email. Making the email of them takes 20 to 40 microseconds each, while
 * the site's pages wait; and mail programs cut off what is longer than some 100 KB.
 */
const maxMailNodes = 4_000;

/**
 * Markdown as an email can show it: nothing loads from outside (a picture leaves its description),
 * links are whole addresses, and what only works within a page (ticking, jumping to a footnote) is
 * plain text. Made in this very thread: what people type goes through `renderMailTree` (renderer.ts).
 * @param origin what links within the site begin with
 * @throws {TooMuch}
 */
export async function markdownToMailTree(markdown: string, origin: string): Promise<MailTree> {
  const tree = (await safeTree.run(safeTree.parse(markdown))) as Node;
  walk(tree, (node) => {
    if (node.children) node.children = node.children.flatMap((child) => forMail(child, origin));
  });
  checkBounds(tree, maxMailNodes);
  return tree;
}

function forMail(node: Node, origin: string): Node[] {
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

function link(node: Node, properties: Properties, origin: string): Node[] {
  const href = String(properties.href ?? "");
  if ("dataFootnoteBackref" in properties) return [];
  const words = (node.children ?? []).flatMap((child) => forMail(child, origin));
  if ("dataFootnoteRef" in properties) return [text("["), ...words, text("]")];
  if (href === "" || href.startsWith("#") || !URL.canParse(href, `${origin}/`)) return words;
  properties.href = new URL(href, `${origin}/`).href;
  return [node];
}

const text = (value: string): Node => ({ type: "text", value });
