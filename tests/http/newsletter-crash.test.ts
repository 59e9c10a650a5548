import { afterEach, beforeEach, expect, test } from "vitest";
import { sendDoubtfulAgain } from "~/features/newsletter-issues/dispatch.server.ts";
import { getIssue } from "~/features/newsletter-issues/issues.server.ts";
import type { Services } from "~/platform/http/services.ts";
import { testConfig } from "../support/config.ts";
import { freshDatabase } from "../support/database.ts";
import { addReaders, deliveryStates, startWritten, writeIssue } from "../support/issue-sending.ts";
import { until } from "../support/outbox.ts";
import { freePort } from "../support/port.ts";
import { type Program, startServing } from "../support/process.ts";
import { withServices } from "../support/services.ts";
import { type MailServer, startMailServer } from "../support/smtp.ts";

/** By hand with CRASHES=20 CRASH_READERS=10000 (docs/benchmarks.md). */
const crashes = Number(process.env.CRASHES ?? 3);
const readers = Number(process.env.CRASH_READERS ?? 400);
const patience = { timeout: 120_000, interval: 20 };

let database: Awaited<ReturnType<typeof freshDatabase>>;
let config: Awaited<ReturnType<typeof testConfig>>;
let port: number;
let server: MailServer;
let sites: Program[] = [];

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

const start = () =>
  startServing({
    ...{ DATA_DIR: config.dataDir, MAIL_FROM: config.mailFrom, LOG_LEVEL: "silent" },
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    ...(config.databaseUrl && {
      DATABASE_URL: config.databaseUrl,
      AUTH_SECRET: config.authSecret,
    }),
  });

/** Looks at the database while no process of the site has SQLite's file. */
const inDatabase = <T>(work: (services: Services) => Promise<T>) => withServices(config, work);

/** What a killed process was doing is free at once, not after its lease, and does not pause: the outbox
 * lets a row wait that is killed again and again. */
const endLeases = () =>
  inDatabase(({ db, clock }) =>
    db.write
      .updateTable("outbox")
      .set({ leasedUntilAt: new Date(clock.now().getTime() - 1000), attempts: 0, interruptions: 0 })
      .where("leaseOwner", "is not", null)
      .execute(),
  );

test("an issue reaches each reader once, however often the site is killed; the doubtful are named", async () => {
  const issueId = await inDatabase(async (services) => {
    await addReaders(services, readers);
    const id = await writeIssue(services);
    await startWritten(services, id);
    return id;
  });
  const processes = config.databaseUrl ? 2 : 1;
  for (let crash = 1; crash <= crashes; crash += 1) {
    sites = await Promise.all(Array.from({ length: processes }, start));
    const goal = Math.floor((readers * crash) / (crashes + 1));
    await until(() => expect(server.received()).toBeGreaterThanOrEqual(goal), patience);
    await Promise.all(sites.splice(0).map((site) => site.kill("SIGKILL")));
    await endLeases();
  }
  sites = [await start()];
  await until(
    async () =>
      expect(await inDatabase(({ db }) => getIssue(db.read, issueId))).toMatchObject({
        state: "sent",
      }),
    { timeout: 120_000 },
  );
  const {
    sent = 0,
    doubtful = 0,
    ...rest
  } = await inDatabase((services) => deliveryStates(services, issueId));
  expect(rest).toEqual({});
  expect(sent + doubtful).toBe(readers);
  // Of each crash at most one round, on one of the processes.
  expect(doubtful).toBeLessThanOrEqual(crashes * 6);
  const ids = server.ids();
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(sent);
  const issue = await inDatabase(({ db }) => getIssue(db.read, issueId));
  expect(issue).toMatchObject({ sent, doubtful, refused: 0, recipients: readers });

  if (doubtful === 0) return;
  await inDatabase((services) => sendDoubtfulAgain(services, issueId));
  await until(() => expect(new Set(server.ids()).size).toBe(readers), patience);
}, 300_000);
