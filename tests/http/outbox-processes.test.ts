import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sqliteFile } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { claimDue, leaseMs, releaseJobs } from "~/platform/jobs/claim.ts";
import { jobs } from "~/server/jobs.ts";
import { testConfig } from "../support/config.ts";
import { freshDatabase } from "../support/database.ts";
import { writeEmail } from "../support/outbox.ts";
import { freePort } from "../support/port.ts";
import { type Program, startServing } from "../support/process.ts";
import { withServices } from "../support/services.ts";
import { type MailServer, startMailServer } from "../support/smtp.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let config: Awaited<ReturnType<typeof testConfig>>;
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

/** Another process of the site, as `npm start` starts it. */
async function another(mailFrom = config.mailFrom) {
  const site = await startServing({
    DATA_DIR: config.dataDir,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: mailFrom,
    LOG_LEVEL: "silent",
    ...(config.databaseUrl && {
      DATABASE_URL: config.databaseUrl,
      AUTH_SECRET: config.authSecret,
    }),
  });
  sites.push(site);
  return site;
}

/** Looks at the database, or changes it, while no process of the site holds SQLite's file. */
const inDatabase = <T>(work: (services: Services) => Promise<T>) => withServices(config, work);
const write = (count: number) =>
  inDatabase(async (services) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push(await writeEmail(services));
    return ids;
  });
const states = () =>
  inDatabase(({ db }) => db.read.selectFrom("outbox").selectAll().orderBy("id").execute());
const received = (count: number) =>
  vi.waitFor(() => expect(new Set(server.ids()).size).toBeGreaterThanOrEqual(count), {
    ...{ timeout: 200_000, interval: 50 },
  });
/** Ends every process as `npm start` ends at SIGTERM: what is in progress is finished. */
async function stopAll() {
  const ends = await Promise.all(sites.splice(0).map((site) => site.kill("SIGTERM")));
  for (const { code } of ends) expect(code).toBe(0);
}

/** The leases of a killed process end, another one claims its rows, and the pauses end. */
const takeOver = () =>
  inDatabase(async ({ db, clock }) => {
    const now = clock.now();
    const past = new Date(now.getTime() - leaseMs);
    const left = db.write.updateTable("outbox").set({ leasedUntilAt: past });
    await left.where("leaseOwner", "is not", null).execute();
    const owner = "another";
    const leased = db.read.selectFrom("outbox").select("id").where("leaseOwner", "is not", null);
    while ((await leased.execute()).length > 0) {
      const rows = await claimDue(db, { owner, now, limit: 50, jobs, mayBeAlone: true });
      await releaseJobs(db, { owner, ids: rows.map(({ id }) => id) });
    }
    await db.write.updateTable("outbox").set({ dueAt: past }).execute();
  });

/** Locks the rows of the outbox from outside of the site: how an email ended cannot be saved. */
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
  test(`${count} at once send each of ${count * 150} due emails exactly once`, {
    timeout: 300_000,
  }, async () => {
    const ids = await write(count * 150);
    const senders = Array.from({ length: count }, (_, n) => `process-${n}@grief.example`);
    // The first to be ready would send much before the last is.
    const { promise: allStarted, resolve } = Promise.withResolvers<void>();
    const waiting = server.always({ at: "mail", meanwhile: () => allStarted });
    await Promise.all(senders.map(another));
    waiting.lift();
    resolve();
    await received(ids.length);
    await stopAll();
    expect(server.ids().sort()).toEqual(ids.sort());
    expect([...new Set(server.messages.map(({ from }) => from))].sort()).toEqual(senders);
    for (const row of await states())
      expect(row).toMatchObject({ finishedAt: expect.any(Date), attempts: 1, leaseOwner: null });
  });

  test("one that is killed between the server's 250 and its own commit sends the email again under its Message-ID", {
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
    await vi.waitFor(() => expect(server.received()).toBe(2), { timeout: 100_000, interval: 50 });
    await stopAll();
    expect(server.ids()).toEqual([id, id]);
    expect(await states()).toMatchObject([{ finishedAt: expect.any(Date), attempts: 2 }]);
  });

  test("one that an email kills again and again: that email fails, and the others are sent", {
    timeout: 240_000,
  }, async () => {
    const poison = "poison@kills.example";
    const id = await inDatabase((services) => writeEmail(services, { to: poison }));
    const others = await write(30);
    await inDatabase(({ db }) => db.write.updateTable("outbox").set({ attempts: 11 }).execute());
    let living = Promise.withResolvers<Program>();
    const kill = async () => void (await (await living.promise).kill("SIGKILL"));
    server.always({ at: "rcpt", meanwhile: kill }, (to) => to === poison);
    const poisoned = async () => (await states()).find((row) => row.id === id);
    for (let kills = 0; kills < 3; kills += 1) {
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
    await stopAll();
    expect([...new Set(server.ids())].sort()).toEqual(others.sort());
    expect(await poisoned()).toMatchObject({ failure: "interrupted", attempts: 14 });
  });

  test("one that is killed in the middle of sending loses nothing", {
    timeout: 180_000,
  }, async () => {
    const ids = await write(120);
    // So that it cannot be done before it is killed.
    const hanging = server.always({ at: "after data", hang: true }, () => server.received() >= 40);
    const site = await another();
    await server.hanging();
    await site.kill("SIGKILL");
    sites.splice(0);
    hanging.lift();
    const before = server.ids();
    expect(before.length).toBeGreaterThan(40);
    // One for each connection came after the fortieth.
    expect(before.length).toBeLessThanOrEqual(40 + 6);
    await takeOver();
    await another();
    await received(ids.length);
    await stopAll();
    expect([...new Set(server.ids())].sort()).toEqual(ids.sort());
    // At most one for each connection was between the two.
    expect(server.ids().length).toBeLessThanOrEqual(ids.length + 6);
  });

  test("one that has to stop while the mail server hangs ends soon and releases its emails", {
    timeout: 240_000,
  }, async () => {
    await write(10);
    server.always({ at: "rcpt", hang: true });
    await another();
    await server.hanging();
    const before = performance.now();
    await stopAll();
    expect(performance.now() - before).toBeLessThan(40_000);
    for (const row of await states())
      expect(row).toMatchObject({ leaseOwner: null, attempts: 0, finishedAt: null });
  });
});
