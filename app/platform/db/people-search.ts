import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Engine } from "./columns.ts";
import type { Database, Query } from "./database.ts";
import { searchWords } from "./search.ts";

// Up to this many matches are fetched and sorted; beyond, an index is walked in order.
export const few = 1000;

export type People =
  | { ids: readonly string[]; filter?: never }
  | { ids?: never; filter: Expression<SqlBool> };

/** By the beginnings of words in name and email, in any order. @returns null for no search */
export async function findPeople(db: Database, search: string): Promise<People | null> {
  if (search.trim() === "") return null;
  const words = [...new Set(searchWords(search))];
  return words.length === 0 ? { ids: [] } : looking[db.engine](db.read, words);
}

const looking = {
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
  /** Never reads all rows of a very common word: a thousand of each tell whether one is rare, and
   * then its users are checked for the others. Else a sample of users with one word tells how soon
   * an index walk meets matches; where few match, twenty thousand rows of each word find the
   * rarest, whose users are gathered if they seem few. */
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

const sample = 100;

type Rarest = { word: string; others: string[]; rows: number };

async function rarestOf(db: Query, words: string[], limit: number): Promise<Rarest> {
  const counts = words.map((word) => sql`(select count(*) from ${rowsOf(word, limit)} as rows)`);
  const { rows } = await sql<{ counts: number[] }>`
    select array[${sql.join(counts)}]::int[] as counts`.execute(db);
  const numbers = rows[0]?.counts ?? [];
  const least = Math.min(...numbers);
  const index = numbers.indexOf(least);
  return { word: words[index] ?? "", others: words.toSpliced(index, 1), rows: least };
}

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

// For PostgreSQL, written so that it does not become a join with everyone's words.
function hasWords(userId: string, words: string[]): Expression<SqlBool> {
  const each = words.map(
    (word) => sql`(select true from people_words where user_id = ${sql.ref(userId)}
      and word like ${`${word}%`} limit 1) is true`,
  );
  return sql<SqlBool>`(${each.length > 0 ? sql.join(each, sql` and `) : sql`true`})`;
}

export function isAmong(
  { engine }: Pick<Database, "engine">,
  column: string,
  ids: readonly string[],
): Expression<SqlBool> {
  return engine === "postgres"
    ? sql<SqlBool>`${sql.ref(column)} = any(${ids}::text[])`
    : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`;
}
