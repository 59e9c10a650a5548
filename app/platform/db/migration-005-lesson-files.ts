import { type Kysely, sql } from "kysely";
import type { Engine } from "./columns.ts";

/** Files that students download. Copied lessons list the files of their original, with own titles. */
export async function filesOfLessons(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const time = sql.raw(engine === "postgres" ? "timestamptz" : "text");
  await sql`create table lesson_files (
    id text primary key,
    lesson_id text not null,
    file_id text not null references media_files on delete cascade,
    title text not null,
    order_num integer not null,
    created_at ${time} not null)`.execute(db);
  await sql`create index lesson_files_lesson on lesson_files (lesson_id, order_num, id)`.execute(
    db,
  );
  await sql`create index lesson_files_file on lesson_files (file_id)`.execute(db);
}
