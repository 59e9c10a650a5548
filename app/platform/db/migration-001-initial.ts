import { type Kysely, sql } from "kysely";
import type { Engine } from "./columns.ts";
import { initialTables } from "./migration-001-tables.ts";

/** Everything that the site stores, and what the database maintains by itself. */
export async function initial(db: Kysely<unknown>, engine: Engine): Promise<void> {
  for (const statement of initialTables(engine)) await sql.raw(statement).execute(db);
  await contentVersion(db, engine);
  await (engine === "postgres" ? searchOnPostgres(db) : searchOnSqlite(db));
}

/** One number that changes with every committed change of the courses (docs/decisions/002). A
 * migration that rebuilds one of these tables must create its triggers again. */
async function contentVersion(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await sql`
    create table content_version (
      id integer primary key check (id = 1),
      version bigint not null)`.execute(db);
  await sql`insert into content_version (id, version) values (1, 1)`.execute(db);
  const tables = ["products", "modules", "lessons"];
  const changes = ["insert", "update", "delete"];
  if (engine === "sqlite") {
    for (const table of tables)
      for (const change of changes)
        await sql
          .raw(
            `create trigger content_version_${table}_${change} after ${change} on ${table}
             begin update content_version set version = version + 1; end`,
          )
          .execute(db);
    return;
  }
  // Once in each transaction and at its end: the row is locked last, so that two transactions that
  // change several tables cannot deadlock. The function finds its table whatever the search_path of
  // the session is: that of a pg_dump's restore is empty.
  await sql`
    create function bump_content_version() returns trigger language plpgsql
    set search_path from current as $$
    begin
      if current_setting('blue_dot.content_bumped', true) is distinct from 'yes' then
        update content_version set version = version + 1;
        perform set_config('blue_dot.content_bumped', 'yes', true);
      end if;
      return null;
    end $$`.execute(db);
  for (const table of tables)
    await sql
      .raw(
        `create constraint trigger content_version_${table}
         after ${changes.join(" or ")} on ${table} deferrable initially deferred
         for each row execute function bump_content_version()`,
      )
      .execute(db);
}

/** Search for people by the beginnings of words in their names and email addresses
 * (docs/decisions/015). The full-text table identifies rows by number, and those of `profiles` may
 * change when the file is compacted, so users have numbers of their own. Prefixes of up to eight
 * letters are indexed as they are: a search for 'example' reads a thousand rows, not all. */
async function searchOnSqlite(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table people_numbers (number integer primary key,
       user_id text not null unique references profiles (id) on delete cascade)`,
    `create virtual table people_search using fts5 (words, content='', contentless_delete=1,
       tokenize="unicode61 remove_diacritics 2 separators '${pictures()}'",
       prefix='1 2 3 4 5 6 7 8')`,
    ...["insert", "update of name, email"].map(
      (change) => `create trigger people_search_${change.split(" ")[0]} after ${change} on profiles
       begin
         insert into people_numbers (user_id) values (new.id) on conflict do nothing;
         insert or replace into people_search (rowid, words)
           select number, new.name || ' ' || new.email from people_numbers where user_id = new.id;
       end`,
    ),
    // Also where foreign keys are off, as in another program that opens the file.
    `create trigger people_search_leave after delete on profiles
       begin delete from people_numbers where user_id = old.id; end`,
    `create trigger people_search_delete after delete on people_numbers
       begin delete from people_search where rowid = old.number; end`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Emoji: those added after 2012 would count as letters in the full-text table. */
function pictures(): string {
  const [first, last] = [0x1f000, 0x1faff];
  const codes = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return String.fromCodePoint(...codes);
}

/** The words as platform/db/search.ts makes them, a row each: a prefix is looked up in order
 * and only as many rows as are wanted are read, which an index of whole texts cannot do. Letters
 * beyond ASCII are recognized and lowercased by ICU where the server has it. */
async function searchOnPostgres(db: Kysely<unknown>): Promise<void> {
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
    "create index people_words_user on people_words (user_id, word)",
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
}
