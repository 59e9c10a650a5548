import type { Kysely } from "kysely";
import { columnKinds, type Engine } from "../columns.ts";

/** Tables of the authentication library, under our names, with its columns. */
export async function accounts(db: Kysely<unknown>, engine: Engine) {
  const kind = columnKinds(engine);
  await db.schema
    .createTable("profiles")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("email", "text", (c) => c.notNull().unique())
    .addColumn("email_verified", kind.boolean, (c) => c.notNull())
    .addColumn("image", "text")
    .addColumn("role", "text", (c) => c.notNull().defaultTo("student"))
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addColumn("updated_at", kind.time, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("sessions")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("token", "text", (c) => c.notNull().unique())
    .addColumn("user_id", "text", (c) => c.notNull().references("profiles.id").onDelete("cascade"))
    .addColumn("expires_at", kind.time, (c) => c.notNull())
    .addColumn("ip_address", "text")
    .addColumn("user_agent", "text")
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addColumn("updated_at", kind.time, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("sessions_user").on("sessions").column("user_id").execute();
  await db.schema
    .createTable("accounts")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("account_id", "text", (c) => c.notNull())
    .addColumn("provider_id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull().references("profiles.id").onDelete("cascade"))
    .addColumn("access_token", "text")
    .addColumn("refresh_token", "text")
    .addColumn("id_token", "text")
    .addColumn("access_token_expires_at", kind.time)
    .addColumn("refresh_token_expires_at", kind.time)
    .addColumn("scope", "text")
    .addColumn("password", "text")
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addColumn("updated_at", kind.time, (c) => c.notNull())
    .addUniqueConstraint("accounts_provider_account", ["provider_id", "account_id"])
    .execute();
  await db.schema.createIndex("accounts_user").on("accounts").column("user_id").execute();
  await db.schema
    .createTable("verifications")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("identifier", "text", (c) => c.notNull())
    .addColumn("value", "text", (c) => c.notNull())
    .addColumn("expires_at", kind.time, (c) => c.notNull())
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addColumn("updated_at", kind.time, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("verifications_identifier")
    .on("verifications")
    .column("identifier")
    .execute();
  await db.schema
    .createTable("rate_limits")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("key", "text", (c) => c.notNull().unique())
    .addColumn("count", "integer", (c) => c.notNull())
    .addColumn("last_request", "bigint", (c) => c.notNull())
    .execute();
}
