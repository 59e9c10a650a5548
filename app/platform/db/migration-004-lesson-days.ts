import { type Kysely, sql } from "kysely";
import type { Engine } from "./columns.ts";

/** From when the days of one student's lessons count, where the coach has moved them. The index finds
 * whose lessons open in the coming hour. */
export async function lessonDays(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const type = sql.raw(engine === "postgres" ? "timestamptz" : "text");
  for (const table of ["enrollments", "former_enrollments"])
    await sql`alter table ${sql.ref(table)} add column lessons_from_at ${type}`.execute(db);
  await sql`create index enrollments_days on enrollments
    (product_id, coalesce(lessons_from_at, created_at), id)`.execute(db);
}
