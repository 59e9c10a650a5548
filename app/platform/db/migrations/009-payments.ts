import { type Kysely, sql } from "kysely";
import { columnKinds, type Engine } from "../columns.ts";

/** What was bought and given back, and what Stripe has told of it. */
export async function payments(db: Kysely<unknown>, engine: Engine) {
  const kind = columnKinds(engine);
  await db.schema
    .createTable("payments")
    .addColumn("id", "text", (c) => c.primaryKey())
    // What was paid stays on record when the account is gone.
    .addColumn("user_id", "text", (c) => c.references("profiles.id").onDelete("set null"))
    .addColumn("product_id", "text", (c) => c.notNull().references("products.id"))
    // Null until Stripe has answered: what is asked for is written down before it is asked.
    .addColumn("checkout_session_id", "text", (c) => c.unique())
    .addColumn("payment_intent_id", "text", (c) => c.unique())
    .addColumn("status", "text", (c) =>
      c
        .notNull()
        .check(sql`status in ('started', 'paid', 'failed', 'refunded', 'disputed', 'expired')`),
    )
    .addColumn("amount_cents", "integer", (c) => c.notNull())
    .addColumn("refunded_cents", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("answers", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("currency", "text", (c) => c.notNull())
    .addColumn("dispute", "text")
    .addColumn("booking_reason", "text")
    .addColumn("receipt_at", kind.time)
    .addColumn("paid_at", kind.time)
    .addColumn("ended_at", kind.time)
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addColumn("updated_at", kind.time, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("payments_user")
    .on("payments")
    .columns(["user_id", "product_id"])
    .execute();
  await db.schema
    .createIndex("payments_newest")
    .on("payments")
    .columns(["created_at", "id"])
    .execute();
  // The coach's list: what was never paid is no payment.
  await db.schema
    .createIndex("payments_paid")
    .on("payments")
    .columns(["paid_at", "id"])
    .where(sql<boolean>`paid_at is not null`)
    .execute();
  await attentions(db, engine);
  await db.schema
    .createTable("stripe_events")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("object_id", "text", (c) => c.notNull())
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addColumn("tried_at", kind.time)
    .addColumn("handled_at", kind.time)
    .execute();
  await db.schema
    .createIndex("stripe_events_age")
    .on("stripe_events")
    .columns(["created_at"])
    .execute();
  await db.schema
    .createIndex("stripe_events_left")
    .on("stripe_events")
    .columns(["tried_at", "created_at"])
    .where(sql<boolean>`handled_at is null`)
    .execute();
  await db.schema.alterTable("former_enrollments").addColumn("reason", "text").execute();
}

/** What needs the coach: a row for each thing that happened, told once and open until it is dealt with. */
async function attentions(db: Kysely<unknown>, engine: Engine) {
  const kind = columnKinds(engine);
  await db.schema
    .createTable("payment_attentions")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("payment_id", "text", (c) => c.notNull().references("payments.id"))
    .addColumn("reason", "text", (c) => c.notNull())
    .addColumn("cause", "text", (c) => c.notNull())
    .addColumn("raised_at", kind.time, (c) => c.notNull())
    .addColumn("attended_at", kind.time)
    .addUniqueConstraint("payment_attentions_once", ["payment_id", "reason", "cause"])
    .execute();
  await db.schema
    .createIndex("payment_attentions_open")
    .on("payment_attentions")
    .columns(["raised_at", "id"])
    .where(sql<boolean>`attended_at is null`)
    .execute();
}
