import { type Kysely, sql } from "kysely";
import type { Engine } from "./columns.ts";

/** Photographs of handwritten pages; the sealed bytes are in storage. The row of a deleted account's
 * picture stays until its bytes are gone. */
export async function journalPictures(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const time = engine === "postgres" ? "timestamptz" : "text";
  const statements = [
    `create table journal_pictures (
      id text primary key,
      user_id text references profiles on delete set null,
      lesson_id text not null references lessons,
      size ${engine === "postgres" ? "bigint" : "integer"} not null,
      width integer not null,
      height integer not null,
      created_at ${time} not null,
      stored_at ${time}, deleted_at ${time})`,
    "create index journal_pictures_lesson on journal_pictures (user_id, lesson_id, created_at)",
    `create index journal_pictures_unfinished on journal_pictures (created_at)
      where user_id is null or stored_at is null or deleted_at is not null`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
