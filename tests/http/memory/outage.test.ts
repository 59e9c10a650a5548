import { sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readable } from "../../support/answers.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { createPerson } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";

const server = process.env.TEST_DATABASE_URL;
let site: TestSite;
let course: TestCourse;
let address: string;

beforeEach(async () => {
  site = await startSite();
  course = await createCourse(site.services, [], { title: "The course" });
  address = `/courses/${course.slug}`;
});
afterEach(() => site.close());

const rename = (from: string, to: string) =>
  sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(site.services.db.write);
/** Courses cannot be read until they are back. The version stays as it is: nothing is changed. */
const away = () => rename("products", "products_away");
const back = () => rename("products_away", "products");

async function ask(path: string) {
  const response = await site.ask(path);
  const kept = response.headers.has("etag");
  return { status: response.status, kept, shows: (await response.text()).includes("The course") };
}
const good = { status: 200, kept: true, shows: true };
const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 15_000, interval: 50 });

describe("a rendering that failed", () => {
  test("is not kept, and each who waited gets a try of her own", async () => {
    await away();
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(address)));
    for (const answer of answers) expect(answer).toMatchObject({ status: 500, kept: false });
    const page = readable(await (await site.ask(address)).text());
    expect(page).toContain("It is not your doing. What you wrote before is safe.");
    await back();
    expect(await ask(address)).toEqual(good);
  });

  test("in a part of the page only is shown, and not kept", async () => {
    await away();
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask("/courses")));
    for (const answer of answers)
      expect(answer).toEqual({ status: 200, kept: false, shows: false });
    await back();
    expect(await ask("/courses")).toEqual(good);
  });

  test("takes nothing from a page that is in memory", async () => {
    expect(await ask(address)).toEqual(good);
    await away();
    expect(await ask(address)).toEqual(good);
    await back();
  });
});

test("after an hour a page is rendered anew", async () => {
  expect(await ask("/courses")).toEqual(good);
  await away();
  site.clock.forward(3500_000);
  expect(await ask("/courses")).toEqual(good);
  site.clock.forward(100_000);
  await until(async () => expect(await ask("/courses")).toMatchObject({ kept: false }));
  await back();
});

async function onServer(statement: string) {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(statement);
  await client.end();
}

describe("while the database is away", { timeout: 60_000 }, () => {
  test.runIf(!server)("pages in memory are still answered (SQLite)", async () => {
    expect(await ask("/courses")).toEqual(good);
    await site.services.db.read.destroy();
    site.clock.forward(2 * 3600_000);
    expect((await site.ask("/healthz")).status).toBe(503);
    for (let n = 0; n < 20; n += 1) expect(await ask("/courses")).toEqual(good);
    expect(await ask("/about")).toMatchObject({ status: 200 });
    expect(await ask(address)).toMatchObject({ status: 503, kept: false });
  });

  test.runIf(server)("pages in memory are still answered, and change after it", async () => {
    const name = new URL(site.services.config.databaseUrl ?? "").pathname.slice(1);
    const admin = await createPerson(site.services, { role: "admin" });
    const cookie = await site.cookieOf(admin);
    expect(await ask("/courses")).toEqual(good);
    await onServer(`alter database ${name} with allow_connections false`);
    await onServer(
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
  });
});

test.runIf(server)(
  "a database that hangs holds nobody up for long, and is asked again",
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
