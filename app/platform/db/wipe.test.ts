import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openTestServices } from "../../../tests/support/services.ts";
import { openDatabase, sqliteFile } from "./database.ts";
import { newId } from "./ids.ts";
import { findPeople } from "./people-search.ts";
import { wipeDeleted } from "./wipe.ts";

const isPostgres = Boolean(process.env.TEST_DATABASE_URL);
let test$: Awaited<ReturnType<typeof openTestServices>>;
beforeAll(async () => {
  test$ = await openTestServices();
});
afterAll(() => test$.close());

/** Holds the table until the wipe has been waiting for it so long. */
async function hold(table: string, ms: number) {
  const { db } = test$.services;
  await db.transaction(async (trx) => {
    await sql`lock table ${sql.table(table)} in access share mode`.execute(trx);
    const waiting = sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp() - query_start) * 1000)::int as ms
      from pg_stat_activity
      where datname = current_database() and query like 'vacuum%' and state = 'active'`;
    const patient = { timeout: 10_000, interval: 50 };
    await vi.waitFor(async () => {
      const { rows } = await waiting.execute(db.read);
      expect(rows[0]?.ms).toBeGreaterThan(ms);
    }, patient);
  });
}

test.runIf(isPostgres)(
  "a table may be silent for longer than any other query while it is rewritten",
  async () => {
    const { config } = test$.services;
    const impatient = await openDatabase({ ...config, databaseSilenceMs: 300 }, () => {});
    const held = hold("progress", 1000);
    const wiped = Promise.all([wipeDeleted(impatient, ["progress", "drafts"]), held]);
    expect((await wiped)[0]).toBe(true);
    // PostgreSQL lets go of the lock when it notices that the connection has ended.
    const locks = sql<{ locks: number }>`
      select count(*) as locks from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`;
    await expect
      .poll(async () => (await locks.execute(impatient.read)).rows, { timeout: 10_000 })
      .toEqual([{ locks: 0 }]);
    await impatient.close();
  },
);

/** A word that has no more than its first few letters in common with any other. */
const wordOf = (what: string, n: number) =>
  createHash("sha256").update(`${what} ${n}`).digest("hex").slice(0, 16);
/** The rest of it: the search index leaves out what a word has in common with the one before. */
const restOf = (what: string, n: number) => wordOf(what, n).slice(6);

test.runIf(!isPostgres)(
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
    const wiping = wipeDeleted(db, []).finally(() => {
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

test.runIf(isPostgres)("a table that is in use is left for later", async () => {
  const { db } = test$.services;
  const wiped = await db.transaction(async (trx) => {
    await sql`lock table progress in access share mode`.execute(trx);
    return wipeDeleted(db, ["progress"]);
  });
  expect(wiped).toBe(false);
});

test.runIf(isPostgres)("a connection that breaks is reported as such", async () => {
  const { db } = test$.services;
  const killed = sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'vacuum%'`;
  const failed = db.transaction(async (trx) => {
    await sql`lock table progress in access share mode`.execute(trx);
    const wiping = wipeDeleted(db, ["progress"]).catch((error: unknown) => error);
    await vi.waitFor(async () => expect((await killed.execute(db.read)).rows).toHaveLength(1));
    return wiping;
  });
  expect(await failed).toMatchObject({ code: "57P01" });
});
