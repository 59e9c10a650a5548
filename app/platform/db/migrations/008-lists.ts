import { type Kysely, sql } from "kysely";
import type { Engine } from "../columns.ts";

/**
 * What long lists need to be as fast at a million rows as at a thousand: the words of names and
 * addresses, kept by the database itself whoever writes a profile, and an index for each order
 * (docs/decisions/019).
 * @param portion the words of so many people are written by one statement
 */
export async function lists(db: Kysely<unknown>, engine: Engine, portion = 5000) {
  await (engine === "postgres" ? wordsOnPostgres(db, portion) : wordsOnSqlite(db));
  await db.schema
    .createIndex("profiles_newest")
    .on("profiles")
    .columns(["created_at", "id"])
    .execute();
  await db.schema
    .createIndex("profiles_name")
    .on("profiles")
    .expression(sql`lower(name), id`)
    .execute();
  // Ends in the id now: enrollments of the same moment are not sorted anew for each page.
  await db.schema.dropIndex("enrollments_product").execute();
  await db.schema
    .createIndex("enrollments_product")
    .on("enrollments")
    .columns(["product_id", "created_at", "id"])
    .execute();
  await db.schema.dropIndex("sent_mails_user").execute();
  await db.schema
    .createIndex("sent_mails_user")
    .on("sent_mails")
    .columns(["user_id", "created_at", "id"])
    .execute();
}

/**
 * The full-text table keeps words, not texts. It knows rows by number, and those of `profiles`
 * may change when the file is compacted: so people have numbers of their own. Beginnings of up
 * to eight letters are indexed as they are: looking for 'example' reads a thousand rows, not all.
 */
async function wordsOnSqlite(db: Kysely<unknown>) {
  const statements = [
    `create table people_numbers (number integer primary key,
       user_id text not null unique references profiles (id) on delete cascade)`,
    `create virtual table people_search using fts5 (words, content='', contentless_delete=1,
       tokenize="unicode61 remove_diacritics 2 separators '${pictures()}'",
       prefix='1 2 3 4 5 6 7 8')`,
    "insert into people_numbers (user_id) select id from profiles",
    `insert into people_search (rowid, words) select number, name || ' ' || email
       from people_numbers inner join profiles on profiles.id = people_numbers.user_id`,
    ...["insert", "update of name, email"].map(
      (change) => `create trigger people_search_${change.split(" ")[0]} after ${change} on profiles
       begin
         insert into people_numbers (user_id) values (new.id) on conflict do nothing;
         insert or replace into people_search (rowid, words)
           select number, new.name || ' ' || new.email from people_numbers where user_id = new.id;
       end`,
    ),
    // Also where foreign keys are off, as in a program that opens the file by itself.
    `create trigger people_search_leave after delete on profiles
       begin delete from people_numbers where user_id = old.id; end`,
    `create trigger people_search_delete after delete on people_numbers
       begin delete from people_search where rowid = old.number; end`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Emoji; those that came after 2012 would be letters to the full-text table. */
function pictures(): string {
  const [first, last] = [0x1f000, 0x1faff];
  const codes = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return String.fromCodePoint(...codes);
}

/**
 * The words as platform/db/words.ts makes them, a row each: a beginning is looked up in order, as
 * many rows of it as are wanted, which an index of whole texts cannot do. Letters beyond ASCII are
 * told from signs, and made small, by ICU where the server has it: the database's own rules may know
 * of none.
 */
async function wordsOnPostgres(db: Kysely<unknown>, portion: number) {
  const { rows } = await sql<{ icu: boolean; unicode: boolean }>`
    select exists (select from pg_collation where collname = 'und-x-icu') as icu,
      current_setting('server_encoding') = 'UTF8' as unicode`.execute(db);
  const known = rows[0]?.icu ? `collate pg_catalog."und-x-icu"` : "";
  const plain = rows[0]?.unicode
    ? `normalize(regexp_replace(normalize(words, NFD),
         '([A-Za-z])[\\u0300-\\u036f]+', '\\1', 'g'), NFC)`
    : "words";
  const statements = [
    `create function small_letters(words text) returns text
     language sql immutable strict parallel safe as $$ select lower(words ${known}) $$`,
    `create function words_in(words text) returns setof text
     language sql immutable strict parallel safe as $$
       select distinct left(word, 60)
       from regexp_split_to_table(lower((${plain}) ${known}), '[^[:alnum:]]+') as word
       where word <> ''
     $$`,
    `create table people_words (
       word text collate "C" not null,
       user_id text not null references profiles (id) on delete cascade,
       primary key (word, user_id))`,
    `create function keep_people_words() returns trigger language plpgsql
     set search_path from current as $$ begin
       delete from people_words where user_id = new.id;
       insert into people_words (word, user_id)
         select word, new.id from words_in(new.name || ' ' || new.email) as word;
       return null;
     end $$`,
    `create trigger people_words_insert after insert on profiles
     for each row execute function keep_people_words()`,
    `create trigger people_words_update after update of name, email on profiles
     for each row execute function keep_people_words()`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  await fillWords(db, portion);
  await sql`create index people_words_user on people_words (user_id, word)`.execute(db);
}

/**
 * After the triggers: who is written meanwhile is not missed. In portions: one statement for a
 * million people would say nothing for so long that its connection was taken for dead.
 */
async function fillWords(db: Kysely<unknown>, portion: number) {
  for (let last: string | null = ""; last !== null; ) {
    const { rows }: { rows: { last: string | null }[] } = await sql<{ last: string | null }>`
      with portion as (
        select id, name, email from profiles where id > ${last} order by id limit ${portion}
      ), filled as (
        insert into people_words (word, user_id)
          select word, id from portion, words_in(name || ' ' || email) as word
      )
      select max(id) as last from portion`.execute(db);
    last = rows[0]?.last ?? null;
  }
}
