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

/** What a text names a recording of the newsletter with: `[Listen: Title](recording:ID)`. */
const recordingScheme = "recording";

/** Where recordings are, by their ids, and how long they are, in words. */
export type MarkdownRecordings = Readonly<Record<string, { src: string; length: string | null }>>;

/** The id of the recording that an element is a link to; null for any other. */
export function recordingLink({ tagName, properties }: Node): string | null {
  const { href = "" } = (properties ?? {}) as { href?: string };
  const isOne = tagName === "a" && href.startsWith(`${recordingScheme}:`);
  return isOne ? href.slice(recordingScheme.length + 1) : null;
}

/** The link to a recording that a paragraph consists of. */
export function recordingAlone({ tagName, children = [] }: Node): Node | null {
  const [link, ...more] = tagName === "p" ? children : [];
  return link && more.length === 0 && recordingLink(link) !== null ? link : null;
}

/** A link on a line of its own becomes a player; links to unknown recordings leave their words. */
function placeRecordings(tree: Node, recordings: MarkdownRecordings) {
  walk(tree, (node) => {
    node.children = node.children?.flatMap((child) => {
      const link = recordingAlone(child) ?? child;
      const id = recordingLink(link);
      if (id === null) return [child];
      const recording = Object.hasOwn(recordings, id) ? recordings[id] : undefined;
      if (recording && link !== child) return [player(link, recording)];
      if (recording)
        return [{ ...child, properties: { ...child.properties, href: recording.src } }];
      return link === child ? (child.children ?? []) : [{ ...child, children: link.children }];
    });
  });
}

function player({ children = [] }: Node, recording: MarkdownRecordings[string]): Node {
  const { src, length } = recording;
  const element = (tagName: string, properties: object, inner: Node[]): Node => {
    return { type: "element", tagName, properties: { ...properties }, children: inner };
  };
  const text = (value: string): Node => ({ type: "text", value });
  const long = length ? [text(" "), element("span", {}, [text(length)])] : [];
  let label = "";
  for (const child of children)
    walk(child, ({ value = "" }) => {
      label += value;
    });
  const audio = { controls: true, preload: "none", src, ariaLabel: label };
  return element("figure", { className: ["recording"] }, [
    element("figcaption", {}, [...children, ...long]),
    element("audio", audio, []),
  ]);
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
    href: [...(defaultSchema.protocols?.href ?? []), "tel", "sms", recordingScheme],
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
  recordings: MarkdownRecordings = {},
): Promise<string> {
  const tree = await safeTree.run(safeTree.parse(markdown));
  if (use === "page") textOnly(tree as Node);
  if (use === "issue") markButtons(tree as Node);
  placeImages(tree as Node, images);
  placeRecordings(tree as Node, recordings);
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
