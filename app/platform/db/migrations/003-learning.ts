import type { Kysely } from "kysely";
import { columnKinds, type Engine } from "../columns.ts";

/** Who may study what, and what she did and wrote there. */
export async function learning(db: Kysely<unknown>, engine: Engine) {
  const kind = columnKinds(engine);
  await db.schema
    .createTable("enrollments")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("profiles.id").onDelete("cascade"))
    .addColumn("product_id", "text", (c) => c.notNull().references("products.id"))
    .addColumn("stripe_payment_id", "text")
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addUniqueConstraint("enrollments_user_product", ["user_id", "product_id"])
    .execute();
  await db.schema
    .createIndex("enrollments_newest")
    .on("enrollments")
    .columns(["created_at", "id"])
    .execute();
  await db.schema
    .createIndex("enrollments_product")
    .on("enrollments")
    .columns(["product_id", "created_at"])
    .execute();
  await db.schema
    .createTable("progress")
    .addColumn("user_id", "text", (c) => c.notNull().references("profiles.id").onDelete("cascade"))
    .addColumn("lesson_id", "text", (c) => c.notNull().references("lessons.id"))
    .addColumn("journal_answer", "text")
    .addColumn("answers", kind.json, (c) => c.notNull())
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addPrimaryKeyConstraint("progress_once", ["user_id", "lesson_id"])
    .execute();
  await db.schema
    .createTable("module_completion_emails")
    .addColumn("user_id", "text", (c) => c.notNull().references("profiles.id").onDelete("cascade"))
    .addColumn("module_id", "text", (c) => c.notNull().references("modules.id"))
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addPrimaryKeyConstraint("module_completion_once", ["user_id", "module_id"])
    .execute();
  await db.schema
    .createTable("lesson_drafts")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("profiles.id").onDelete("cascade"))
    .addColumn("lesson_id", "text", (c) => c.notNull().references("lessons.id"))
    .addColumn("answers", kind.json, (c) => c.notNull())
    .addColumn("revision", "integer", (c) => c.notNull())
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addColumn("updated_at", kind.time, (c) => c.notNull())
    .addColumn("discarded_at", kind.time)
    .execute();
  await db.schema
    .createIndex("lesson_drafts_lesson")
    .on("lesson_drafts")
    .columns(["user_id", "lesson_id", "updated_at"])
    .execute();
}
