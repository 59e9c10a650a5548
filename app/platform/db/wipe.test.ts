import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openTestServices } from "../../../tests/support/services.ts";
import { sqliteFile } from "./database.ts";
import { newId } from "./ids.ts";
import { findPeople } from "./people-search.ts";
import { wipeDeleted } from "./wipe.ts";

/** A word that has no more than its first few letters in common with any other. */
const wordOf = (what: string, n: number) =>
  createHash("sha256").update(`${what} ${n}`).digest("hex").slice(0, 16);
/** The rest of it: the search index leaves out what a word has in common with the one before. */
const restOf = (what: string, n: number) => wordOf(what, n).slice(6);

test.skipIf(process.env.TEST_DATABASE_URL)(
  "of people who are deleted or renamed, no word stays in the files, and the others are found",
  async () => {
    const { services, close, clock } = await openTestServices();
    const { db, config } = services;
    const people = Array.from({ length: 1500 }, (_, n) => ({ id: newId(), n }));
    const now = clock.now();
    // In portions: each is a segment of its own in the search index, merged with others as it goes.
    const portions = <Row>(rows: Row[]) =>
      Array.from({ length: rows.length / 30 }, (_, at) => rows.slice(at * 30, at * 30 + 30));
    for (const some of portions(people))
      await db.write
        .insertInto("profiles")
        .values(
          some.map(({ id, n }) => ({
            ...{ id, name: wordOf("name", n), email: `${wordOf("address", n)}@example.com` },
            ...{ emailVerified: true, role: "student", createdAt: now, updatedAt: now },
          })),
        )
        .execute();
    const renamed = people.filter(({ n }) => n % 25 === 1);
    const gone = people.filter(({ n }) => n % 25 === 0);
    for (const some of portions(renamed.map(({ id }) => id)))
      await db.write
        .updateTable("profiles")
        .set({ name: sql`'Another ' || id` })
        .where("id", "in", some)
        .execute();
    for (const some of portions(gone.map(({ id }) => id)))
      await db.write.deleteFrom("profiles").where("id", "in", some).execute();

    let isDone = false;
    const wiping = wipeDeleted(db).finally(() => {
      isDone = true;
    });
    await db.read.selectFrom("profiles").select("id").execute();
    expect(isDone, "reads go on meanwhile").toBe(false);
    expect(await wiping).toBe(true);
    const file = sqliteFile(config);
    const bytes = [file, `${file}-wal`].map((name) => readFileSync(name, "latin1")).join("");
    const left = (what: string, some: typeof people) =>
      some.filter(({ n }) => bytes.includes(restOf(what, n))).length;
    const all = { name: left("name", gone), address: left("address", gone) };
    expect({ ...all, renamed: left("name", renamed) }).toEqual({ name: 0, address: 0, renamed: 0 });
    expect(left("address", renamed)).toBe(renamed.length);
    for (const { id, n } of people.slice(0, 50)) {
      const found = await findPeople(db, wordOf("address", n));
      expect(found?.ids).toEqual(n % 25 === 0 ? [] : [id]);
    }
    await close();
  },
);
