import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Database, openDatabase } from "../db/database.ts";
import { newId } from "../db/ids.ts";
import type { Services } from "../http/services.ts";
import type { CachedPage } from "./cached-page.ts";
import { PageCache, type Rendering } from "./page-cache.ts";

let db: Database;
let dataDir: string;
let services: ConstructorParameters<typeof PageCache>[0];
let memory: PageCache;
let now: Date;
let lines: { level: number; msg: string }[];

beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), "blue-dot-memory-"));
  db = await openDatabase({ dataDir, databaseUrl: undefined }, () => {});
  now = new Date("2026-01-01T12:00:00Z");
  lines = [];
  const log = pino({ level: "info" }, { write: (line) => lines.push(JSON.parse(line)) });
  const config = { appUrl: "http://localhost" } as Services["config"];
  services = { db, log, config, clock: { now: () => now } };
  memory = new PageCache(services);
  await memory.look();
});
afterEach(async () => {
  await db.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const rendering = (text: string, init?: ResponseInit): Rendering => ({
  response: new Response(text, init),
  complete: true,
});
const ready = (text: string) => async () => rendering(text);
const textOf = (outcome: CachedPage | Response) =>
  outcome instanceof Response ? null : String(outcome.variants.identity.whole.body);

/** A rendering that goes on until it is told how to end. */
function slow() {
  const { promise, resolve, reject } = Promise.withResolvers<Rendering>();
  const begun = Promise.withResolvers<void>();
  let count = 0;
  return {
    render: () => {
      count += 1;
      begun.resolve();
      return promise;
    },
    begun: begun.promise,
    count: () => count,
    resolve,
    reject,
  };
}

async function changeContent() {
  const row = { id: newId(), slug: newId(), title: "A course", priceCents: 1, active: true };
  await db.write
    .insertInto("products")
    .values({ ...row, createdAt: now, updatedAt: now })
    .execute();
}

test("many at once wait for one rendering, which is kept", async () => {
  const one = slow();
  const asked = Array.from({ length: 20 }, () => memory.page("/", one.render));
  expect(memory.find("/")).toBeUndefined();
  one.resolve(rendering("page"));
  expect((await Promise.all(asked)).map(textOf)).toEqual(Array(20).fill("page"));
  expect(one.count()).toBe(1);
  expect(textOf(await memory.page("/", ready("another")))).toBe("page");
});

test("of a rendering that failed the first gets the failure, the others a try of their own", async () => {
  const failing = slow();
  const first = memory.page("/", failing.render);
  const second = memory.page("/", ready("mine"));
  const third = memory.page("/", ready("mine too"));
  failing.reject(new Error("no"));
  await expect(first).rejects.toThrow("no");
  for (const [outcome, text] of [
    [await second, "mine"],
    [await third, "mine too"],
  ] as const)
    expect(await (outcome as Response).text()).toBe(text);
  expect(memory.find("/")).toBeUndefined();
  expect(textOf(await memory.page("/", ready("good again")))).toBe("good again");
});

test("a reading of the version that hangs for good does not end the looking", async () => {
  let readings = 0;
  const read = db.read.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) =>
      ++readings > 1 ? Promise.resolve(result) : new Promise(() => {}),
  });
  const limits = { pages: 9, bytes: 1e6, age: 1e9, look: 10, flight: 1000 };
  memory = new PageCache({ ...services, db: { ...db, read } }, limits);
  expect(await memory.look()).toBe(false);
  expect(await memory.look()).toBe(false);
  expect(readings).toBe(1);
  await vi.waitFor(async () => expect(await memory.look()).toBe(true), { timeout: 10_000 });
});

test("nobody waits for ever for a rendering that hangs", async () => {
  const limits = { pages: 9, bytes: 1e6, age: 1e9, look: 1000, flight: 2000 };
  memory = new PageCache(services, limits);
  const hanging = slow();
  const first = memory.page("/", hanging.render);
  const second = memory.page("/", ready("mine"));
  await expect(first).rejects.toThrow("took too long");
  expect(await ((await second) as Response).text()).toBe("mine");
  expect(textOf(await memory.page("/", ready("anew")))).toBe("anew");
  expect(memory.find("/")).toBeDefined();
});

test.each<[string, Rendering]>([
  ["another status than 200", rendering("", { status: 404 })],
  ["a cookie", rendering("", { headers: { "set-cookie": "a=b" } })],
  ["something missing", { ...rendering(""), complete: false }],
])("%s is given to whoever asked and not kept", async (_, result) => {
  expect(await memory.page("/", async () => result)).toBe(result.response);
  expect(memory.find("/")).toBeUndefined();
});

test("what changes while a page is rendered is not missing from the page that is kept", async () => {
  const old = slow();
  const before = memory.page("/", old.render);
  await old.begun;
  await changeContent();
  old.resolve(rendering("old"));
  expect(textOf(await before)).toBe("old");
  expect(memory.find("/")).toBeUndefined();
});

test("whoever asks after a change was noticed does not wait for a rendering from before", async () => {
  const old = slow();
  const before = memory.page("/", old.render);
  await old.begun;
  await changeContent();
  await memory.look();
  expect(textOf(await memory.page("/", ready("new")))).toBe("new");
  old.resolve(rendering("old"));
  expect(textOf(await before)).toBe("old");
  expect(textOf(await memory.page("/", ready("newest")))).toBe("new");
});

test("what was changed before a page is rendered is no reason not to keep it", async () => {
  await changeContent();
  const one = slow();
  const asked = [memory.page("/", one.render), memory.page("/", one.render)];
  await one.begun;
  asked.push(memory.page("/", one.render));
  one.resolve(rendering("page"));
  expect((await Promise.all(asked)).map(textOf)).toEqual(["page", "page", "page"]);
  expect(one.count()).toBe(1);
  expect(memory.find("/")).toBeDefined();
});

test("nothing is dropped while nothing has changed", async () => {
  await memory.page("/", ready("page"));
  await memory.look();
  expect(memory.find("/")).toBeDefined();
  await changeContent();
  await memory.look();
  expect(memory.find("/")).toBeUndefined();
});

test("after an hour a page is rendered anew", async () => {
  await memory.page("/", ready("page"));
  now = new Date(now.getTime() + 3600_000 - 1);
  memory.expire();
  expect(memory.find("/")).toBeDefined();
  now = new Date(now.getTime() + 1);
  memory.expire();
  expect(memory.find("/")).toBeUndefined();
});

test("without its database it serves what it has, keeps nothing new, and says so once", async () => {
  await memory.page("/", ready("page"));
  await db.read.destroy();
  for (let n = 0; n < 3; n += 1) expect(await memory.look()).toBe(false);
  expect(memory.find("/")).toBeDefined();
  expect(textOf(await memory.page("/about", ready("about")))).toBe("about");
  expect(memory.find("/about")).toBeUndefined();
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [40, "the content's version cannot be read; pages stay as they are"],
  ]);
});
