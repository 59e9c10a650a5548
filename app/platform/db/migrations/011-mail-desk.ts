import { type Kysely, sql } from "kysely";
import { columnKinds, type Engine } from "../columns.ts";

/**
 * Whom a piece of work is for, what its letter is called, until when it is of use, why it failed
 * and how often the site stopped in the middle of it, so that the coach can be shown it; with an index for each order that she is shown it in.
 */
export async function mailDesk(db: Kysely<unknown>, engine: Engine) {
  const kind = columnKinds(engine);
  await db.schema
    .alterTable("outbox")
    .addColumn("user_id", "text", (c) => c.references("profiles.id").onDelete("cascade"))
    .execute();
  for (const column of ["address", "subject", "failure"])
    await db.schema.alterTable("outbox").addColumn(column, "text").execute();
  await db.schema.alterTable("outbox").addColumn("works_until_at", kind.time).execute();
  await db.schema
    .alterTable("outbox")
    .addColumn("interruptions", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  // Of rows that go alone (platform/jobs/interrupted.ts), the first that is due.
  await db.schema
    .createIndex("outbox_alone")
    .on("outbox")
    .columns(["due_at", "id"])
    .where(sql<boolean>`interruptions >= 2 and finished_at is null and failed_at is null`)
    .execute();
  // For claims: what is due of some kinds, however much is of others (platform/jobs/claim.ts).
  await db.schema
    .createIndex("outbox_due")
    .on("outbox")
    .columns(["kind", "due_at", "id"])
    .where(sql<boolean>`finished_at is null and failed_at is null`)
    .execute();
  await db.schema.createIndex("outbox_newest").on("outbox").columns(["created_at", "id"]).execute();
  await db.schema
    .createIndex("outbox_failed")
    .on("outbox")
    .columns(["failed_at", "id"])
    .where(sql<boolean>`failed_at is not null`)
    .execute();
  await db.schema
    .createIndex("outbox_finished")
    .on("outbox")
    .columns(["finished_at", "id"])
    .where(sql<boolean>`finished_at is not null`)
    .execute();
  await db.schema
    .createIndex("outbox_user")
    .on("outbox")
    .column("user_id")
    .where(sql<boolean>`user_id is not null`)
    .execute();
  await db.schema
    .createIndex("outbox_address")
    .on("outbox")
    // In the order of bytes, for looking up beginnings (platform/db/search.ts).
    .expression(engine === "postgres" ? sql`address collate "C"` : sql`address`)
    .where(sql<boolean>`address is not null`)
    .execute();
}
