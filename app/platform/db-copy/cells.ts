import { hash } from "node:crypto";
import type { Cells, Column, CopiedTable } from "./table.ts";

/** The message has the row's table and key, and none of its text. */
export class BadRow extends Error {}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** One form for both engines: JSON with sorted keys (PostgreSQL loses their order), times in UTC
 * with milliseconds. @throws {BadRow} for what one of the engines cannot store */
export function canonical(table: CopiedTable, cells: Cells): Cells {
  return cells.map((cell, index) => {
    const column = table.columns[index] as Column;
    if (cell === null) return null;
    const bad = (what: string) => new BadRow(`${nameOf(table, cells)}: ${column.name} ${what}`);
    if (column.kind === "time") {
      if (moment.test(cell)) return cell;
      const time = new Date(cell);
      if (Number.isNaN(time.getTime())) throw bad("holds no time");
      return time.toISOString();
    }
    if (column.kind === "json") {
      const value = parsed(cell);
      if (value === undefined) throw bad("holds no JSON");
      return asText(value, bad);
    }
    if (column.kind === "text") return clean(cell, bad);
    return cell;
  });
}

// PostgreSQL stores neither U+0000 nor lone surrogates.
function clean(text: string, bad: (what: string) => BadRow): string {
  if (text.includes("\0")) throw bad("has the sign U+0000 in it, which PostgreSQL cannot keep");
  if (!text.isWellFormed()) throw bad("has half a sign in it, which PostgreSQL cannot keep");
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asText(value: unknown, bad: (what: string) => BadRow): string {
  if (typeof value === "string") return JSON.stringify(clean(value, bad));
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => asText(item, bad)).join(",")}]`;
  const entries = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(clean(key, bad))}:${asText(item, bad)}`);
  return `{${entries.join(",")}}`;
}

function nameOf(table: CopiedTable, cells: Cells): string {
  const parts = table.key.map((name) => {
    const index = table.columns.findIndex((column) => column.name === name);
    return `${name} ${cells[index]}`;
  });
  return `${table.name} (${parts.join(", ")})`;
}

export type Digest = { rows: number; sum: string };

export class Sum {
  rows = 0;
  readonly #lanes = new Uint32Array(8);

  add(cells: Cells): void {
    const bytes = hash("sha256", JSON.stringify(cells), "buffer");
    for (let lane = 0; lane < 8; lane += 1)
      this.#lanes[lane] = (this.#lanes[lane] ?? 0) + bytes.readUInt32LE(lane * 4);
    this.rows += 1;
  }

  digest(): Digest {
    return { rows: this.rows, sum: Buffer.from(this.#lanes.buffer).toString("hex") };
  }
}
