import { type Expression, type SqlBool, sql } from "kysely";
import type { Engine } from "./columns.ts";
import type { Database } from "./database.ts";
import { wordsOf } from "./words.ts";

/** Up to here all that match are fetched and put in order; beyond, the order is walked. */
export const few = 1000;

/**
 * Who matches a search. `ids` when they are few: read only those. Else `filter`, for a query
 * that has `profiles` in it and walks an index in the order it is to be shown in.
 */
export type People =
  | { ids: readonly string[]; filter?: never }
  | { ids?: never; filter: Expression<SqlBool> };

/**
 * Finds people by the beginnings of words in their name and address, in any order and whatever
 * the accents: 'ann lee', 'muller', 'example.com'. All words must be there. Nothing that is
 * typed means anything else than its letters and digits.
 * @returns null for an empty search: everybody
 */
export async function findPeople(db: Database, search: string): Promise<People | null> {
  if (search.trim() === "") return null;
  const words = wordsOf(search);
  if (words.length === 0) return { ids: [] };
  const look = looking[db.engine](words);
  const { rows: first } = await look.some.execute(db.read);
  if (first.length > few) return { filter: walking[db.engine](words) };
  const { rows } = await look.ids.execute(db.read);
  return { ids: rows.map(({ id }) => id) };
}

/** 'ann':* & 'lee':*, which can hold no quote. */
const tsquery = (words: string[]) => words.map((word) => `'${word}':*`).join(" & ");

/** By the index of words (migration 008): whether they are few, which takes the index alone, and who. */
const looking = {
  sqlite(words: string[]) {
    const match = words.map((word) => `"${word}"*`).join(" ");
    return {
      some: sql`select rowid from people_search where people_search match ${match} limit ${few + 1}`,
      ids: sql<{ id: string }>`
        select user_id as id from people_search
        inner join people_numbers on people_numbers.number = people_search.rowid
        where people_search match ${match} limit ${few + 1}`,
    };
  },
  postgres(words: string[]) {
    const matching = sql`from profiles
      where people_words(name, email) @@ ${tsquery(words)}::tsquery limit ${few + 1}`;
    return { some: sql`select 1 ${matching}`, ids: sql<{ id: string }>`select id ${matching}` };
  },
} satisfies Record<Engine, unknown>;

/** Row by row; on PostgreSQL written so that it does not take the index of words instead. */
const walking = {
  sqlite: (words: string[]) =>
    sql<SqlBool>`has_beginnings(profiles.name || ' ' || profiles.email, ${JSON.stringify(words)})`,
  postgres: (words: string[]) =>
    sql<SqlBool>`(people_words(profiles.name, profiles.email) @@ ${tsquery(words)}::tsquery) is true`,
} satisfies Record<Engine, unknown>;

/** Whether a column holds one of these ids, as one parameter however many they are. */
export function isAmong(
  { engine }: Pick<Database, "engine">,
  column: string,
  ids: readonly string[],
): Expression<SqlBool> {
  return engine === "postgres"
    ? sql<SqlBool>`${sql.ref(column)} = any(${ids}::text[])`
    : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`;
}
