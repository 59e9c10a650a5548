import { type Kysely, sql } from "kysely";
import type { Engine } from "./columns.ts";

/** Old addresses with where they lead, and addresses that visitors did not find: of those only how
 * often and on which day last. Nothing of who. */
export async function redirects(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const time = engine === "postgres" ? "timestamptz" : "text";
  const statements = [
    `create table redirects (
      id text primary key,
      from_path text not null unique,
      target text not null,
      hits integer not null default 0,
      created_at ${time} not null)`,
    "create index redirects_target on redirects (target)",
    "create index redirects_created on redirects (created_at, id)",
    `create table lost_pages (
      path text primary key,
      requests integer not null,
      last_day text not null,
      ignored_at ${time})`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
