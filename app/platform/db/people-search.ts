import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Engine } from "./columns.ts";
import type { Database, Query } from "./database.ts";
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
  const words = [...new Set(wordsOf(search))];
  return words.length === 0 ? { ids: [] } : looking[db.engine](db.read, words);
}

/** By the words that the database keeps (migration 008). */
const looking = {
  /** Whether they are few takes the index alone. */
  async sqlite(db: Query, words: string[]): Promise<People> {
    const match = words.map((word) => `"${word}"*`).join(" ");
    const { rows: some } = await sql`
      select rowid from people_search where people_search match ${match} limit ${few + 1}`.execute(
      db,
    );
    const filter = sql<SqlBool>`
      has_beginnings(profiles.name || ' ' || profiles.email, ${JSON.stringify(words)})`;
    if (some.length > few) return { filter };
    return idsOf(
      db,
      sql<{ id: string }>`select user_id as id from people_search
        inner join people_numbers on people_numbers.number = people_search.rowid
        where people_search match ${match} limit ${few + 1}`,
    );
  },
  /**
   * Never all rows of a word that very many have: a thousand of each tell whether one is rare, and
   * the rarest word's people are then asked for the others. Else a hundred of them are: how many have
   * the others too says how soon a walk meets such people. Where few do, twenty thousand rows of
   * each word at most tell which is the rarest, and its people are gathered if they seem to be few.
   */
  async postgres(db: Query, words: string[]): Promise<People> {
    const filter = hasWords("profiles.id", words);
    const first = await rarestOf(db, words, few + 1);
    if (first.rows <= few) return idsOf(db, having(first));
    if (words.length === 1) return { filter };
    const { rows: met } = await sql`select from ${having(first, sample)} as met`.execute(db);
    if (met.length > sample / 2) return { filter };
    const rarest = await rarestOf(db, words, 20 * few);
    if ((met.length / sample) * rarest.rows > few) return { filter };
    const all = sql<{ id: string }>`select id from ${having(rarest)} as found limit ${few + 1}`;
    const found = await idsOf(db, all);
    return found.ids.length > few ? { filter } : found;
  },
} satisfies Record<Engine, (db: Query, words: string[]) => Promise<People>>;

/** So many people with one word tell how many of them have the others. */
const sample = 100;

type Rarest = { word: string; others: string[]; rows: number };

/** The word that the fewest people have, as far as `limit` rows of each tell. */
async function rarestOf(db: Query, words: string[], limit: number): Promise<Rarest> {
  const counts = words.map((word) => sql`(select count(*) from ${rowsOf(word, limit)} as rows)`);
  const { rows } = await sql<{ counts: number[] }>`
    select array[${sql.join(counts)}]::int[] as counts`.execute(db);
  const numbers = rows[0]?.counts ?? [];
  const least = Math.min(...numbers);
  const index = numbers.indexOf(least);
  return { word: words[index] ?? "", others: words.toSpliced(index, 1), rows: least };
}

/** Who has a word (all of them, or some) and the others. */
function having({ word, others }: Rarest, limit: number | null = null) {
  return sql<{ id: string }>`(select distinct user_id as id from ${rowsOf(word, limit)} as people
    where ${hasWords("people.user_id", others)})`;
}

const rowsOf = (word: string, limit: number | null) =>
  sql`(select user_id from people_words where word like ${`${word}%`} limit ${limit})`;

async function idsOf(db: Query, query: RawBuilder<{ id: string }>) {
  const { rows } = await query.execute(db);
  return { ids: rows.map(({ id }) => id) };
}

/** On PostgreSQL, of one row: written so that it is not made into a join with everybody's words. */
function hasWords(userId: string, words: string[]): Expression<SqlBool> {
  const each = words.map(
    (word) => sql`(select true from people_words where user_id = ${sql.ref(userId)}
      and word like ${`${word}%`} limit 1) is true`,
  );
  return sql<SqlBool>`(${each.length > 0 ? sql.join(each, sql` and `) : sql`true`})`;
}

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
