import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sqliteFile } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { claimDue, leaseMs, releaseJobs } from "~/platform/jobs/claim.ts";
import { jobs } from "~/server/jobs.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { testConfig } from "../support/config.ts";
import { freshDatabase } from "../support/database.ts";
import { writeEmail } from "../support/outbox.ts";
import { freePort } from "../support/port.ts";
import { type Program, startServing } from "../support/process.ts";
import { type MailServer, startMailServer } from "../support/smtp.ts";

type Config = Awaited<ReturnType<typeof testConfig>>;

let database: Awaited<ReturnType<typeof freshDatabase>>;
let config: Config;
let port: number;
let server: MailServer;
const sites: Program[] = [];

beforeEach(async () => {
  database = await freshDatabase();
  port = await freePort();
  config = await testConfig(database.url, { MAIL_FROM: "hello@grief.example" });
  server = await startMailServer(port);
});
afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.kill("SIGKILL")));
  await server.close();
  await database.drop();
});

/** Another process of the site, as its user starts it. */
async function another() {
  const site = await startServing({
    DATA_DIR: config.dataDir,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: config.mailFrom,
    LOG_LEVEL: "silent",
    ...(config.databaseUrl && {
      DATABASE_URL: config.databaseUrl,
      AUTH_SECRET: config.authSecret,
    }),
  });
  sites.push(site);
  return site;
}

/** Looks at the database, or changes it, as no process of the site runs on SQLite. */
async function withServices<T>(work: (services: Services) => Promise<T>): Promise<T> {
  const services = await openServices(config);
  try {
    return await work(services);
  } finally {
    await closeServices(services);
  }
}
const write = (count: number) =>
  withServices(async (services) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push(await writeEmail(services));
    return ids;
  });
const states = () =>
  withServices(({ db }) => db.read.selectFrom("outbox").selectAll().orderBy("id").execute());
const received = (count: number) =>
  vi.waitFor(() => expect(server.received()).toBeGreaterThanOrEqual(count), {
    timeout: 200_000,
    interval: 50,
  });

/** The leases of what was killed end, another process takes it over, and the pauses end. */
const takeOver = () =>
  withServices(async ({ db, clock }) => {
    const now = clock.now();
    const past = new Date(now.getTime() - leaseMs);
    const left = db.write.updateTable("outbox").set({ leasedUntilAt: past });
    await left.where("leaseOwner", "is not", null).execute();
    const owner = "another";
    const isLeft = db.read.selectFrom("outbox").select("id").where("leaseOwner", "is not", null);
    while ((await isLeft.execute()).length > 0) {
      const rows = await claimDue(db, { owner, now, limit: 50, jobs, mayBeAlone: true });
      await releaseJobs(db, { owner, ids: rows.map(({ id }) => id) });
    }
    await db.write.updateTable("outbox").set({ dueAt: past }).execute();
  });

/** Holds the row of a letter, from outside of the site: what has happened to it cannot be written down. */
async function holdRows(): Promise<() => Promise<void>> {
  if (!config.databaseUrl) {
    const file = new DatabaseSync(sqliteFile(config), { timeout: 20_000 });
    file.exec("begin immediate");
    return async () => {
      file.exec("rollback");
      file.close();
    };
  }
  const client = new pg.Client({ connectionString: config.databaseUrl });
  await client.connect();
  await client.query("begin; select id from outbox for update");
  return async () => {
    await client.query("rollback");
    await client.end();
  };
}

describe("processes of the site", () => {
  const count = process.env.TEST_DATABASE_URL ? 3 : 1;
  test(`${count} at once send each of 1,000 due letters exactly once`, {
    timeout: 300_000,
  }, async () => {
    const ids = await write(1000);
    await Promise.all(Array.from({ length: count }, another));
    await received(1000);
    // In order: what is under way is finished.
    const ends = await Promise.all(sites.splice(0).map((site) => site.kill("SIGTERM")));
    for (const { code } of ends) expect(code).toBe(0);
    expect(server.ids().sort()).toEqual(ids.sort());
    for (const row of await states())
      expect(row).toMatchObject({ finishedAt: expect.any(Date), attempts: 1, leaseOwner: null });
  });

  test("one that is killed between the server's 250 and its own commit: the letter goes again, under the same Message-ID", {
    timeout: 240_000,
  }, async () => {
    const [id] = await write(1);
    let release = async () => {};
    server.next({
      at: "after data",
      meanwhile: async () => {
        release = await holdRows();
      },
    });
    const answered = server.answered();
    const site = await another();
    await answered;
    await site.kill("SIGKILL");
    sites.splice(0);
    await release();
    expect(server.ids()).toEqual([id]);
    expect(await states()).toMatchObject([{ finishedAt: null, leaseOwner: expect.any(String) }]);
    // Its lease ends.
    await takeOver();
    await another();
    await received(2);
    await sites.splice(0)[0]?.kill("SIGTERM");
    expect(server.ids()).toEqual([id, id]);
    expect(await states()).toMatchObject([{ finishedAt: expect.any(Date), attempts: 2 }]);
  });

  test("one that a letter kills, again and again: that letter has failed, and the others go out", {
    timeout: 240_000,
  }, async () => {
    const poison = "poison@kills.example";
    const [id] = await withServices(async (services) => [
      await writeEmail(services, { to: poison }),
    ]);
    const others = await write(30);
    await withServices(({ db }) => db.write.updateTable("outbox").set({ attempts: 9 }).execute());
    let living = Promise.withResolvers<Program>();
    const kill = async () => void (await (await living.promise).kill("SIGKILL"));
    server.always({ at: "rcpt", meanwhile: kill }, (to) => to === poison);
    const poisoned = async () => (await states()).find((row) => row.id === id);
    for (let kills = 0; kills < 5; kills += 1) {
      expect(await poisoned()).toMatchObject({ failedAt: null });
      living = Promise.withResolvers();
      const site = await another();
      living.resolve(site);
      await site.ended;
      sites.splice(0);
      await takeOver();
    }
    await another();
    await received(others.length);
    await sites.splice(0)[0]?.kill("SIGTERM");
    expect([...new Set(server.ids())].sort()).toEqual(others.sort());
    expect(await poisoned()).toMatchObject({ failure: "interrupted", attempts: 14 });
  });

  test("one that is killed in the middle of sending: nothing is lost", {
    timeout: 180_000,
  }, async () => {
    const ids = await write(300);
    const site = await another();
    await received(60);
    await site.kill("SIGKILL");
    sites.splice(0);
    await takeOver();
    await another();
    await vi.waitFor(() => expect(new Set(server.ids()).size).toBe(300), {
      timeout: 100_000,
      interval: 50,
    });
    await sites.splice(0)[0]?.kill("SIGTERM");
    expect([...new Set(server.ids())].sort()).toEqual(ids.sort());
    // At most one for each connection was between the two.
    expect(server.ids().length).toBeLessThanOrEqual(300 + 4);
  });

  test("one that is told to stop while the mail server hangs ends soon, and leaves its letters free", {
    timeout: 240_000,
  }, async () => {
    await write(10);
    server.always({ at: "rcpt", hang: true });
    const site = await another();
    await server.hanging();
    const before = performance.now();
    const { code } = await site.kill("SIGTERM");
    expect(code).toBe(0);
    expect(performance.now() - before).toBeLessThan(40_000);
    sites.splice(0);
    for (const row of await states())
      expect(row).toMatchObject({ leaseOwner: null, attempts: 0, finishedAt: null });
  });
});
