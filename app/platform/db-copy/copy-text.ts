import type { Cells } from "./table.ts";

// The text format of COPY: a line a row, a tab between cells, backslashes as escapes.
const written: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
const meant: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

export function lineOf(cells: Cells): string {
  return `${cells.map(copied).join("\t")}\n`;
}

function copied(cell: string | null): string {
  if (cell === null) return "\\N";
  return /[\\\t\n\r]/.test(cell)
    ? cell.replace(/[\\\t\n\r]/g, (sign) => written[sign] ?? sign)
    : cell;
}

/** Rows as COPY delivers them; memory holds little more than the longest one. */
export async function* rowsOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Cells[]> {
  let begun: Buffer[] = [];
  for await (const piece of pieces) {
    const end = piece.lastIndexOf("\n");
    begun.push(end < 0 ? piece : piece.subarray(0, end));
    if (end < 0) continue;
    const lines = Buffer.concat(begun).toString("utf8").split("\n");
    begun = [piece.subarray(end + 1)];
    yield lines.map((line) => line.split("\t").map(cellOf));
  }
}

function cellOf(text: string): string | null {
  if (text === "\\N") return null;
  return text.includes("\\")
    ? text.replace(/\\(.)/g, (_, sign: string) => meant[sign] ?? sign)
    : text;
}
