import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Config } from "~/platform/config/config.ts";
import type { Services } from "~/platform/http/services.ts";
import { openSite } from "../../build/server/index.js";
import { testConfig } from "../support/config.ts";
import { freshDatabase } from "../support/database.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let config: Config;

beforeAll(async () => {
  database = await freshDatabase();
  config = await testConfig(database.url, { SAMPLE_CONTENT: "on" });
});
afterAll(async () => {
  await database.drop();
  rmSync(config.dataDir, { recursive: true, force: true });
});

/** One life of the site: it starts, something happens, it stops. */
async function life<T>(happens: (services: Services) => Promise<T>, how = config): Promise<T> {
  const site = await openSite(how);
  try {
    return await happens(site.services);
  } finally {
    await site.close();
  }
}

const everything = async ({ db }: Services) => ({
  products: await db.read.selectFrom("products").selectAll().orderBy("id").execute(),
  modules: await db.read.selectFrom("modules").selectAll().orderBy("id").execute(),
  lessons: await db.read.selectFrom("lessons").selectAll().orderBy("id").execute(),
});

describe("sample courses", () => {
  test("are both there after the first start, whole", async () => {
    const { products, modules, lessons } = await life(everything);
    const prices = Object.fromEntries(products.map(({ slug, priceCents }) => [slug, priceCents]));
    expect(prices).toMatchObject({
      "blue-dot-method": 19700,
      "seven-days-of-calm": expect.any(Number),
    });
    const mails = Object.fromEntries(
      products.map(({ slug, lessonEmails }) => [slug, lessonEmails]),
    );
    expect(mails).toMatchObject({ "blue-dot-method": "notice", "seven-days-of-calm": "lesson" });
    const lessonsOf = (slug: string) => {
      const id = products.find((product) => product.slug === slug)?.id;
      return modules
        .filter(({ productId }) => productId === id)
        .map((module) => lessons.filter(({ moduleId }) => moduleId === module.id));
    };
    const blueDot = lessonsOf("blue-dot-method");
    expect(blueDot).toHaveLength(6);
    for (const week of blueDot) expect(week.length).toBeGreaterThanOrEqual(4);
    expect(lessonsOf("seven-days-of-calm").flat()).toHaveLength(7);
    expect(lessons.some(({ muxPlaybackId }) => muxPlaybackId)).toBe(true);
    expect(lessons.some(({ audioKey }) => audioKey)).toBe(true);
    expect(lessons.some(({ prompts }) => (prompts?.length ?? 0) > 0)).toBe(true);
  });

  test("have media that can be heard and seen", async () => {
    await life(async ({ db, storage }) => {
      const keys = await db.read
        .selectFrom("lessons")
        .select(["muxPlaybackId", "audioKey"])
        .execute();
      for (const { muxPlaybackId, audioKey } of keys) {
        if (muxPlaybackId)
          expect(await storage.find("course-videos", muxPlaybackId)).not.toBeNull();
        if (audioKey) expect(await storage.find("course-audio", audioKey)).not.toBeNull();
      }
    });
  });

  const registered = ({ db }: Services) =>
    db.read.selectFrom("mediaFiles").selectAll().orderBy("bucket").execute();

  test("have media that say what they are and how long they last", async () => {
    expect(await life(registered)).toMatchObject([
      {
        bucket: "course-audio",
        key: "samples/breathing.m4a",
        fileName: "breathing.m4a",
        contentType: "audio/mp4",
        size: 690_444,
        durationMs: 90_032,
      },
      {
        bucket: "course-videos",
        key: "samples/horizon.mp4",
        contentType: "video/mp4",
        size: 1_096_197,
        durationMs: 60_032,
      },
    ]);
  });

  test("have their media again on a machine that had none", async () => {
    const before = await life(registered);
    rmSync(path.join(config.dataDir, "media"), { recursive: true });
    await life(async ({ storage }) => {
      expect((await storage.find("course-audio", "samples/breathing.m4a"))?.size).toBe(690_444);
      expect((await storage.find("course-videos", "samples/horizon.mp4"))?.size).toBe(1_096_197);
    });
    expect(await life(registered)).toEqual(before);
  });

  test("are the same after every start", async () => {
    const before = await life(everything);
    expect(await life(everything)).toEqual(before);
  });

  test("stay as an administrator has edited them, and gone when she has deleted them", async () => {
    const before = await life(async (services) => {
      const { write } = services.db;
      const [first, second] = (await everything(services)).products;
      const id = first?.id ?? "";
      await write
        .updateTable("products")
        .set({ title: "Mine now", slug: "mine", active: false })
        .where("id", "=", id)
        .execute();
      await write.updateTable("lessons").set({ content: "My words" }).execute();
      await write
        .updateTable("products")
        .set({ deletedAt: new Date() })
        .where("id", "=", second?.id ?? "")
        .execute();
      return everything(services);
    });
    expect(await life(everything)).toEqual(before);
    expect(before.products).toHaveLength(2);
  });
});

test("SAMPLE_CONTENT=off: an empty database stays empty", async () => {
  const own = await freshDatabase();
  const off = await testConfig(own.url, { SAMPLE_CONTENT: "off" });
  const { products } = await life(everything, off);
  expect(products).toEqual([]);
  await own.drop();
});

// Two processes have one database on PostgreSQL only.
describe.runIf(process.env.TEST_DATABASE_URL)("two first starts at once", () => {
  test("load each course once", async () => {
    const own = await freshDatabase();
    const configs = [
      await testConfig(own.url, { SAMPLE_CONTENT: "on" }),
      await testConfig(own.url, { SAMPLE_CONTENT: "on" }),
    ];
    const [one] = await Promise.all(configs.map((each) => life(everything, each)));
    expect(one).toBeDefined();
    const { products } = await life(everything, configs[0]);
    expect(products.map(({ slug }) => slug).sort()).toEqual([
      "blue-dot-method",
      "seven-days-of-calm",
    ]);
    await own.drop();
  });
});
