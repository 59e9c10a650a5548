import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import { letters } from "~/platform/db/migrations/010-letters.ts";
import { createCourse } from "../../support/courses.ts";
import { openTestServices } from "../../support/services.ts";

test("a site that has 7 Days of Calm already sends its lessons, as the page has promised", async () => {
  const kit = await openTestServices();
  const { db } = kit.services;
  try {
    for (const slug of ["seven-days-of-calm", "another"])
      await createCourse(kit.services, [], { slug });
    // As it was before: the courses were there, and nothing of this.
    for (const table of ["lesson_marks", "lesson_letter_lines", "lesson_letters", "declined_mails"])
      await sql`drop table ${sql.ref(table)}`.execute(db.write);
    await sql`alter table products drop column lesson_mails`.execute(db.write);
    await sql`alter table profiles drop column time_zone`.execute(db.write);
    await letters(db.write as unknown as Kysely<unknown>, db.engine);
    const products = db.read.selectFrom("products").select(["slug", "lessonMails"]);
    expect(await products.orderBy("slug").execute()).toEqual([
      { slug: "another", lessonMails: "notice" },
      { slug: "seven-days-of-calm", lessonMails: "lesson" },
    ]);
  } finally {
    await kit.close();
  }
});
