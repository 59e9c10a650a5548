import pg from "pg";
import { describe, expect, test } from "vitest";
import type { Services } from "~/platform/http/services.ts";
import { failed } from "~/platform/pages/pages.ts";
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
    const response = failed({ log } as Services, error);
    expect(response.status).toBe(status);
    expect(response.headers.get("retry-after")).toBe(status === 503 ? "10" : null);
    const page = await response.text();
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(page).toContain(words);
  });
});
