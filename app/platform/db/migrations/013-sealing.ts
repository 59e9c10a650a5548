import { type Kysely, sql } from "kysely";
import { columnKinds, type Engine } from "../columns.ts";

/**
 * A key a person, and a place for sealed drafts. Sealed answers of a completed lesson are in
 * journal_answer. `answers` held the readable words and is empty from now on; what is in it from
 * before, or from an older version that runs beside this one, is found by an index of its own.
 */
export async function sealing(db: Kysely<unknown>, engine: Engine) {
  const kind = columnKinds(engine);
  await db.schema
    .createTable("journal_keys")
    .addColumn("user_id", "text", (c) =>
      c.primaryKey().references("profiles.id").onDelete("cascade"),
    )
    .addColumn("wrapped_key", "text", (c) => c.notNull())
    .addColumn("master_id", "text", (c) => c.notNull())
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("journal_keys_master")
    .on("journal_keys")
    .columns(["master_id", "user_id"])
    .execute();
  await db.schema.alterTable("lesson_drafts").addColumn("sealed_answers", "text").execute();
  await db.schema
    .createIndex("progress_readable")
    .on("progress")
    .columns(["user_id", "lesson_id"])
    .where(sql<boolean>`answers <> '[]'`)
    .execute();
  await db.schema
    .createIndex("lesson_drafts_readable")
    .on("lesson_drafts")
    .column("id")
    .where(sql<boolean>`answers <> '[]'`)
    .execute();
  await db.schema
    .createIndex("lesson_drafts_leftover")
    .on("lesson_drafts")
    .column("id")
    .where(sql<boolean>`discarded_at is not null and sealed_answers is not null`)
    .execute();
}
