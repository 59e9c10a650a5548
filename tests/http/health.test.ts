import { closeSync, openSync, writeSync } from "node:fs";
import { sql } from "kysely";
import pg from "pg";
import { afterEach, describe, expect, test, vi } from "vitest";
import { sqliteFile } from "~/platform/db/database.ts";
import { healthCheck } from "~/platform/http/health.ts";
import type { Services } from "~/platform/http/services.ts";
import { failed } from "~/platform/pages/pages.ts";
import { collectLog } from "../support/log-lines.ts";
import { createPerson } from "../support/people.ts";
import { rawSocket } from "../support/raw-socket.ts";
import { openTestServices } from "../support/services.ts";
import { startSite } from "../support/site.ts";

const admin = process.env.TEST_DATABASE_URL;
const noStack = /\n\s+at |node_modules/;

async function onServer(statement: string) {
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  await client.query(statement);
  await client.end();
}

describe("/healthz", () => {
  test("says that the database answers, and which version runs", async () => {
    const site = await startSite();
    const response = await site.ask("/healthz");
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({
      status: "ok",
      database: "ok",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    await site.close();
  });

  test("answers a load balancer that asks in HTTP/1.0, without a Host", async () => {
    const site = await startSite();
    const asked = "GET /healthz HTTP/1.0\r\n\r\n";
    expect((await rawSocket(site.url, asked)).status).toBe(200);
    expect((await rawSocket(site.url, "GET / HTTP/1.0\r\n\r\n")).status).toBe(400);
    await site.close();
  });

  // A file that is open answers as long as it is open: only a closed handle is a database gone.
  test.runIf(!admin)("says 503 when SQLite's handle is closed", async () => {
    const site = await startSite();
    expect((await site.ask("/healthz")).status).toBe(200);
    await site.services.db.read.destroy();
    const response = await site.ask("/healthz");
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      status: "unavailable",
      database: "unreachable",
    });
    await site.close();
  });

  test.runIf(admin)("says 503 while PostgreSQL is away, and recovers by itself", async () => {
    const site = await startSite();
    const name = new URL(site.services.config.databaseUrl ?? "").pathname.slice(1);
    const cookie = "blue-dot.session_token=x.y";
    await onServer(`alter database ${name} with allow_connections false`);
    await onServer(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
    const response = await site.ask("/healthz");
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ status: "unavailable", database: "unreachable" });
    const list = await site.ask("/courses");
    expect(list.status).toBe(200);
    expect(await list.text()).toContain("More courses coming soon");
    const page = await site.ask("/courses/x", { headers: { cookie } });
    expect(page.status).toBe(503);
    expect(await page.text()).not.toMatch(noStack);
    const form = { email: "a@example.com", password: "Abcdefg1" };
    expect((await site.ask("/courses/x")).status).toBe(503);
    expect((await site.ask("/auth", { form })).status).toBeGreaterThanOrEqual(500);
    const api = await site.ask("/api/auth/sign-in/email", {
      json: { email: "a@example.com", password: "Abcdefg1" },
    });
    expect(api.status).toBeGreaterThanOrEqual(500);
    expect(await api.text()).not.toMatch(noStack);
    await onServer(`alter database ${name} with allow_connections true`);
    expect((await site.ask("/healthz")).status).toBe(200);
    await site.close();
  });
});

/** As if so much time had passed. */
function pass(ms: number) {
  vi.restoreAllMocks();
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + ms);
}
const halfMinute = 30_000;
const unhealthy = (database: string, reason: string) => ({
  status: 503,
  body: { status: "unavailable", database, reason, version: expect.any(String) },
});

describe("/healthz and writes", () => {
  afterEach(() => vi.restoreAllMocks());

  async function open(pace?: Parameters<typeof healthCheck>[2]) {
    const kit = await openTestServices({ LOG_LEVEL: "info" });
    const lines = collectLog(kit.services.log);
    const check = healthCheck(kit.services, "1.0.0", pace);
    const health = async () => {
      const response = await check();
      return { status: response.status, body: await response.json() };
    };
    return { ...kit, lines, health };
  }
  const ok = { status: 200, body: { status: "ok", database: "ok", version: "1.0.0" } };

  test("share one small write every few seconds", async () => {
    const { services, health, close } = await open();
    const writtenAt = async () =>
      (
        await services.db.read
          .selectFrom("settings")
          .select("createdAt")
          .where("name", "=", "health")
          .executeTakeFirstOrThrow()
      ).createdAt.getTime();
    for (const answer of await Promise.all(Array.from({ length: 50 }, health)))
      expect(answer).toEqual(ok);
    const first = await writtenAt();
    for (let n = 0; n < 50; n += 1) await health();
    expect(await writtenAt()).toBe(first);
    pass(5000);
    await vi.waitFor(async () => {
      await health();
      expect(await writtenAt()).toBeGreaterThan(first);
    });
    await close();
  });

  test("say busy when the small write waits too long, and not before", async () => {
    const { services, health, close } = await open({
      ...{ probeEvery: 5000, answerWithin: 200, busyAfter: 10_000 },
    });
    // PostgreSQL only waits for a row that is there.
    const row = { name: "health", value: "", createdAt: services.clock.now() };
    await services.db.write.insertInto("settings").values(row).execute();
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const transaction = services.db.transaction(async (trx) => {
      await trx.updateTable("settings").set({ value: "held" }).execute();
      begun.resolve();
      await held.promise;
    });
    await begun.promise;
    expect(await health()).toEqual(ok);
    pass(10_000);
    expect(await health()).toEqual(
      unhealthy("busy", "Nothing has been saved for more than ten seconds."),
    );
    held.resolve();
    await transaction;
    await vi.waitFor(async () => expect(await health()).toEqual(ok));
    await close();
  });

  test.runIf(!admin)("say for half a minute that the disk is full (SQLite)", async () => {
    const { services, health, lines, close } = await open();
    const { write } = services.db;
    await health();
    const { rows } = await sql<{ pageCount: number }>`pragma page_count`.execute(write);
    await sql`pragma max_page_count = ${sql.lit(rows[0]?.pageCount)}`.execute(write);
    const row = { name: "long", value: "x".repeat(100_000), createdAt: services.clock.now() };
    const save = () => write.insertInto("settings").values(row).execute();
    await expect(save()).rejects.toThrow("database or disk is full");
    const full = unhealthy("full", "The disk is full: nothing can be saved.");
    for (let n = 0; n < 3; n += 1) expect(await health()).toEqual(full);
    expect(lines.filter((line) => line.includes("the site is unhealthy"))).toHaveLength(1);
    await sql`pragma max_page_count = 100000`.execute(write);
    await save();
    expect(await health()).toEqual(full);
    pass(halfMinute);
    expect(await health()).toEqual(ok);
    expect(lines.at(-1)).toContain("the site is healthy again");
    await close();
  });

  const readOnly = unhealthy("read-only", "The database can only be read: nothing can be saved.");

  test.runIf(!admin)("say that the database is read-only, by the small write alone", async () => {
    const { services, health, lines, close } = await open();
    await sql`pragma query_only = on`.execute(services.db.write);
    expect(await health()).toEqual(readOnly);
    expect(lines.join("")).toContain("attempt to write a readonly database");
    await sql`pragma query_only = off`.execute(services.db.write);
    pass(halfMinute);
    expect(await health()).toEqual(ok);
    await close();
  });

  test.runIf(admin)(
    "PostgreSQL that can only be read, as a standby: what writes says 503",
    async () => {
      const site = await startSite();
      const name = new URL(site.services.config.databaseUrl ?? "").pathname.slice(1);
      const coach = await createPerson(site.services, { role: "admin" });
      const cookie = await site.cookieOf(coach);
      await onServer(`alter database ${name} set default_transaction_read_only = on`);
      await onServer(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      );
      await expect
        .poll(async () => (await (await site.ask("/healthz")).json()).database, { timeout: 10_000 })
        .toBe("read-only");
      const as = { ...coach, cookie };
      const course = { title: "A course", slug: "a-course", price: "10", description: "" };
      const account = { email: coach.email, password: "Abcdefg1" };
      for (const [path, asking] of [
        ["/admin/courses/new", { as, form: course }],
        ["/newsletter", { form: { firstName: "Ada", email: "a@example.com" } }],
        ["/auth", { form: account }],
        ["/api/auth/sign-in/email", { json: account }],
      ] as const) {
        const refused = await site.ask(path, asking);
        expect([path, refused.status, refused.headers.get("retry-after")]).toEqual([
          path,
          503,
          "10",
        ]);
      }
      expect((await site.ask("/courses")).status).toBe(200);
      await site.close();
    },
  );

  test.runIf(admin)("say that PostgreSQL is read-only, as a standby is", async () => {
    const { services, health, close } = await open();
    const name = new URL(services.config.databaseUrl ?? "").pathname.slice(1);
    await onServer(`alter database ${name} set default_transaction_read_only = on`);
    await onServer(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
    await vi.waitFor(async () => expect(await health()).toEqual(readOnly));
    await close();
  });

  test.runIf(!admin)("say that a table is damaged, until the site starts again", async () => {
    const { services, health, close } = await open();
    const { write, read } = services.db;
    expect(await health()).toEqual(ok);
    const { rows } = await sql<{ rootpage: number; pageSize: number }>`
      select rootpage, page_size from sqlite_schema, pragma_page_size where name = 'audit_entries'
    `.execute(write);
    await sql`pragma wal_checkpoint(truncate)`.execute(write);
    const { rootpage = 0, pageSize = 0 } = rows[0] ?? {};
    const file = openSync(sqliteFile(services.config), "r+");
    writeSync(file, Buffer.alloc(pageSize, 0xff), 0, pageSize, (rootpage - 1) * pageSize);
    closeSync(file);
    await expect(read.selectFrom("auditEntries").selectAll().execute()).rejects.toThrow(
      "malformed",
    );
    const damaged = unhealthy("damaged", "The database is damaged.");
    expect(await health()).toEqual(damaged);
    pass(3600_000);
    expect(await health()).toEqual(damaged);
    await close();
  });
});

describe("where no page can be made", () => {
  const log = { error: () => undefined } as unknown as Services["log"];
  const gone = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  test.each([
    [503, "The site cannot answer just now", "Nothing that you wrote is lost.", gone],
    [500, "Something went wrong", "It is not your doing.", new Error("a mistake")],
    [
      400,
      "That could not be read",
      "broken off",
      Object.assign(new Error("aborted"), { code: "ECONNRESET" }),
    ],
  ])("a plain one says %i, and blames no one", async (status, title, words, error) => {
    const request = new Request("http://localhost/courses");
    const response = await failed({ log } as Services, error, request);
    expect(response.status).toBe(status);
    expect(response.headers.get("retry-after")).toBe(status === 503 ? "10" : null);
    const page = await response.text();
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(page).toContain(words);
  });
});
