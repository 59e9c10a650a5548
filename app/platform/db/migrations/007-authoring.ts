import { type Kysely, sql } from "kysely";
import { columnKinds, type Engine } from "../columns.ts";

/** What the coach's side keeps: revisions, media, drafts, invitations, places in a video. */
export async function authoring(db: Kysely<unknown>, engine: Engine) {
  const kind = columnKinds(engine);
  for (const table of ["products", "modules", "lessons"])
    await db.schema
      .alterTable(table)
      .addColumn("revision", "integer", (c) => c.notNull().defaultTo(1))
      .execute();
  for (const column of ["video_captions", "video_transcript", "audio_transcript"])
    await db.schema.alterTable("lessons").addColumn(column, "text").execute();
  await db.schema
    .createIndex("lessons_module")
    .on("lessons")
    .columns(["module_id", "order_num"])
    .execute();
  // How many students completed a lesson: asked before it is deleted.
  await db.schema.createIndex("progress_lesson").on("progress").column("lesson_id").execute();
  await media(db, kind);
  await people(db, kind);
}

type Kind = ReturnType<typeof columnKinds>;

async function media(db: Kysely<unknown>, kind: Kind) {
  await db.schema
    .createTable("uploads")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("bucket", "text", (c) => c.notNull())
    .addColumn("key", "text", (c) => c.notNull())
    .addColumn("file_name", "text", (c) => c.notNull())
    .addColumn("size", "bigint", (c) => c.notNull())
    .addColumn("lesson_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull().references("profiles.id").onDelete("cascade"))
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addColumn("received_at", kind.time)
    .addColumn("finished_at", kind.time)
    .addColumn("refused_at", kind.time)
    .addColumn("reason", "text")
    .addColumn("multipart_id", "text")
    .addColumn("lease_owner", "text")
    .addColumn("leased_until_at", kind.time)
    .addColumn("lease_wanted_at", kind.time)
    .addUniqueConstraint("uploads_key", ["bucket", "key"])
    .execute();
  await db.schema.createIndex("uploads_lesson").on("uploads").columns(["lesson_id"]).execute();
  await db.schema
    .createTable("media_files")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("bucket", "text", (c) => c.notNull())
    .addColumn("key", "text", (c) => c.notNull())
    .addColumn("file_name", "text", (c) => c.notNull())
    .addColumn("content_type", "text", (c) => c.notNull())
    .addColumn("size", "bigint", (c) => c.notNull())
    .addColumn("duration_ms", "integer")
    .addColumn("lesson_id", "text")
    .addColumn("unused_since_at", kind.time)
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addUniqueConstraint("media_files_key", ["bucket", "key"])
    .execute();
  await db.schema
    .createTable("stray_files")
    .addColumn("name", "text", (c) => c.primaryKey())
    .addColumn("noticed_at", kind.time, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("media_files_lesson")
    .on("media_files")
    .columns(["lesson_id"])
    .execute();
  await db.schema
    .createTable("authoring_drafts")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("profiles.id").onDelete("cascade"))
    .addColumn("lesson_id", "text", (c) => c.notNull())
    .addColumn("fields", kind.json, (c) => c.notNull())
    .addColumn("base_revision", "integer", (c) => c.notNull())
    .addColumn("saves", "integer", (c) => c.notNull())
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addColumn("updated_at", kind.time, (c) => c.notNull())
    .addColumn("discarded_at", kind.time)
    .execute();
  await db.schema
    .createIndex("authoring_drafts_user")
    .on("authoring_drafts")
    .columns(["user_id", "lesson_id"])
    .execute();
}

async function people(db: Kysely<unknown>, kind: Kind) {
  await db.schema
    .createTable("former_enrollments")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("profiles.id").onDelete("cascade"))
    .addColumn("product_id", "text", (c) => c.notNull().references("products.id"))
    .addColumn("stripe_payment_id", "text")
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addColumn("removed_at", kind.time, (c) => c.notNull())
    .addColumn("removed_by", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("former_enrollments_user")
    .on("former_enrollments")
    .columns(["user_id", "removed_at"])
    .execute();
  await db.schema
    .createTable("invitations")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("name", "text")
    .addColumn("product_id", "text", (c) => c.notNull().references("products.id"))
    .addColumn("token_hash", "text", (c) => c.notNull().unique())
    .addColumn("invited_by", "text", (c) => c.notNull())
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addColumn("expires_at", kind.time, (c) => c.notNull())
    .addColumn("accepted_at", kind.time)
    .addColumn("withdrawn_at", kind.time)
    .addColumn("letter_refused_at", kind.time)
    .execute();
  await db.schema
    .createIndex("invitations_waiting_once")
    .on("invitations")
    .columns(["email", "product_id"])
    .unique()
    .where(sql.ref("accepted_at"), "is", null)
    .where(sql.ref("withdrawn_at"), "is", null)
    .execute();
  await db.schema
    .createIndex("invitations_newest")
    .on("invitations")
    .columns(["created_at", "id"])
    .execute();
  await db.schema
    .createTable("sent_mails")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("profiles.id").onDelete("cascade"))
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("sent_mails_user")
    .on("sent_mails")
    .columns(["user_id", "created_at"])
    .execute();
  await db.schema
    .createTable("playback_positions")
    .addColumn("user_id", "text", (c) => c.notNull().references("profiles.id").onDelete("cascade"))
    .addColumn("lesson_id", "text", (c) => c.notNull().references("lessons.id"))
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("key", "text", (c) => c.notNull())
    .addColumn("position_ms", "integer", (c) => c.notNull())
    .addColumn("updated_at", kind.time, (c) => c.notNull())
    .addPrimaryKeyConstraint("playback_positions_once", ["user_id", "lesson_id", "kind"])
    .execute();
}
