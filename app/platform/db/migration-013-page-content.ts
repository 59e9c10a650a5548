import { type Kysely, sql } from "kysely";
import type { Engine } from "./columns.ts";

/** The words of pages: every version that was published, which one is public, and drafts. */
export async function pageContent(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const time = engine === "postgres" ? "timestamptz" : "text";
  const statements = [
    `create table versions (
      id text primary key,
      subject text not null,
      number integer not null,
      content text not null,
      shown text,
      author_id text references profiles on delete set null,
      created_at ${time} not null)`,
    "create unique index versions_subject on versions (subject, number)",
    `create table pages (
      subject text primary key,
      number integer not null,
      updated_at ${time} not null)`,
    `create table page_drafts (
      subject text not null,
      field text not null,
      id text not null,
      revision integer not null,
      value text not null,
      number integer not null,
      user_id text references profiles on delete set null,
      updated_at ${time} not null,
      primary key (subject, field))`,
    ...(engine === "postgres" ? postgresTrigger : sqliteTriggers),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

// As those of migration 001: cached pages are dropped when the content has changed.
const sqliteTriggers = ["insert", "update", "delete"].map(
  (change) => `create trigger content_version_pages_${change} after ${change} on pages
    begin update content_version set version = version + 1; end`,
);
const postgresTrigger = [
  `create constraint trigger content_version_pages
    after insert or update or delete on pages deferrable initially deferred
    for each row execute function bump_content_version()`,
];
