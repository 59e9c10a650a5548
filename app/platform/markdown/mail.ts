import { checkBounds, type Node } from "./bounds.ts";
import { safeTree, walk } from "./render.ts";

type Properties = Record<string, unknown>;

export type EmailTree = Node;

// Each takes 20 to 40 µs while the site's pages wait; email programs cut off some 100 KB.
const maxMailNodes = 4_000;

/** Nothing loads from outside, and links are absolute. User text must go through `renderEmailTree`
 * (renderer.ts), since this runs in the calling thread. @throws {TooMuch} */
export async function markdownToEmailTree(markdown: string, origin: string): Promise<EmailTree> {
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
