import { type Kysely, sql } from "kysely";
import { columnKinds, type Engine } from "../columns.ts";

/** Which letters somebody wants, when it is morning where she is, and what she was told of already. */
export async function letters(db: Kysely<unknown>, engine: Engine) {
  const kind = columnKinds(engine);
  await db.schema.alterTable("profiles").addColumn("time_zone", "text").execute();
  await db.schema
    .alterTable("products")
    .addColumn("lesson_mails", "text", (c) => c.notNull().defaultTo("notice"))
    .execute();
  // Its page has always promised a lesson a day by email (content/pages/seven-days-of-calm.md).
  await sql`update products set lesson_mails = 'lesson' where slug = 'seven-days-of-calm'`.execute(
    db,
  );
  await db.schema
    .createTable("declined_mails")
    .addColumn("user_id", "text", (c) => c.notNull().references("profiles.id").onDelete("cascade"))
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("created_at", kind.time, (c) => c.notNull())
    .addPrimaryKeyConstraint("declined_mails_once", ["user_id", "kind"])
    .execute();
  // One row for each day on which somebody gets a letter about lessons.
  await db.schema
    .createTable("lesson_letters")
    .addColumn("user_id", "text", (c) => c.notNull().references("profiles.id").onDelete("cascade"))
    .addColumn("day", "text", (c) => c.notNull())
    .addColumn("outbox_id", "text", (c) => c.notNull())
    .addColumn("closed_at", kind.time)
    .addPrimaryKeyConstraint("lesson_letters_once", ["user_id", "day"])
    .execute();
  await db.schema.createIndex("lesson_letters_day").on("lesson_letters").column("day").execute();
  // What the letter of that day is about. Whoever is enrolled no longer is told of nothing.
  await db.schema
    .createTable("lesson_letter_lines")
    .addColumn("enrollment_id", "text", (c) =>
      c.notNull().references("enrollments.id").onDelete("cascade"),
    )
    .addColumn("lesson_id", "text", (c) => c.notNull().references("lessons.id"))
    .addColumn("day", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("lesson_letter_lines_once", ["enrollment_id", "lesson_id"])
    .execute();
  await db.schema
    .createIndex("lesson_letter_lines_day")
    .on("lesson_letter_lines")
    .column("day")
    .execute();
  // How far each lesson has got among those who are enrolled, in the order of their enrollment.
  await db.schema
    .createTable("lesson_marks")
    .addColumn("lesson_id", "text", (c) => c.primaryKey().references("lessons.id"))
    .addColumn("enrolled_at", kind.time, (c) => c.notNull())
    .addColumn("enrollment_id", "text", (c) => c.notNull())
    .addColumn("from_start", kind.boolean, (c) => c.notNull())
    .execute();
}
