import { type Kysely, sql } from "kysely";
import { columnKinds, type Engine } from "../columns.ts";

/**
 * Ways in beside the password. The tables `passkeys` and `jwks` are the authentication library's,
 * under our names; factors and recovery codes are the site's own, which lets one person have several.
 */
export async function signIn(db: Kysely<unknown>, engine: Engine) {
  const kind = columnKinds(engine);
  const owner = (table: string) =>
    db.schema
      .createTable(table)
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) =>
        c.notNull().references("profiles.id").onDelete("cascade"),
      );
  await db.schema.alterTable("sessions").addColumn("second_factor_at", kind.time).execute();
  await db.schema.alterTable("sessions").addColumn("last_used_at", kind.time).execute();
  await owner("factors")
    .addColumn("factor_type", "text", (c) => c.notNull())
    .addColumn("friendly_name", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("secret", "text", (c) => c.notNull())
    .addColumn("last_step", "integer")
    .addColumn("last_used_at", kind.time)
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("factors_user").on("factors").column("user_id").execute();
  await owner("recovery_codes")
    .addColumn("code_hash", "text", (c) => c.notNull())
    .addColumn("used_at", kind.time)
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addUniqueConstraint("recovery_codes_once", ["user_id", "code_hash"])
    .execute();
  await owner("passkeys")
    .addColumn("name", "text")
    .addColumn("public_key", "text", (c) => c.notNull())
    .addColumn("credential_id", "text", (c) => c.notNull().unique())
    .addColumn("counter", "bigint", (c) => c.notNull())
    .addColumn("device_type", "text", (c) => c.notNull())
    .addColumn("backed_up", kind.boolean, (c) => c.notNull())
    .addColumn("transports", "text")
    .addColumn("created_at", kind.time)
    .addColumn("aaguid", "text")
    .addColumn("last_used_at", kind.time)
    .execute();
  await db.schema.createIndex("passkeys_user").on("passkeys").column("user_id").execute();
  await db.schema
    .createTable("jwks")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("public_key", "text", (c) => c.notNull())
    .addColumn("private_key", "text", (c) => c.notNull())
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addColumn("expires_at", kind.time)
    .addColumn("alg", "text")
    .addColumn("crv", "text")
    .execute();
  // What is clear about the sessions that there are: when they were last prolonged.
  await sql`update sessions set last_used_at = updated_at`.execute(db);
}
