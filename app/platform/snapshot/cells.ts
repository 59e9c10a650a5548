import { hash } from "node:crypto";
import type { Cells, Column, Table } from "./table.ts";

/** A row cannot be carried; the message names its table and key, and none of its words. */
export class BadRow extends Error {}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * One way of writing what both engines hold: JSON with its keys in order (PostgreSQL forgets the
 * order they came in), times in UTC with milliseconds.
 * @throws {BadRow} for what one of the engines cannot hold
 */
export function canonical(table: Table, cells: Cells): Cells {
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

/** PostgreSQL has no place for the sign 0, nor for half of a sign. */
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

/** 'lessons (id 0193…)': ids are nobody's words. */
function nameOf(table: Table, cells: Cells): string {
  const parts = table.key.map((name) => {
    const index = table.columns.findIndex((column) => column.name === name);
    return `${name} ${cells[index]}`;
  });
  return `${table.name} (${parts.join(", ")})`;
}

/** How many rows a table has, and a number that is another one when any cell is. */
export type Digest = { rows: number; sum: string };

/** Adds up the SHA-256 of rows, in whatever order they come. */
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
