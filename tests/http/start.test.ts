import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { Agent, createServer, type OutgoingHttpHeaders, request } from "node:http";
import { type AddressInfo, createServer as createNetServer, type Socket } from "node:net";
import path from "node:path";
import { TLSSocket } from "node:tls";
import { describe, expect, test, vi } from "vitest";
import { loadConfig } from "~/platform/config/config.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { cutValues } from "../../scripts/settings.ts";
import { selfMadeCertificate } from "../support/certificate.ts";
import { temporaryFolder } from "../support/config.ts";
import { freshDatabase } from "../support/database.ts";
import { freePort } from "../support/port.ts";
import { type Ended, run, start, startServing } from "../support/process.ts";
import { rawRequest } from "../support/raw-request.ts";

const stack = /\n\s+at /;

function expectOneLine(end: Ended, line: RegExp) {
  expect(end.err.trim()).toMatch(line);
  expect(end.err.trim().split("\n")).toHaveLength(1);
  expect(end.code).toBe(1);
}

// Up to three starts each, several at once: minutes on a machine with other work, seconds else.
const patient = { timeout: 120_000 };

/** What PostgreSQL says first, with encryption ('S', then TLS) and without ('N'). @returns its port */
async function encryptedDatabase(): Promise<number> {
  const { cert, key } = selfMadeCertificate();
  return databaseThat((socket) => {
    socket.write("S");
    new TLSSocket(socket, { isServer: true, cert, key }).on("error", () => {});
  });
}
const plainDatabase = () => databaseThat((socket) => socket.write("N"));

async function databaseThat(answer: (socket: Socket) => void): Promise<number> {
  const server = createNetServer((socket) => {
    socket.on("error", () => {}).once("data", () => answer(socket));
  }).unref();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** The end of a start with a DATA_DIR in which something is wrong. */
async function endIn(prepare: (dataDir: string) => void) {
  const dataDir = temporaryFolder();
  prepare(dataDir);
  return (await start({ DATA_DIR: dataDir })).ended;
}

describe.concurrent("what cannot start says why in a line, and ends with 1", patient, () => {
  test("mistakes in the environment, one line each", async () => {
    const wrong = { PORT: "abc", APP_URL: "x", SAMPLE_CONTENT: "maybe", LOG_LEVEL: "loud" };
    const { code, err } = await (await start(wrong)).ended;
    expect(code).toBe(1);
    const names = err.trim().split("\n");
    expect(names.map((line) => line.split(":")[0])).toEqual(Object.keys(wrong));
  });

  test.each<[string, () => Promise<Record<string, string>>, RegExp]>([
    [
      "a database that does not answer",
      async () => ({
        DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/x`,
        AUTH_SECRET: "s".repeat(32),
      }),
      /^DATABASE_URL: the database does not answer/,
    ],
    [
      "a course to come that has no page",
      async () => ({ COMING_SOON: "blue-dot-method,seven-days" }),
      /^COMING_SOON: 'seven-days' is none of blue-dot-method, seven-days-of-calm$/,
    ],
    [
      "a database whose certificate nobody vouches for",
      async () => ({
        DATABASE_URL: `postgres://nobody@127.0.0.1:${await encryptedDatabase()}/x?sslmode=require`,
        AUTH_SECRET: "s".repeat(32),
      }),
      /^DATABASE_URL: the database's certificate is not trusted \(self-signed certificate\)\. Name .*sslrootcert=/,
    ],
    [
      "a database without encryption",
      async () => ({
        DATABASE_URL: `postgres://nobody@127.0.0.1:${await plainDatabase()}/x?sslmode=require`,
        AUTH_SECRET: "s".repeat(32),
      }),
      /^DATABASE_URL: the database offers no encryption, which sslmode asks for/,
    ],
    [
      "a certificate's file that is not there",
      async () => ({
        DATABASE_URL: "postgres://nobody@127.0.0.1/x?sslmode=verify-full&sslrootcert=/no/ca.pem",
        AUTH_SECRET: "s".repeat(32),
      }),
      /^DATABASE_URL: sslrootcert must be a file .*ENOENT/,
    ],
    ["an address of this machine that is none", async () => ({ HOST: "203.0.113.7" }), /^HOST: /],
  ])("%s", async (_, env, line) => {
    expectOneLine(await (await start(await env())).ended, line);
  });

  test("a password in .env that would be cut off at a '#'", async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, ".env"), "SMTP_URL=smtp://me:pass#word@mail.example:587\n");
    const { code, err } = await run("start.ts", ["--built"], {}, folder).ended;
    expect([code, err.trim()]).toEqual([
      1,
      "SMTP_URL: what stands after '#' would be lost; put the value between '…' in .env",
    ]);
  });

  test.each([
    ["A=pass#word", ["A"]],
    ["A=#word", ["A"]],
    ["export A=b#", ["A"]],
    ["A='pass#word'", []],
    ['A= "pass#word" # why', []],
    ["A=password # why", []],
    ["A= # nothing", []],
    ["# A=b#c", []],
  ])("of .env, %s", (line, names) => {
    expect(cutValues(line).map((words) => words.split(":")[0])).toEqual(names);
  });

  test("a port that is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const { ended } = await start({ PORT: String(port) });
    expectOneLine(await ended, new RegExp(`^PORT: ${port} is taken`));
    other.close();
  });

  const half = Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(5000, 7)]);
  test.each([
    ["nonsense", Buffer.from("this is no database, only words ".repeat(200))],
    ["a database cut in the middle", half],
  ])("a site.db that is %s, and leaves it as it was", async (_, content) => {
    let file = "";
    const end = await endIn((dataDir) => {
      file = path.join(dataDir, "site.db");
      writeFileSync(file, content);
    });
    expectOneLine(end, /^DATA_DIR: site\.db is damaged or not a database/);
    expect(readFileSync(file).equals(content)).toBe(true);
  });

  test("a site.db that cannot be opened", async () => {
    const end = await endIn((dataDir) => mkdirSync(path.join(dataDir, "site.db")));
    expectOneLine(end, /^DATA_DIR: /);
  });

  test("a folder with what is left of a site, but no database, unless a new site is wanted", async () => {
    const dataDir = temporaryFolder();
    const media = path.join(dataDir, "media", "course-videos", "m");
    mkdirSync(media, { recursive: true });
    writeFileSync(path.join(media, "a.mp4"), "a film");
    writeFileSync(path.join(dataDir, "secret"), "s".repeat(32));
    writeFileSync(path.join(dataDir, "site.db"), "");
    const before = readdirSync(dataDir).sort();
    expectOneLine(
      await (await start({ DATA_DIR: dataDir })).ended,
      /^DATA_DIR: site\.db is missing or empty, but \S+ has the secret, media of a site\. Nothing was changed\. Put site\.db back, or restore a backup \(npm run restore\)\. To begin a new site all the same: npm start -- --new$/,
    );
    const command = run("command.ts", ["admin", "a@example.com"], { DATA_DIR: dataDir });
    expect((await command.ended).err).toMatch(/^DATA_DIR: site\.db is missing or empty/);
    expect(readdirSync(dataDir).sort()).toEqual([...before, "lock"].sort());
    const site = await start({ DATA_DIR: dataDir }, undefined, ["--new"]);
    await site.line(/^Blue Dot is at/m);
    expect((await site.kill("SIGTERM")).code).toBe(0);
    expect(readFileSync(path.join(dataDir, "secret"), "utf8")).toBe("s".repeat(32));
  });

  test("a database with accounts whose secret is gone, until it is back", async () => {
    const dataDir = temporaryFolder();
    const admin = { ADMIN_EMAIL: "nora@example.com", ADMIN_PASSWORD: "Long-enough-1" };
    const site = await startServing({ DATA_DIR: dataDir, ...admin });
    await site.kill("SIGTERM");
    const secret = path.join(dataDir, "secret");
    renameSync(secret, `${secret}.away`);
    expectOneLine(
      await (await start({ DATA_DIR: dataDir })).ended,
      /^DATA_DIR: \S+secret is missing, and sessions, links in emails and two-factor depend on it\. Nothing was changed\. Put it back, each backup has it, or set AUTH_SECRET/,
    );
    const backup = run("command.ts", ["backup", temporaryFolder()], { DATA_DIR: dataDir });
    expect((await backup.ended).err).toMatch(/secret is missing/);
    expect(existsSync(secret)).toBe(false);
    renameSync(`${secret}.away`, secret);
    expect((await (await startServing({ DATA_DIR: dataDir })).kill("SIGTERM")).code).toBe(0);
  });

  test("a damaged secret", async () => {
    const end = await endIn((dataDir) => writeFileSync(path.join(dataDir, "secret"), "short"));
    expectOneLine(end, /^DATA_DIR: .*secret is damaged/);
  });
});

/** A form to the sign-in page, of which nothing has been sent yet. */
const sending = ({ port, url }: { port: string; url: string }, headers: OutgoingHttpHeaders) =>
  request({
    ...{ host: "127.0.0.1", port, method: "POST", path: "/auth" },
    headers: { origin: url, ...headers },
  });

describe.concurrent("a site that runs", patient, () => {
  test("names a DATA_DIR that others on the machine may read, and how to close it", async () => {
    const dataDir = temporaryFolder();
    chmodSync(dataDir, 0o755);
    const site = await startServing({ DATA_DIR: dataDir });
    expect(site.out()).toMatch(new RegExp(`^DATA_DIR: .* chmod 700 ${dataDir}$`, "m"));
    await site.kill("SIGTERM");
  });

  test("makes its folder, says where it is and how to begin, and stops in order", async () => {
    const dataDir = path.join(temporaryFolder(), "new", "folder");
    const site = await startServing({ DATA_DIR: dataDir });
    expect(site.url).toBe(`http://localhost:${site.port}`);
    expect(site.out()).toMatch(
      /Create the first administrator here \(once\): http:\/\/localhost:\d+\/setup\?token=\S{20,}/,
    );
    expect(site.out()).toContain(`Emails are written to ${path.join(dataDir, "mail")}`);
    expect(site.out()).not.toContain("chmod");
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
      const outgoing = sending(site, {
        "content-type": "application/x-www-form-urlencoded",
        "content-length": body.length,
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
      // Vitest lets another concurrent test that ends meanwhile wait for `rejects`, and fail with it.
      const refuses = async () =>
        expect(await fetch(`http://127.0.0.1:${site.port}/healthz`).catch(() => null)).toBeNull();
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

  test("resets no connection that it has accepted when it stops under load", async () => {
    const site = await startServing({ LOG_LEVEL: "error" });
    const ends: unknown[] = [];
    let answered = 0;
    /** Asks until the site listens no more; a connection that is refused loses nothing. */
    async function client(number: number) {
      const agent = new Agent({ keepAlive: number % 2 === 0, maxSockets: 1 });
      const url = `http://127.0.0.1:${site.port}`;
      const form = { path: "/auth", method: "POST", body: Buffer.from("email=x&password=y") };
      const headers = {
        origin: site.url,
        "content-type": "application/x-www-form-urlencoded",
        "content-length": "18",
      };
      for (;;) {
        const asking = number % 3 ? { path: "/about", agent } : { ...form, headers, agent };
        const failure: unknown = await rawRequest(url, asking).then(
          () => null,
          (error: unknown) => error,
        );
        if (failure) return void ends.push((failure as NodeJS.ErrnoException).code);
        answered += 1;
      }
    }
    const clients = Array.from({ length: 20 }, (_, number) => client(number));
    await vi.waitFor(() => expect(answered).toBeGreaterThan(60), { timeout: 20_000 });
    expect(await site.kill("SIGTERM")).toMatchObject({ code: 0, err: "" });
    await Promise.all(clients);
    expect(ends).toEqual(Array(20).fill("ECONNREFUSED"));
  });

  test("deletes what is too old, without being asked", async () => {
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

  test("is not held up by someone who never reads", async () => {
    const site = await startServing();
    const stuck = sending(site, { "content-length": 10 });
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
    ["has no such database", { pathname: "/no_such_one" }],
    ["knows no such person", { username: "no_such_one" }],
  ])("because it %s, is reported in a line", async (_, change) => {
    const url = Object.assign(new URL(process.env.TEST_DATABASE_URL ?? ""), change);
    const { ended } = await start({ DATABASE_URL: url.href, AUTH_SECRET: "s".repeat(32) });
    expectOneLine(await ended, /^DATABASE_URL: .*no_such_one/);
  });

  test("because it is empty, where files of a site are, is reported in a line", async () => {
    const { url: DATABASE_URL = "", drop } = await freshDatabase();
    const env = { DATABASE_URL, AUTH_SECRET: "s".repeat(32), DATA_DIR: temporaryFolder() };
    writeFileSync(path.join(env.DATA_DIR, "journal-key"), "x");
    expectOneLine(
      await (await start(env)).ended,
      /^DATABASE_URL: the database is empty, but \S+ has the journal-key of a site\. Nothing was changed\. Set the right address, move the site there/,
    );
    await drop();
  });
});
