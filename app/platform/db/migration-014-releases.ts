import { type Kysely, sql } from "kysely";
import type { Engine } from "./columns.ts";

/** Changes of pages and courses that become public together. */
export async function releases(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const time = engine === "postgres" ? "timestamptz" : "text";
  const statements = [
    `create table releases (
      id text primary key,
      title text not null,
      state text not null,
      problem text,
      author_id text references profiles on delete set null,
      due_at ${time},
      published_at ${time},
      created_at ${time} not null,
      updated_at ${time} not null)`,
    "create index releases_created on releases (created_at, id)",
    `create table release_changes (
      release_id text not null references releases on delete cascade,
      subject text not null,
      changes text not null,
      drafts text not null,
      before_number integer,
      after_number integer,
      primary key (release_id, subject))`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
