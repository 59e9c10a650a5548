import { type RawBuilder, sql } from "kysely";

/**
 * Whether a column has these words in it, whatever their case: `small_letters` knows more letters
 * than SQLite's `lower` (sqlite.ts), or than that of a database of PostgreSQL (migration 008).
 * @param column as it is called in the query, e.g. 'products.title'
 */
export function hasWords(column: string, words: string): RawBuilder<boolean> {
  const pattern = `%${words.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  return sql<boolean>`small_letters(${sql.ref(column)}) like ${pattern} escape '\\'`;
}
