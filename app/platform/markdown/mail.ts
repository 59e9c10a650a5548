import { checkBounds, type Node } from "./bounds.ts";
import { safeTree, walk } from "./render.ts";

type Properties = Record<string, unknown>;

export type EmailTree = Node;

// Each takes 20 to 40 µs while the site's pages wait; email programs cut off some 100 KB.
const maxMailNodes = 4_000;

/** Pictures by their ids, with absolute addresses. */
export type EmailImages = Readonly<Record<string, { src: string; width: number; height: number }>>;

/** Links are absolute. Nothing loads from outside but `images`: other pictures leave their description.
 * User text must go through `renderEmailTree`
 * (renderer.ts), since this runs in the calling thread. @throws {TooMuch} */
export async function markdownToEmailTree(
  markdown: string,
  origin: string,
  images: EmailImages = {},
): Promise<EmailTree> {
  const tree = (await safeTree.run(safeTree.parse(markdown))) as Node;
  walk(tree, (node) => {
    if (node.children)
      node.children = node.children.flatMap((child) => forMail(child, origin, images));
  });
  checkBounds(tree, maxMailNodes);
  return tree;
}

function forMail(node: Node, origin: string, images: EmailImages): Node[] {
  const properties = (node.properties ?? {}) as Properties;
  switch (node.tagName) {
    case "img":
      return picture(properties, images);
    case "input":
      return [text(properties.checked ? "☑" : "☐")];
    case "a":
      return link(node, properties, { origin, images });
    default:
      return [node];
  }
}

function picture({ src, alt = "" }: Properties, images: EmailImages): Node[] {
  const [, id = ""] = /^picture:(.+)$/.exec(String(src)) ?? [];
  const image = Object.hasOwn(images, id) ? images[id] : undefined;
  if (image)
    return [{ type: "element", tagName: "img", properties: { ...image, alt }, children: [] }];
  return alt ? [text(`[${alt}]`)] : [];
}

type Around = { origin: string; images: EmailImages };

function link(node: Node, properties: Properties, { origin, images }: Around): Node[] {
  const href = String(properties.href ?? "");
  if ("dataFootnoteBackref" in properties) return [];
  const words = (node.children ?? []).flatMap((child) => forMail(child, origin, images));
  if ("dataFootnoteRef" in properties) return [text("["), ...words, text("]")];
  if (href === "" || href.startsWith("#") || !URL.canParse(href, `${origin}/`)) return words;
  properties.href = new URL(href, `${origin}/`).href;
  return [node];
}

const text = (value: string): Node => ({ type: "text", value });
