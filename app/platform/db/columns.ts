import type { ColumnType } from "kysely";

export type Json<T> = ColumnType<T, string, string>;
export type Time = Date;
export type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

export type Engine = "sqlite" | "postgres";

// SQLite stores these as numbers or text. Camel-case names; time columns are known by suffix.
const booleanColumns = new Set([
  "active",
  "comingSoon",
  "inVersion",
  "forEmail",
  "emailVerified",
  "backedUp",
  "banned",
  "enabled",
  "fromStart",
  "monthly",
  "inArchive",
  "warmUp",
  "anyRate",
  "isOldEncoding",
]);
const jsonColumns = new Set([
  "prompts",
  "payload",
  "answers",
  "emailTimes",
  "fields",
  "details",
  "widths",
  "segment",
  "headings",
  "chosen",
  "counts",
]);
const timeColumn = /(At|Expires)$/;

export function fromSqlite(column: string): (cell: unknown) => unknown {
  if (booleanColumns.has(column)) return (cell) => (typeof cell === "number" ? cell !== 0 : cell);
  if (timeColumn.test(column)) return (cell) => (typeof cell === "string" ? new Date(cell) : cell);
  if (jsonColumns.has(column))
    return (cell) => (typeof cell === "string" ? JSON.parse(cell) : cell);
  return (cell) => cell;
}

export function toSqlite(value: unknown): null | number | bigint | string | Uint8Array {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return value;
  if (typeof value === "object") return JSON.stringify(value);
  return value as number | bigint | string;
}
