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

/** What a text names one of the site's own pictures with: `![alt](picture:ID)`. */
const pictureScheme = "picture";

/** The attributes of an `<img>` for a picture, by its id. */
export type MarkdownImages = Readonly<
  Record<string, { src: string; srcSet: string; width: number; height: number }>
>;

// The text column (ui/styles/prose.css) has 680 pixels.
const sizes = "(min-width: 45rem) 42.5rem, 92vw";

/** Unknown pictures leave their alt text, as in emails. */
function placeImages(tree: Node, images: MarkdownImages) {
  walk(tree, (node) => {
    node.children = node.children?.flatMap((child) => {
      const { src = "", alt = "" } = (child.properties ?? {}) as { src?: string; alt?: string };
      if (child.tagName !== "img" || !src.startsWith(`${pictureScheme}:`)) return [child];
      const id = src.slice(pictureScheme.length + 1);
      const image = Object.hasOwn(images, id) ? images[id] : undefined;
      if (!image) return alt ? [{ type: "text", value: `[${alt}]` }] : [];
      const { srcSet, ...size } = image;
      const properties = {
        ...size,
        alt,
        sizes,
        srcSet: [srcSet],
        loading: "lazy",
        decoding: "async",
      };
      return [{ ...child, properties }];
    });
  });
}

/** The title of a link that is shown as a button: `[Write to me](https://… "button")`. */
export const buttonTitle = "button";

function markButtons(tree: Node) {
  walk(tree, (node) => {
    const { title, ...rest } = (node.properties ?? {}) as { title?: string };
    if (node.tagName === "a" && title === buttonTitle)
      node.properties = { ...rest, className: ["button"] };
  });
}

export type MarkdownUse = "lesson" | "page" | "issue";

/** What a text of a public page may have: with anything else a page could become ugly. */
const ofPages = new Set([..."a,blockquote,br,del,em,img,li,ol,p,strong,ul".split(",")]);

function textOnly(tree: Node) {
  walk(tree, (node) => {
    node.children = node.children?.flatMap(plainNode);
  });
}

function plainNode(node: Node): Node[] {
  const { tagName = "", children = [] } = node;
  if (node.type !== "element") return [node];
  // Only uploaded pictures: of another site, the browser would refuse it (platform/http/security.ts).
  const { src = "", alt = "" } = (node.properties ?? {}) as { src?: string; alt?: string };
  if (tagName === "img" && !src.startsWith(`${pictureScheme}:`))
    return [{ type: "text", value: alt }];
  if (ofPages.has(tagName)) return [node];
  const inner = children.flatMap(plainNode);
  if (!/^h\d$/.test(tagName)) return inner;
  const strong = { type: "element", tagName: "strong", properties: {}, children: inner };
  return [{ type: "element", tagName: "p", properties: {}, children: [strong] }];
}

// On a phone, a reader can call a help line from the text.
const allowed = {
  ...defaultSchema,
  protocols: {
    ...defaultSchema.protocols,
    href: [...(defaultSchema.protocols?.href ?? []), "tel", "sms"],
    src: [...(defaultSchema.protocols?.src ?? []), pictureScheme],
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

const writer = unified().use(rehypeStringify).freeze();

/** Safe HTML, made in this thread: some texts of a few kilobytes take minutes. User text goes
 * through `renderMarkdown` (renderer.ts). @throws {TooMuch} */
export async function markdownToHtml(
  markdown: string,
  images: MarkdownImages = {},
  use: MarkdownUse = "lesson",
): Promise<string> {
  const tree = await safeTree.run(safeTree.parse(markdown));
  if (use === "page") textOnly(tree as Node);
  if (use === "issue") markButtons(tree as Node);
  placeImages(tree as Node, images);
  return checkLength(writer.stringify(tree));
}

const typesetter = unified().use(remarkSmartypants, { dashes: false }).freeze();

/** Plain text with the quotes of a printed page. Nothing in it is read as Markdown. */
export function typeset(line: string): string {
  const text = { type: "text", value: line };
  const tree: Node = { type: "root", children: [{ type: "paragraph", children: [text] }] };
  const set = typesetter.runSync(tree as Parameters<typeof typesetter.runSync>[0]) as Node;
  let words = "";
  walk(set, ({ value = "" }) => {
    words += value;
  });
  return words;
}
