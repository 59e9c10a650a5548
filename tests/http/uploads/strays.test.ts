import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cleanUpMedia } from "~/features/lesson-media/jobs.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { buckets } from "~/platform/storage/storage.ts";
import { temporaryFolder } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { createPerson } from "../../support/people.ts";
import { type S3Server, startS3 } from "../../support/s3.ts";
import { openTestServices } from "../../support/services.ts";
import { startSite, type TestSite } from "../../support/site.ts";
import { beginUpload, sampleFile } from "../../support/uploads.ts";

type Site = Pick<TestSite, "services" | "clock">;

describe.each(["local", "s3"] as const)("bytes that nothing knows of, %s", (kind) => {
  let s3: S3Server | null = null;
  let site: TestSite;

  beforeEach(async () => {
    if (kind === "s3") s3 = await startS3();
    site = await startSite(s3?.env);
    await tidy(site);
  });
  afterEach(async () => {
    await site?.close();
    await s3?.close();
  });

  /** Two machines do it at once. */
  async function tidy({ services, clock }: Site, days = 0) {
    clock.forwardDays(days);
    await Promise.all([cleanUpMedia.run(services), cleanUpMedia.run(services)]);
  }
  async function put(key: string, content: string | Buffer = sampleFile("film.mp4")) {
    const source = path.join(temporaryFolder(), "file");
    writeFileSync(source, content);
    for (const bucket of buckets) await site.services.storage.putFile(bucket, key, source);
  }
  const thereOf = (keys: string[], bucket: (typeof buckets)[number] = "course-videos") =>
    Promise.all(keys.map(async (key) => (await site.services.storage.find(bucket, key)) !== null));
  const strayKey = () => `${newId()}/1763000000000-stray.mp4`;

  test("files go seven days after they were noticed; what lessons name stays", async () => {
    const course = await createCourse(site.services, [[{}]]);
    const [named, stray] = [strayKey(), strayKey()];
    for (const key of [named, stray]) await put(key);
    const values = { muxPlaybackId: named, deletedAt: site.clock.now() };
    const lessonId = course.modules[0]?.lessons[0]?.id ?? "";
    await site.services.db.write
      .updateTable("lessons")
      .set(values)
      .where("id", "=", lessonId)
      .execute();
    // Nobody looked for a year: how old a file is does not matter.
    await tidy(site, 365);
    expect(await thereOf([stray, named])).toEqual([true, true]);
    await tidy(site, 6.9);
    expect(await thereOf([stray, named])).toEqual([true, true]);
    await tidy(site, 0.2);
    expect(await thereOf([stray, named])).toEqual([false, true]);
    expect(await thereOf([stray], "course-audio")).toEqual([false]);
    await tidy(site, 60);
    expect(await thereOf([named])).toEqual([true]);
  });

  test("one that turns out to be known has its days begin anew", async () => {
    const key = strayKey();
    await put(key);
    await tidy(site);
    const { db, clock } = site.services;
    const id = newId();
    const file = { id, bucket: "course-videos", key, fileName: "a.mp4", contentType: "", size: 1 };
    await db.write
      .insertInto("mediaFiles")
      .values({ ...file, createdAt: clock.now() })
      .execute();
    await tidy(site, 6);
    await db.write.deleteFrom("mediaFiles").where("id", "=", id).execute();
    await tidy(site);
    await tidy(site, 6);
    expect(await thereOf([key])).toEqual([true]);
    await tidy(site, 1.1);
    expect(await thereOf([key])).toEqual([false]);
  });

  test("what is not like our own stays for ever: samples, and what others keep there", async () => {
    const foreign = [
      "samples/tidy.mp4",
      "backup/2026-11-01.tar",
      "readme.txt",
      `${newId()}/film.mp4`,
      `archive/${strayKey()}`,
      "uploads/holiday/1.jpg",
      `uploads/${newId()}/holiday.jpg`,
    ];
    for (const key of foreign) await put(key);
    for (const days of [0, 8, 8, 60]) await tidy(site, days);
    expect(await thereOf(foreign)).toEqual(foreign.map(() => true));
  });

  test("another database removes nothing from storage that is not its own, and says so", async () => {
    const key = strayKey();
    await put(key);
    const folder = temporaryFolder();
    symlinkSync(path.join(site.services.config.dataDir, "media"), path.join(folder, "media"));
    const other = await openTestServices({ ...s3?.env, DATA_DIR: folder });
    try {
      const warnings: unknown[] = [];
      const log = Object.create(other.services.log, {
        warn: { value: (...said: unknown[]) => warnings.push(said) },
      });
      for (const days of [0, 8, 8, 60]) {
        other.clock.forwardDays(days);
        await cleanUpMedia.run({ ...other.services, log });
      }
      expect(warnings).toHaveLength(4);
      expect(await thereOf([key])).toEqual([true]);
    } finally {
      await other.close();
    }
  });

  async function begin(media: "video" | "audio", fileName: string) {
    const course = await createCourse(site.services, [[{}]]);
    const coach = await createPerson(site.services, { role: "admin" });
    const cookie = await site.cookieOf(coach);
    const to = { url: site.url, cookie, origin: site.services.config.appUrl };
    const moduleId = course.modules[0]?.id ?? "";
    return beginUpload({ ...to, moduleId, kind: media, fileName }, 1000);
  }

  test.runIf(kind === "s3")("so do uploads in parts that no row knows of", async () => {
    await begin("video", "a.mp4");
    await begin("audio", "a.mp3");
    await site.services.db.write.deleteFrom("uploads").execute();
    const begun = () =>
      ["test-course-videos", "test-course-audio"].map((name) => s3?.contents(name)?.uploads);
    await tidy(site);
    await tidy(site, 6.9);
    expect(begun()).toEqual([1, 1]);
    await tidy(site, 0.2);
    expect(begun()).toEqual([0, 0]);
  });

  test.runIf(kind === "s3")("and what a broken line left beside them", async () => {
    const tail = `uploads/${newId()}/0`;
    await put(tail);
    await tidy(site);
    await tidy(site, 7.1);
    expect(await thereOf([tail])).toEqual([false]);
  });

  test.runIf(kind === "local")("so do the bytes of uploads without a row", async () => {
    const folder = path.join(site.services.config.dataDir, "uploads");
    mkdirSync(folder, { recursive: true });
    const [stray, foreign] = [path.join(folder, newId()), path.join(folder, "notes.txt")];
    for (const file of [stray, foreign]) writeFileSync(file, "some bytes");
    await tidy(site);
    await tidy(site, 6.9);
    expect(existsSync(stray)).toBe(true);
    await tidy(site, 0.2);
    expect([existsSync(stray), existsSync(foreign)]).toEqual([false, true]);
  });
});
