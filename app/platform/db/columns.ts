import { type ColumnDataType, type Expression, sql } from "kysely";

/** The two engines the site runs on. */
export type Engine = "sqlite" | "postgres";

/** Column kinds whose type differs between the engines, for migrations. */
export function columnKinds(engine: Engine) {
  const postgres = engine === "postgres";
  return {
    boolean: (postgres ? "boolean" : "integer") as ColumnDataType,
    /** UTC; ISO text with milliseconds on SQLite, so that it sorts as time. */
    time: (postgres ? "timestamptz" : "text") as ColumnDataType,
    json: (postgres ? "jsonb" : "text") as ColumnDataType,
    true: (postgres ? sql`true` : sql`1`) as Expression<unknown>,
    false: (postgres ? sql`false` : sql`0`) as Expression<unknown>,
  };
}

/**
 * Columns that SQLite keeps as numbers or text and code sees as booleans or values.
 * Names after the camel-case plugin; time columns are known by their ending.
 */
const booleanColumns = new Set([
  "active",
  "emailVerified",
  "backedUp",
  "banned",
  "enabled",
  "fromStart",
]);
const jsonColumns = new Set(["prompts", "payload", "answers", "letterTimes", "fields", "details"]);
const timeColumn = /(At|Expires)$/;

/** What turns a SQLite column's cells (never null) into what PostgreSQL's driver would have given. */
export function fromSqlite(column: string): (cell: unknown) => unknown {
  if (booleanColumns.has(column)) return (cell) => (typeof cell === "number" ? cell !== 0 : cell);
  if (timeColumn.test(column)) return (cell) => (typeof cell === "string" ? new Date(cell) : cell);
  if (jsonColumns.has(column))
    return (cell) => (typeof cell === "string" ? JSON.parse(cell) : cell);
  return (cell) => cell;
}

/** Turns one bound value into what node:sqlite accepts. */
export function toSqlite(value: unknown): null | number | bigint | string | Uint8Array {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return value;
  if (typeof value === "object") return JSON.stringify(value);
  return value as number | bigint | string;
}
