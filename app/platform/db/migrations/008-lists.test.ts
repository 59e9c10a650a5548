import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshDatabase } from "../../../../tests/support/database.ts";
import { newId } from "../ids.ts";
import { openPostgres } from "../postgres.ts";
import type { Tables } from "../tables.ts";
import { accounts } from "./001-accounts.ts";
import { courses } from "./002-courses.ts";
import { learning } from "./003-learning.ts";
import { outbox } from "./004-outbox.ts";
import { contentVersion } from "./005-content-version.ts";
import { newsletter } from "./006-newsletter.ts";
import { authoring } from "./007-authoring.ts";
import { lists } from "./008-lists.ts";

// Only there does one statement that says nothing for a minute lose its connection.
describe.runIf(process.env.TEST_DATABASE_URL)("the words of people who were there before", () => {
  let fresh: Awaited<ReturnType<typeof freshDatabase>>;
  let db: Kysely<Tables>;
  const people = 3000;

  beforeAll(async () => {
    fresh = await freshDatabase();
    db = openPostgres(fresh.url ?? "", () => {});
    const before = [accounts, courses, learning, outbox, contentVersion, newsletter, authoring];
    for (const step of before) await step(db as Kysely<unknown>, "postgres");
    const now = new Date();
    const dates = { createdAt: now, updatedAt: now };
    const rows = Array.from({ length: people }, (_, n) => ({
      ...{ id: newId(), name: `Zoé O’Neill-${n}`, email: `n${n}@mail.example` },
      ...{ emailVerified: true, role: "student" as const, ...dates },
    }));
    await db.insertInto("profiles").values(rows).execute();
    const plain = db as Kysely<unknown>;
    await plain.transaction().execute((trx) => lists(trx, "postgres", 700));
  });
  afterAll(async () => {
    await db.destroy();
    await fresh.drop();
  });

  async function words() {
    const { rows } = await sql<{ word: string; userId: string }>`
      select word, user_id from people_words order by user_id, word`.execute(db);
    return rows.map(({ word, userId }) => `${userId} ${word}`);
  }

  test("are written in portions, and are those that the triggers write", async () => {
    const { rows } = await sql<{ statements: number }>`
      select count(distinct cmin::text) as statements from people_words`.execute(db);
    expect(rows[0]?.statements).toBe(Math.ceil(people / 700));
    const filled = await words();
    expect(filled.length).toBeGreaterThanOrEqual(5 * people);
    await sql`delete from people_words`.execute(db);
    await sql`update profiles set name = name`.execute(db);
    expect(filled).toEqual(await words());
  });
});
