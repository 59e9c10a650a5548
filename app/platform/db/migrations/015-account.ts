import { type Kysely, sql } from "kysely";
import { columnKinds, type Engine } from "../columns.ts";

/** What somebody decides about her own account: its address, its time zone, its end. */
export async function account(db: Kysely<unknown>, engine: Engine) {
  const kind = columnKinds(engine);
  await db.schema.alterTable("profiles").addColumn("time_zone_chosen_at", kind.time).execute();
  await db.schema.alterTable("profiles").addColumn("deletion_due_at", kind.time).execute();
  await db.schema
    .createIndex("profiles_leaving")
    .on("profiles")
    .column("deletion_due_at")
    .where(sql<boolean>`deletion_due_at is not null`)
    .execute();
  await db.schema
    .createTable("email_changes")
    .addColumn("user_id", "text", (c) =>
      c.primaryKey().references("profiles.id").onDelete("cascade"),
    )
    .addColumn("new_email", "text", (c) => c.notNull())
    .addColumn("old_token_hash", "text", (c) => c.notNull().unique())
    .addColumn("new_token_hash", "text", (c) => c.notNull().unique())
    .addColumn("old_confirmed_at", kind.time)
    .addColumn("new_confirmed_at", kind.time)
    .addColumn("expires_at", kind.time, (c) => c.notNull())
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .execute();
}
