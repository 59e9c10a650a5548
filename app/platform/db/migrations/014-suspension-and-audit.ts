import type { Kysely } from "kysely";
import { columnKinds, type Engine } from "../columns.ts";

/**
 * Accounts that an administrator has shut, and the list of what administrators do, with an index
 * for each way in which it can be filtered.
 */
export async function suspensionAndAudit(db: Kysely<unknown>, engine: Engine) {
  const kind = columnKinds(engine);
  await db.schema.alterTable("profiles").addColumn("suspended_at", kind.time).execute();
  await db.schema.alterTable("profiles").addColumn("suspended_reason", "text").execute();
  // Administrators are few, and asked for often.
  await db.schema.createIndex("profiles_role").on("profiles").columns(["role", "id"]).execute();
  await db.schema
    .createTable("audit_entries")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("actor_id", "text", (c) => c.references("profiles.id").onDelete("set null"))
    .addColumn("actor_name", "text", (c) => c.notNull())
    .addColumn("action", "text", (c) => c.notNull())
    .addColumn("subject_kind", "text", (c) => c.notNull())
    .addColumn("subject_id", "text")
    .addColumn("label", "text", (c) => c.notNull())
    .addColumn("person_id", "text", (c) => c.references("profiles.id").onDelete("set null"))
    .addColumn("details", kind.json, (c) => c.notNull())
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .execute();
  const order = ["created_at", "id"];
  for (const [name, columns] of [
    ["newest", []],
    ["actor", ["actor_id"]],
    ["kind", ["subject_kind"]],
    ["actor_kind", ["actor_id", "subject_kind"]],
  ] as const)
    await db.schema
      .createIndex(`audit_entries_${name}`)
      .on("audit_entries")
      .columns([...columns, ...order])
      .execute();
  // Deleting an account empties this column, and must not read the whole table for it.
  await db.schema
    .createIndex("audit_entries_person")
    .on("audit_entries")
    .column("person_id")
    .execute();
}
