import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";

/**
 * Whether a column has these words in it, whatever their case: `small_letters` knows more letters
 * than SQLite's `lower` (sqlite.ts), or than that of a database of PostgreSQL (migration 008).
 * @param column as it is called in the query, e.g. 'products.title'
 */
export function hasWords(column: string, words: string): RawBuilder<boolean> {
  const pattern = `%${words.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  return sql<boolean>`small_letters(${sql.ref(column)}) like ${pattern} escape '\\'`;
}

/**
 * Whether a column begins with these signs, as they are, by an index on it (on PostgreSQL one that
 * is ordered as in "C": a language's own order takes no notice of some signs).
 */
export function beginsWith(
  { engine }: Pick<Database, "engine">,
  column: string,
  beginning: string,
): RawBuilder<boolean> {
  const ordered = engine === "postgres" ? sql`${sql.ref(column)} collate "C"` : sql.ref(column);
  const first = beginning.toWellFormed();
  return sql<boolean>`(${ordered} >= ${first} and ${ordered} < ${`${first}\u{10ffff}`})`;
}
