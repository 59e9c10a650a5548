import { type Kysely, sql } from "kysely";
import { columnKinds, type Engine } from "../columns.ts";

/** Background work, and small facts of the site itself. */
export async function outbox(db: Kysely<unknown>, engine: Engine) {
  const kind = columnKinds(engine);
  await db.schema
    .createTable("outbox")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("payload", kind.json, (c) => c.notNull())
    .addColumn("due_at", kind.time, (c) => c.notNull())
    .addColumn("attempts", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("lease_owner", "text")
    .addColumn("leased_until_at", kind.time)
    .addColumn("finished_at", kind.time)
    .addColumn("failed_at", kind.time)
    .addColumn("last_error", "text")
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("outbox_waiting")
    .on("outbox")
    .columns(["due_at", "id"])
    .where(sql<boolean>`finished_at is null and failed_at is null`)
    .execute();
  await db.schema
    .createTable("settings")
    .addColumn("name", "text", (c) => c.primaryKey())
    .addColumn("value", "text", (c) => c.notNull())
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .execute();
}
