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

/** Starts the site, does something, stops it. */
async function life<T>(happens: (services: Services) => Promise<T>, how = config): Promise<T> {
  const site = await openSite(how);
  try {
    return await happens(site.services);
  } finally {
    await site.close();
  }
}

const everything = async ({ db, storage }: Services) => ({
  products: await db.read.selectFrom("products").selectAll().orderBy("id").execute(),
  modules: await db.read.selectFrom("modules").selectAll().orderBy("id").execute(),
  lessons: await db.read.selectFrom("lessons").selectAll().orderBy("id").execute(),
  files: await db.read.selectFrom("mediaFiles").selectAll().orderBy("bucket").execute(),
  audio: (await storage.find("course-audio", "samples/breathing.m4a"))?.size,
  video: (await storage.find("course-videos", "samples/horizon.mp4"))?.size,
});

describe("sample courses", () => {
  test("are there after the first start, whole, with media that last", async () => {
    const { products, modules, lessons, ...media } = await life(everything);
    const bySlug = (slug: string) => {
      const product = products.find((one) => one.slug === slug);
      const own = modules.filter(({ productId }) => productId === product?.id);
      return {
        ...product,
        modules: own.map(({ id }) => lessons.filter(({ moduleId }) => moduleId === id)),
      };
    };
    expect(products).toHaveLength(2);
    const blueDot = bySlug("blue-dot-method");
    expect(blueDot).toMatchObject({ priceCents: 19700, lessonEmails: "notice" });
    expect(blueDot.modules).toHaveLength(6);
    for (const week of blueDot.modules) expect(week.length).toBeGreaterThanOrEqual(4);
    const calm = bySlug("seven-days-of-calm");
    expect(calm).toMatchObject({ priceCents: expect.any(Number), lessonEmails: "lesson" });
    expect(calm.modules.flat()).toHaveLength(7);
    expect(lessons.some(({ prompts }) => (prompts?.length ?? 0) > 0)).toBe(true);

    const keys = new Set(
      lessons.flatMap((one) => [one.muxPlaybackId ?? [], one.audioKey ?? []]).flat(),
    );
    expect(keys).toEqual(new Set(["samples/horizon.mp4", "samples/breathing.m4a"]));
    expect(media.audio).toBe(690_444);
    expect(media.video).toBe(1_096_197);
    expect(media.files).toMatchObject([
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

  test("are the same after the next start, with media also where the files are gone", async () => {
    const before = await life(everything);
    rmSync(path.join(config.dataDir, "media"), { recursive: true });
    expect(await life(everything)).toEqual(before);
  });

  test("stay as an admin has edited or deleted them", async () => {
    const before = await life(async (services) => {
      const { write } = services.db;
      const [first, second] = (await everything(services)).products;
      const change = (values: object, id = "") =>
        write.updateTable("products").set(values).where("id", "=", id).execute();
      await change({ title: "Mine now", slug: "mine", active: false }, first?.id);
      await change({ deletedAt: new Date() }, second?.id);
      await write.updateTable("lessons").set({ content: "My words" }).execute();
      return everything(services);
    });
    expect(await life(everything)).toEqual(before);
    expect(before.products).toHaveLength(2);
  });

  test("begin as 'coming soon' as the settings say, also from before there was a choice", async () => {
    const own = await freshDatabase();
    const started = (env: Record<string, string>) =>
      testConfig(own.url, { SAMPLE_CONTENT: "on", ...env });
    const dataDir = (await started({})).dataDir;
    const soon = async ({ db }: Services) =>
      (
        await db.write
          .selectFrom("products")
          .select("slug")
          .where("comingSoon", "=", true)
          .execute()
      )
        .map(({ slug }) => slug)
        .sort();
    const startedWith = async (COMING_SOON: string) => ({
      ...(await started({ COMING_SOON })),
      dataDir,
    });
    // A database from before the column: nothing was chosen yet.
    const asBefore = async (services: Services) => {
      const { write } = services.db;
      const chosen = await soon(services);
      await write.deleteFrom("settings").where("name", "=", "coming-soon-adopted").execute();
      await write.updateTable("products").set({ comingSoon: false }).execute();
      // It can be restored.
      const deleted = write.updateTable("products").set({ deletedAt: new Date() });
      await deleted.where("slug", "=", "blue-dot-method").execute();
      return chosen;
    };
    expect(await life(soon, await startedWith("seven-days-of-calm"))).toEqual([
      "seven-days-of-calm",
    ]);
    // Once chosen, the settings change nothing any more.
    expect(await life(asBefore, await startedWith("none"))).toEqual(["seven-days-of-calm"]);
    expect(await life(asBefore, await startedWith("none"))).toEqual([]);
    const both = ["blue-dot-method", "seven-days-of-calm"];
    expect(await life(soon, { ...(await started({})), dataDir })).toEqual(both);
    await own.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("are none with SAMPLE_CONTENT=off", async () => {
    const own = await freshDatabase();
    const off = await testConfig(own.url, { SAMPLE_CONTENT: "off" });
    expect((await life(everything, off)).products).toEqual([]);
    await own.drop();
  });

  // Two processes have one database on PostgreSQL only.
  test.runIf(process.env.TEST_DATABASE_URL)("are loaded once by two first starts", async () => {
    const own = await freshDatabase();
    const start = async () => life(everything, await testConfig(own.url, { SAMPLE_CONTENT: "on" }));
    await Promise.all([start(), start()]);
    const { products } = await start();
    expect(products.map(({ slug }) => slug).sort()).toEqual([
      "blue-dot-method",
      "seven-days-of-calm",
    ]);
    await own.drop();
  });
});
