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
let cache: PageCache;
let now: Date;
let lines: { level: number; msg: string }[];
const limits = { bytes: 1e6, age: 3600_000, look: 2000, rendering: 20_000 };

beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), "blue-dot-pages-"));
  db = await openDatabase({ dataDir, databaseUrl: undefined }, () => {});
  now = new Date("2026-01-01T12:00:00Z");
  lines = [];
  const log = pino({ level: "info" }, { write: (line) => lines.push(JSON.parse(line)) });
  const config = { appUrl: "http://localhost" } as Services["config"];
  const content = { refresh: async () => {} } as Services["content"];
  services = { db, log, config, content, clock: { now: () => now } };
  cache = new PageCache(services);
  await cache.look();
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
const isCached = (path = "/") => cache.find(path) !== undefined;

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

test("many requests at once wait for one rendering, which is cached", async () => {
  const one = slow();
  const asked = Array.from({ length: 20 }, () => cache.page("/", one.render));
  expect(isCached()).toBe(false);
  one.resolve(rendering("page"));
  expect((await Promise.all(asked)).map(textOf)).toEqual(Array(20).fill("page"));
  expect(one.count()).toBe(1);
  expect(textOf(await cache.page("/", ready("another")))).toBe("page");
});

test("of a rendering that failed the first request gets the failure, the others try again", async () => {
  const failing = slow();
  const first = cache.page("/", failing.render);
  const others = ["mine", "mine too"].map((text) => cache.page("/", ready(text)));
  failing.reject(new Error("no"));
  await expect(first).rejects.toThrow("no");
  const texts = (await Promise.all(others)).map((outcome) => (outcome as Response).text());
  expect(await Promise.all(texts)).toEqual(["mine", "mine too"]);
  expect(isCached()).toBe(false);
  expect(textOf(await cache.page("/", ready("good again")))).toBe("good again");
});

test("a reading of the version that hangs is one connection, until it ends", async () => {
  const hanging = Promise.withResolvers<void>();
  let readings = 0;
  const read = db.read.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (++readings === 1) await hanging.promise;
      return result;
    },
  });
  cache = new PageCache({ ...services, db: { ...db, read } }, { ...limits, look: 10 });
  for (let n = 0; n < 3; n += 1) expect(await cache.look()).toBe(false);
  expect(readings).toBe(1);
  hanging.resolve();
  await vi.waitFor(async () => expect(await cache.look()).toBe(true));
});

test("a rendering that hangs is given up, and the others try again", async () => {
  cache = new PageCache(services, { ...limits, rendering: 2000 });
  const first = cache.page("/", slow().render);
  const second = cache.page("/", ready("mine"));
  await expect(first).rejects.toThrow("took too long");
  expect(await ((await second) as Response).text()).toBe("mine");
  expect(textOf(await cache.page("/", ready("another")))).toBe("another");
  expect(isCached()).toBe(true);
});

test.each<[string, Rendering]>([
  ["another status than 200", rendering("", { status: 404 })],
  ["a cookie", rendering("", { headers: { "set-cookie": "a=b" } })],
  ["something missing", { ...rendering(""), complete: false }],
])("a rendering with %s is answered and not cached", async (_, result) => {
  expect(await cache.page("/", async () => result)).toBe(result.response);
  expect(isCached()).toBe(false);
});

test("a page that was rendered while the content changed is not cached", async () => {
  const old = slow();
  const before = cache.page("/", old.render);
  await old.begun;
  await changeContent();
  old.resolve(rendering("old"));
  expect(textOf(await before)).toBe("old");
  expect(isCached()).toBe(false);
});

test("a request after a change was noticed waits for no rendering from before it", async () => {
  const old = slow();
  const before = cache.page("/", old.render);
  await old.begun;
  await changeContent();
  await cache.look();
  expect(textOf(await cache.page("/", ready("new")))).toBe("new");
  old.resolve(rendering("old"));
  expect(textOf(await before)).toBe("old");
  expect(textOf(await cache.page("/", ready("newest")))).toBe("new");
});

test("a change from before a rendering is no reason not to cache it", async () => {
  await changeContent();
  const one = slow();
  const asked = [cache.page("/", one.render), cache.page("/", one.render)];
  await one.begun;
  asked.push(cache.page("/", one.render));
  one.resolve(rendering("page"));
  expect((await Promise.all(asked)).map(textOf)).toEqual(["page", "page", "page"]);
  expect(one.count()).toBe(1);
  expect(isCached()).toBe(true);
});

test("pages are dropped when the content has changed, after an hour, and when they are too many", async () => {
  await cache.page("/", ready("page"));
  now = new Date(now.getTime() + limits.age - 1);
  await cache.look();
  expect(isCached()).toBe(true);
  now = new Date(now.getTime() + 1);
  await cache.look();
  expect(isCached()).toBe(false);
  await cache.page("/", ready("page"));
  await changeContent();
  await cache.look();
  expect(isCached()).toBe(false);

  const page = "x".repeat(1000);
  cache = new PageCache(services, { ...limits, bytes: 2500 });
  for (const path of ["/a", "/b", "/c"]) await cache.page(path, ready(page));
  expect(["/a", "/b", "/c"].map(isCached)).toEqual([false, false, true]);
});

test("without its database it answers with what it has, caches nothing new, and logs that once", async () => {
  await cache.page("/", ready("page"));
  await db.read.destroy();
  for (let n = 0; n < 3; n += 1) expect(await cache.look()).toBe(false);
  expect(isCached()).toBe(true);
  expect(textOf(await cache.page("/about", ready("about")))).toBe("about");
  expect(isCached("/about")).toBe(false);
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [40, "the content's version cannot be read; pages stay as they are"],
  ]);
});
