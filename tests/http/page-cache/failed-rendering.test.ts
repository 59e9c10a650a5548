import { sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createCourse } from "../../support/courses.ts";
import { createPerson } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";

const server = process.env.TEST_DATABASE_URL;
let site: TestSite;
let address: string;

beforeEach(async () => {
  site = await startSite();
  address = `/courses/${(await createCourse(site.services, [], { title: "The course" })).slug}`;
});
afterEach(() => site.close());

const rename = (from: string, to: string) =>
  sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(site.services.db.write);
/** Courses cannot be read until they are back. The version stays as it is: nothing is changed. */
const away = () => rename("products", "products_away");
const back = () => rename("products_away", "products");

async function ask(path: string) {
  const response = await site.ask(path);
  const isCached = response.headers.has("etag");
  const html = await response.text();
  return { status: response.status, isCached, shows: html.includes("The course") };
}
const good = { status: 200, isCached: true, shows: true };
const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 50 });

test("a rendering that failed, as a whole or in a part: is answered to all who wait, and not cached", async () => {
  await away();
  const asked = Array.from({ length: 20 }, (_, n) => ask(n % 2 ? address : "/courses"));
  for (const [n, answer] of (await Promise.all(asked)).entries())
    expect(answer).toEqual({ status: n % 2 ? 500 : 200, isCached: false, shows: false });
  expect(await (await site.ask(address)).text()).toContain(
    "It is not your doing. What you wrote before is safe.",
  );
  await back();
  for (const page of ["/courses", address]) expect(await ask(page)).toEqual(good);
  await away();
  for (const page of ["/courses", address]) expect(await ask(page)).toEqual(good);

  // After an hour each page is rendered again.
  site.clock.forward(3500_000);
  expect(await ask("/courses")).toEqual(good);
  site.clock.forward(100_000);
  await until(async () => expect(await ask("/courses")).toMatchObject({ isCached: false }));
  await back();
});

test.runIf(!server)("without its database (SQLite): the site answers cached pages", async () => {
  expect(await ask("/courses")).toEqual(good);
  await site.services.db.read.destroy();
  site.clock.forward(2 * 3600_000);
  expect((await site.ask("/healthz")).status).toBe(503);
  for (let n = 0; n < 20; n += 1) expect(await ask("/courses")).toEqual(good);
  expect(await ask("/about")).toMatchObject({ status: 200 });
  expect(await ask(address)).toMatchObject({ status: 503, isCached: false });
});

async function onServer(...statements: string[]) {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

test.runIf(server)(
  "without its database (PostgreSQL): the site answers cached pages, which change after it",
  { timeout: 60_000 },
  async () => {
    const name = new URL(site.services.config.databaseUrl ?? "").pathname.slice(1);
    const admin = await createPerson(site.services, { role: "admin" });
    const cookie = await site.cookieOf(admin);
    expect(await ask("/courses")).toEqual(good);
    await onServer(
      `alter database ${name} with allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
    site.clock.forward(2 * 3600_000);
    expect((await site.ask("/healthz")).status).toBe(503);
    const own = await site.ask("/courses", { headers: { cookie } });
    expect(own.status).toBeGreaterThanOrEqual(500);
    for (let n = 0; n < 20; n += 1) expect(await ask("/courses")).toEqual(good);
    expect(await ask("/about")).toMatchObject({ status: 200 });
    await onServer(`alter database ${name} with allow_connections true`);
    const { write } = site.services.db;
    await until(async () => {
      await write.updateTable("products").set({ title: "A new title" }).execute();
    });
    await until(async () => expect((await ask("/courses")).shows).toBe(false));
  },
);

test.runIf(server)(
  "a database that hangs: holds nobody up for long, and is asked again",
  { timeout: 60_000 },
  async () => {
    expect(await ask("/courses")).toEqual(good);
    const holder = new pg.Client({ connectionString: site.services.config.databaseUrl });
    await holder.connect();
    await holder.query("begin; lock table content_version in access exclusive mode");
    expect(await ask("/courses")).toEqual(good);
    const begun = performance.now();
    expect(await ask("/about")).toMatchObject({ status: 200 });
    expect(performance.now() - begun).toBeLessThan(8000);
    await holder.query("update products set title = 'A new title'");
    await holder.query("commit");
    await holder.end();
    await until(async () => expect((await ask("/courses")).shows).toBe(false));
  },
);
