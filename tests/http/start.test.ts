import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { loadConfig } from "~/platform/config/config.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { temporaryFolder } from "../support/config.ts";
import { freePort } from "../support/port.ts";
import { type Ended, start, startServing } from "../support/process.ts";
import { rawRequest } from "../support/raw-request.ts";

const stack = /\n\s+at /;

function expectOneLine(end: Ended, line: RegExp) {
  expect(end.err.trim()).toMatch(line);
  expect(end.err.trim().split("\n")).toHaveLength(1);
  expect(end.code).toBe(1);
}

// Up to three starts each, several at once: minutes on a machine with other work, seconds else.
const patient = { timeout: 120_000 };

describe.concurrent("what cannot start says why in a line, and ends with 1", patient, () => {
  test("mistakes in the environment, one line each", async () => {
    const program = await start({
      PORT: "abc",
      APP_URL: "x",
      SAMPLE_CONTENT: "maybe",
      LOG_LEVEL: "loud",
    });
    const end = await program.ended;
    expect(end.code).toBe(1);
    expect(
      end.err
        .trim()
        .split("\n")
        .map((line) => line.split(":")[0]),
    ).toEqual(["PORT", "APP_URL", "SAMPLE_CONTENT", "LOG_LEVEL"]);
  });

  test("a database that does not answer", async () => {
    const DATABASE_URL = `postgres://nobody@127.0.0.1:${await freePort()}/x`;
    const { ended } = await start({ DATABASE_URL, AUTH_SECRET: "s".repeat(32) });
    expectOneLine(await ended, /^DATABASE_URL: the database does not answer/);
  });

  test("a course to come that has no page", async () => {
    const { ended } = await start({ COMING_SOON: "blue-dot-method,seven-days" });
    expectOneLine(
      await ended,
      /^COMING_SOON: 'seven-days' is none of blue-dot-method, seven-days-of-calm$/,
    );
  });

  test("a port that is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const { ended } = await start({ PORT: String(port) });
    expectOneLine(await ended, new RegExp(`^PORT: ${port} is taken`));
    other.close();
  });

  test("an address of this machine that is none", async () => {
    const { ended } = await start({ HOST: "203.0.113.7" });
    expectOneLine(await ended, /^HOST: /);
  });

  test.each([
    ["nonsense", Buffer.from("this is no database, only words ".repeat(200))],
    [
      "a database cut in the middle",
      Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(5000, 7)]),
    ],
  ])("a site.db that is %s, and leaves it as it was", async (_, content) => {
    const dataDir = temporaryFolder();
    const file = path.join(dataDir, "site.db");
    writeFileSync(file, content);
    const { ended } = await start({ DATA_DIR: dataDir });
    expectOneLine(await ended, /^DATA_DIR: site\.db is damaged or not a database/);
    expect(readFileSync(file).equals(content)).toBe(true);
  });

  test("a site.db that cannot be opened", async () => {
    const dataDir = temporaryFolder();
    mkdirSync(path.join(dataDir, "site.db"));
    const { ended } = await start({ DATA_DIR: dataDir });
    expectOneLine(await ended, /^DATA_DIR: /);
  });

  test("a damaged secret", async () => {
    const dataDir = temporaryFolder();
    writeFileSync(path.join(dataDir, "secret"), "short");
    const { ended } = await start({ DATA_DIR: dataDir });
    expectOneLine(await ended, /^DATA_DIR: .*secret is damaged/);
  });
});

describe.concurrent("a site that runs", patient, () => {
  test("makes its folder, says where it is and how to begin, and stops in order", async () => {
    const dataDir = path.join(temporaryFolder(), "new", "folder");
    const site = await startServing({ DATA_DIR: dataDir });
    expect(site.url).toBe(`http://localhost:${site.port}`);
    expect(site.out()).toMatch(
      /Create the first administrator here \(once\): http:\/\/localhost:\d+\/setup\?token=\S{20,}/,
    );
    expect(site.out()).toContain(`Emails are written to ${path.join(dataDir, "mail")}`);
    expect((await fetch(`http://127.0.0.1:${site.port}/`)).status).toBe(200);
    expect(statSync(path.join(dataDir, "site.db")).size).toBeGreaterThan(0);
    const [, link = ""] = /(\/setup\?token=\S+)/.exec(site.out()) ?? [];
    expect((await fetch(`http://127.0.0.1:${site.port}${link}`)).status).toBe(200);
    const end = await site.kill("SIGTERM");
    expect(end).toMatchObject({ code: 0, err: "" });
    // Closed in order, nothing is left in the log of the database.
    expect(existsSync(path.join(dataDir, "site.db-wal"))).toBe(false);
  });

  test("has its DATA_DIR for itself, until it ends, however it ends", async () => {
    const first = await startServing();
    const second = await start({ DATA_DIR: first.dataDir });
    expectOneLine(await second.ended, /^Another process is already serving from /);
    expect((await fetch(`http://127.0.0.1:${first.port}/healthz`)).status).toBe(200);
    await first.kill("SIGKILL");
    const third = await startServing({ DATA_DIR: first.dataDir });
    expect((await third.kill("SIGTERM")).code).toBe(0);
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "on %s finishes the request in flight, and says that it was the last",
    async (signal) => {
      const site = await startServing();
      const body = "email=nobody%40example.com&password=";
      const outgoing = request({
        host: "127.0.0.1",
        port: site.port,
        method: "POST",
        path: "/auth",
        headers: {
          origin: site.url,
          "content-type": "application/x-www-form-urlencoded",
          "content-length": body.length,
        },
      });
      const answer = new Promise((resolve, reject) => {
        outgoing.once("response", (incoming) => {
          const { statusCode, headers } = incoming.resume();
          resolve([statusCode, headers.connection]);
        });
        outgoing.once("error", reject);
      });
      await new Promise((resolve) => outgoing.write(body.slice(0, 10), resolve));
      // The site has the first half once it has answered what was sent after it.
      await fetch(`http://127.0.0.1:${site.port}/healthz`);
      site.child.kill(signal);
      const refuses = async () => {
        const refused = await fetch(`http://127.0.0.1:${site.port}/healthz`).then(
          () => false,
          () => true,
        );
        expect(refused).toBe(true);
      };
      // The site waits 7 seconds for the request in flight, and then cuts it off.
      await vi.waitFor(refuses, { timeout: 6000 });
      outgoing.end(body.slice(10));
      expect(await answer).toEqual([400, "close"]);
      expect(await site.ended).toMatchObject({ code: 0, err: "" });
    },
  );

  test("lets a connection go that is used again and again", async () => {
    const site = await startServing();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = () => rawRequest(`http://127.0.0.1:${site.port}`, { path: "/auth", agent });
    expect((await ask()).headers.connection).toBe("keep-alive");
    // As a proxy does: whatever comes, goes over the connection that is there.
    const start = performance.now();
    site.child.kill("SIGTERM");
    while (await ask().catch(() => null));
    agent.destroy();
    expect(await site.ended).toMatchObject({ code: 0, err: "" });
    // It would be cut off after 7 seconds.
    expect(performance.now() - start).toBeLessThan(6000);
  });

  test("clears away what is too old to be kept, without being asked", async () => {
    const site = await startServing();
    await site.kill("SIGTERM");
    const { dataDir } = site;
    const old = { id: "old", key: "old", count: 1, lastRequest: Date.now() - 48 * 3600_000 };
    const young = { ...old, id: "young", key: "young", lastRequest: Date.now() };
    const services = await openServices(loadConfig({ DATA_DIR: dataDir }));
    await services.db.write.insertInto("rateLimits").values([old, young]).execute();
    const again = await startServing({ DATA_DIR: dataDir });
    const left = () => services.db.read.selectFrom("rateLimits").select("id").execute();
    await vi.waitFor(async () => expect(await left()).toEqual([{ id: "young" }]), 25_000);
    await closeServices(services);
    await again.kill("SIGTERM");
  });

  test("is not held up by somebody who never reads", async () => {
    const site = await startServing();
    const stuck = request({
      host: "127.0.0.1",
      port: site.port,
      path: "/auth",
      method: "POST",
      headers: { origin: site.url, "content-length": 10 },
    });
    const cut = new Promise((resolve) => stuck.once("error", resolve));
    await new Promise((resolve) => stuck.write("x", resolve));
    await fetch(`http://127.0.0.1:${site.port}/healthz`);
    expect((await site.kill("SIGTERM")).code).toBe(0);
    await cut;
  });

  test("reads .env beside it; the environment itself comes first", async () => {
    const folder = temporaryFolder();
    const port = await freePort();
    writeFileSync(
      path.join(folder, ".env"),
      `PORT=1\nADMIN_EMAIL=nora@example.com\nADMIN_PASSWORD=Long-enough-1\n`,
    );
    const site = await startServing({ PORT: String(port) }, folder);
    expect(site.url).toBe(`http://localhost:${port}`);
    expect(site.out()).not.toContain("Create the first administrator");
    expect((await site.kill("SIGTERM")).code).toBe(0);
  });

  test("writes lines of JSON without a stack or an address in them", async () => {
    const site = await startServing({ LOG_LEVEL: "debug" });
    await fetch(`http://127.0.0.1:${site.port}/none?email=ada@example.com`);
    await site.line(/"no such page"/);
    const { out } = await site.kill("SIGTERM");
    expect(out).not.toContain("ada@example.com");
    expect(out).not.toMatch(stack);
    const lines = out.split("\n").filter((line) => line.startsWith("{"));
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: expect.any(String) });
    expect(lines.length).toBeGreaterThan(0);
  });
});

// Only PostgreSQL can answer and refuse.
describe.runIf(process.env.TEST_DATABASE_URL)("a database that refuses", patient, () => {
  test.each([
    [
      "has no such database",
      { pathname: "/no_such_database_here" },
      /^DATABASE_URL: .*no_such_database_here/,
    ],
    [
      "knows no such person",
      { username: "no_such_person_here" },
      /^DATABASE_URL: .*no_such_person_here/,
    ],
  ])("because it %s, is told in a line", async (_, change, line) => {
    const url = Object.assign(new URL(process.env.TEST_DATABASE_URL ?? ""), change);
    const { ended } = await start({ DATABASE_URL: url.href, AUTH_SECRET: "s".repeat(32) });
    expectOneLine(await ended, line);
  });
});
