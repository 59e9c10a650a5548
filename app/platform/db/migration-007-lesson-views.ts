import { type Kysely, sql } from "kysely";
import type { Engine } from "./columns.ts";
import { type TallySource, tally } from "./tally-triggers.ts";

const sources: readonly TallySource[] = [
  {
    ...{ name: "opened", table: "lesson_views", kind: "opened" },
    ...{ subject: "row.lesson_id", columns: ["lesson_id"] },
  },
  {
    ...{ name: "completed", table: "progress", kind: "completed" },
    ...{ subject: "row.lesson_id", columns: ["lesson_id"] },
  },
];

/** When a student first opened a lesson. One that was completed before was opened by then. */
export async function lessonViews(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const time = engine === "postgres" ? "timestamptz" : "text";
  const statements = [
    `create table lesson_views (
      user_id text not null references profiles on delete cascade,
      lesson_id text not null references lessons,
      created_at ${time} not null,
      constraint lesson_views_once primary key (user_id, lesson_id))`,
    `insert into lesson_views (user_id, lesson_id, created_at)
      select user_id, lesson_id, created_at from progress`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  for (const source of sources) await tally(db, engine, source);
}
