import { type RawBuilder, sql } from "kysely";
import type { Engine } from "./columns.ts";

/** `small_letters` knows more letters than `lower` of SQLite, or of a PostgreSQL database. */
export function hasWords(column: string, words: string): RawBuilder<boolean> {
  const pattern = `%${words.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  return sql<boolean>`small_letters(${sql.ref(column)}) like ${pattern} escape '\\'`;
}

/** By an index (PostgreSQL: collation "C", since a language's own ignores some characters). */
export function beginsWith(
  { engine }: { engine: Engine },
  column: string | RawBuilder<string>,
  beginning: string,
): RawBuilder<boolean> {
  const text = typeof column === "string" ? sql.ref(column) : column;
  const ordered = engine === "postgres" ? sql`${text} collate "C"` : text;
  const first = beginning.toWellFormed();
  return sql<boolean>`(${ordered} >= ${first} and ${ordered} < ${`${first}\u{10ffff}`})`;
}

const longestWord = 60;

// 'Müller' is 'muller'.
function fold(text: string): string {
  return text
    .normalize("NFD")
    .replace(/([A-Za-z])[\u0300-\u036f]+/g, "$1")
    .normalize("NFC")
    .toLowerCase();
}

export function searchWords(text: string): string[] {
  return fold(text.toWellFormed())
    .split(/[^\p{L}\p{Nd}]+/u)
    .filter((word) => word !== "")
    .map((word) => [...word].slice(0, longestWord).join(""));
}

export function hasBeginnings(text: string, beginnings: readonly string[]): boolean {
  const words = searchWords(text);
  return beginnings.every((beginning) => words.some((word) => word.startsWith(beginning)));
}
