import { type Kysely, sql } from "kysely";
import { columnKinds, type Engine } from "../columns.ts";

/** The site's own newsletter list; and old rate limits are found without reading all of them. */
export async function newsletter(db: Kysely<unknown>, engine: Engine) {
  const kind = columnKinds(engine);
  await db.schema
    .createTable("subscribers")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("email_key", "text", (c) => c.notNull().unique())
    .addColumn("first_name", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) =>
      c.notNull().check(sql`status in ('pending', 'confirmed', 'unsubscribed')`),
    )
    .addColumn("generation", "integer", (c) => c.notNull())
    .addColumn("letter_times", kind.json, (c) => c.notNull())
    .addColumn("asked_at", kind.time, (c) => c.notNull())
    .addColumn("confirmed_at", kind.time)
    .addColumn("unsubscribed_at", kind.time)
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("subscribers_waiting")
    .on("subscribers")
    .columns(["status", "asked_at"])
    .execute();
  await db.schema.createIndex("rate_limits_age").on("rate_limits").column("last_request").execute();
}
