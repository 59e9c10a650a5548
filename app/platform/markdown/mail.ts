import { checkBounds, type Node } from "./bounds.ts";
import { buttonTitle, recordingAlone, recordingLink, safeTree, walk } from "./render.ts";

type Properties = Record<string, unknown>;

export type EmailTree = Node;

// Each takes 20 to 40 µs while the site's pages wait; email programs cut off some 100 KB.
const maxMailNodes = 4_000;

/** Pictures by their ids, with absolute addresses. */
export type EmailImages = Readonly<Record<string, { src: string; width: number; height: number }>>;

/** The addresses of recordings by their ids. */
export type EmailRecordings = Readonly<Record<string, string>>;

type Around = { origin: string; images: EmailImages; recordings: EmailRecordings };

/** Links are absolute. Nothing loads from outside but `images`: other pictures leave their description,
 * and unknown recordings their words. User text must go through `renderEmailTree`
 * (renderer.ts), since this runs in the calling thread. @throws {TooMuch} */
export async function markdownToEmailTree(
  markdown: string,
  origin: string,
  images: EmailImages = {},
  recordings: EmailRecordings = {},
): Promise<EmailTree> {
  const tree = (await safeTree.run(safeTree.parse(markdown))) as Node;
  const around = { origin, images, recordings };
  walk(tree, (node) => {
    if (node.children) node.children = node.children.flatMap((child) => forMail(child, around));
  });
  checkBounds(tree, maxMailNodes);
  return tree;
}

function forMail(node: Node, around: Around): Node[] {
  const properties = (node.properties ?? {}) as Properties;
  switch (node.tagName) {
    case "img":
      return picture(properties, around.images);
    case "input":
      return [text(properties.checked ? "☑" : "☐")];
    case "p": {
      const recording = recordingAlone(node);
      Object.assign(recording?.properties ?? {}, { title: buttonTitle });
      return [node];
    }
    case "a":
      return link(node, properties, around);
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

function link(node: Node, properties: Properties, around: Around): Node[] {
  const { origin, recordings } = around;
  const id = recordingLink(node);
  const recorded = id !== null && Object.hasOwn(recordings, id) ? recordings[id] : "";
  const href = id === null ? String(properties.href ?? "") : (recorded ?? "");
  if ("dataFootnoteBackref" in properties) return [];
  const words = (node.children ?? []).flatMap((child) => forMail(child, around));
  if ("dataFootnoteRef" in properties) return [text("["), ...words, text("]")];
  if (href === "" || href.startsWith("#") || !URL.canParse(href, `${origin}/`)) return words;
  properties.href = new URL(href, `${origin}/`).href;
  return [node];
}

const text = (value: string): Node => ({ type: "text", value });
