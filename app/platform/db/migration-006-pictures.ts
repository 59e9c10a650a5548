import { type Kysely, sql } from "kysely";
import type { Engine } from "./columns.ts";

/** Pictures, what uses them, and the cover of a course. A use may come before its lesson is saved. */
export async function pictures(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const [time, json] = engine === "postgres" ? ["timestamptz", "jsonb"] : ["text", "text"];
  const statements = [
    `create table pictures (
      id text primary key,
      hash text not null,
      lesson_id text,
      width integer not null,
      height integer not null,
      widths ${json} not null,
      created_at ${time} not null,
      unused_since_at ${time})`,
    "create unique index pictures_public on pictures (hash) where lesson_id is null",
    "create index pictures_unused on pictures (unused_since_at) where unused_since_at is not null",
    `create table picture_uses (
      lesson_id text not null,
      picture_id text not null references pictures on delete cascade,
      what text not null check (what in ('text', 'poster')),
      primary key (lesson_id, what, picture_id))`,
    "create index picture_uses_picture on picture_uses (picture_id)",
    "alter table products add column cover_id text references pictures",
    "alter table products add column cover_alt text",
    "create index products_cover on products (cover_id) where cover_id is not null",
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
