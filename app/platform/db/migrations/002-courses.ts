import { type Kysely, sql } from "kysely";
import { columnKinds, type Engine } from "../columns.ts";

/** Courses, their modules and lessons. Deleting sets `deleted_at` and frees the slug. */
export async function courses(db: Kysely<unknown>, engine: Engine) {
  const kind = columnKinds(engine);
  await db.schema
    .createTable("products")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("slug", "text", (c) => c.notNull())
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("description", "text")
    .addColumn("price_cents", "integer", (c) => c.notNull().check(sql`price_cents >= 0`))
    .addColumn("active", kind.boolean, (c) => c.notNull())
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addColumn("updated_at", kind.time, (c) => c.notNull())
    .addColumn("deleted_at", kind.time)
    .execute();
  await db.schema
    .createIndex("products_slug")
    .unique()
    .on("products")
    .column("slug")
    .where(sql.ref("deleted_at"), "is", null)
    .execute();
  await db.schema
    .createTable("modules")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("product_id", "text", (c) => c.notNull().references("products.id"))
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("order_num", "integer", (c) => c.notNull().check(sql`order_num >= 1`))
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addColumn("updated_at", kind.time, (c) => c.notNull())
    .addColumn("deleted_at", kind.time)
    .execute();
  await db.schema
    .createIndex("modules_product")
    .on("modules")
    .columns(["product_id", "order_num"])
    .execute();
  await db.schema
    .createTable("lessons")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("module_id", "text", (c) => c.notNull().references("modules.id"))
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("slug", "text", (c) => c.notNull())
    .addColumn("order_num", "integer", (c) => c.notNull().check(sql`order_num >= 1`))
    .addColumn("drip_day", "integer", (c) => c.notNull().defaultTo(0).check(sql`drip_day >= 0`))
    .addColumn("content", "text", (c) => c.notNull())
    .addColumn("content_html", "text", (c) => c.notNull())
    .addColumn("prompts", kind.json)
    .addColumn("mux_playback_id", "text")
    .addColumn("audio_key", "text")
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addColumn("updated_at", kind.time, (c) => c.notNull())
    .addColumn("deleted_at", kind.time)
    .execute();
  await db.schema
    .createIndex("lessons_slug")
    .unique()
    .on("lessons")
    .columns(["module_id", "slug"])
    .where(sql.ref("deleted_at"), "is", null)
    .execute();
}
