import { type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";

/** `small_letters` knows more letters than `lower` of SQLite, or of a PostgreSQL database. */
export function hasWords(column: string, words: string): RawBuilder<boolean> {
  const pattern = `%${words.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  return sql<boolean>`small_letters(${sql.ref(column)}) like ${pattern} escape '\\'`;
}

/** By an index (PostgreSQL: collation "C", since a language's own ignores some characters). */
export function beginsWith(
  { engine }: Pick<Database, "engine">,
  column: string,
  beginning: string,
): RawBuilder<boolean> {
  const ordered = engine === "postgres" ? sql`${sql.ref(column)} collate "C"` : sql.ref(column);
  const first = beginning.toWellFormed();
  return sql<boolean>`(${ordered} >= ${first} and ${ordered} < ${`${first}\u{10ffff}`})`;
}
