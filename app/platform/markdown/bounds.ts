export type Node = {
  type: string;
  tagName?: string;
  properties?: object;
  children?: Node[];
  value?: string;
};

// A list within a list is two levels: the list and its item.
const maxDepth = 100;
const maxNodes = 100_000;
// Characters of HTML. The longest lesson that a coach can write has 300,000 of Markdown.
const maxHtml = 1_000_000;

export class TooMuch extends Error {
  readonly reason: "nested" | "large";
  constructor(reason: "nested" | "large") {
    super(`Markdown is too ${reason === "nested" ? "deep" : "large"} to be shown.`);
    this.reason = reason;
  }
}

/** Short Markdown makes long HTML of wide tables (rows are padded with cells), of footnotes, and of
 * one long address in many links. @throws {TooMuch} */
export function withinBounds() {
  return (tree: unknown) => checkBounds(tree as Node);
}

/** Without recursion, since the depth is what is checked. @throws {TooMuch} */
export function checkBounds(tree: Node, most: number = maxNodes): void {
  const waiting: [Node, number][] = [[tree, 0]];
  let nodes = 0;
  let length = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, depth] = next;
    nodes += 1 + missingCells(node);
    length += lengthOf(node);
    if (depth > maxDepth) throw new TooMuch("nested");
    if (nodes > most || length > maxHtml) throw new TooMuch("large");
    for (const child of node.children ?? []) waiting.push([child, depth + 1]);
  }
}

export function checkLength(html: string): string {
  if (html.length > maxHtml) throw new TooMuch("large");
  return html;
}

// Every row gets as many cells as the first.
function missingCells({ type, children = [] }: Node): number {
  return type === "table" ? children.length * (children[0]?.children?.length ?? 0) : 0;
}

function lengthOf({ value = "", tagName = "", properties = {} }: Node): number {
  const texts = Object.values(properties).filter((one) => typeof one === "string");
  return texts.reduce((sum, text) => sum + text.length, value.length + 2 * tagName.length);
}
