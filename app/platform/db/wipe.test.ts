import { type KyselyPlugin, sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sealJournals } from "~/features/learning/sealing/jobs.server.ts";
import { createPerson } from "../../../tests/support/people.ts";
import { openTestServices } from "../../../tests/support/services.ts";
import { openDatabase } from "./database.ts";
import { wipeDeleted } from "./wipe.ts";
import { isWiped } from "./wiped.ts";

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
  "a table may be silent for longer than any other query while it is written anew",
  async () => {
    const { config } = test$.services;
    const impatient = await openDatabase(config, () => {}, 300);
    const held = hold("progress", 1000);
    const wiped = Promise.all([wipeDeleted(impatient, ["progress", "lesson_drafts"]), held]);
    expect((await wiped)[0]).toBe(true);
    const { rows } = await sql<{ locks: number }>`
      select count(*) as locks from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`.execute(
      impatient.read,
    );
    expect(rows).toEqual([{ locks: 0 }]);
    await impatient.close();
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

test.runIf(isPostgres)("a connection that breaks is told as what it is", async () => {
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

test("what failed is not tried again the same day: a table is locked meanwhile", async () => {
  const { services, clock } = test$;
  await createPerson(services);
  const { db } = services;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (node.kind === "RawNode" && node.sqlFragments[0]?.startsWith("vacuum"))
        throw new Error("no room");
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const write = db.write.withPlugin(plugin);
  const patiently: typeof db.patiently = (work) =>
    db.patiently((own) => work(own.withPlugin(plugin)));
  const failing = { ...services, db: { ...db, write, patiently } };
  await expect(sealJournals.run(failing)).rejects.toThrow("no room");
  clock.forward(3600_000);
  await sealJournals.run(failing);
  expect(await isWiped(services)).toBe(false);
  clock.forward(23 * 3600_000);
  await expect(sealJournals.run(failing)).rejects.toThrow("no room");
  clock.forward(24 * 3600_000);
  await sealJournals.run(services);
  expect(await isWiped(services)).toBe(true);
});
