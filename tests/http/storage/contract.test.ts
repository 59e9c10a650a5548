import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contentType } from "~/platform/storage/content-type.ts";
import { type Bucket, buckets, type Storage } from "~/platform/storage/storage.ts";
import { temporaryFolder } from "../../support/config.ts";
import { openForTests } from "../../support/open-for-tests.ts";
import { sha, startUploadSite } from "../../support/uploads.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file on this disk, to be stored. */
function file(content: Uint8Array): string {
  const name = path.join(folder, randomBytes(8).toString("hex"));
  writeFileSync(name, content);
  return name;
}

const film = randomBytes(3 * 1024 * 1024 + 17);
const keys = [
  "module/1732190000000-film.mp4",
  "module/with space.mp3",
  "module/%2e%2e%2F.mp3",
  "module/Grüße 🕯 שלום.mp3",
  `module/it's "quoted" <b>(1)!*.mp3`,
  "module/a=b;c:d@e$f,g~h^i`j|k{l}[m]#n.mp3",
  `module/${"long-".repeat(45)}.mp3`,
];
const noKeys = ["", "/", "/a", "a/", "a//b", "../a", "a/../b", "a/./b", "..", ".", "a\0b", "a\\b"];

describe.each(["local", "s3"] as const)("Storage, %s", (kind) => {
  const site = openForTests(() => startUploadSite(kind));
  let storage: Storage;
  const now = () => site.services.clock.now();
  const get = async (bucket: Bucket, key: string, headers: Record<string, string> = {}) =>
    fetch(new URL(await storage.signedUrl(bucket, key, now()), site.url), { headers });
  const bodyOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

  beforeAll(async () => {
    storage = site.services.storage;
    await storage.putFile("course-videos", "film.mp4", file(film));
  });

  test("is the one that is configured, with both buckets", () => {
    expect(storage.kind).toBe(kind);
    const media = path.join(site.services.config.dataDir, "media");
    expect(existsSync(media)).toBe(kind === "local");
    for (const bucket of buckets) {
      if (site.s3) expect(site.s3.contents(`test-${bucket}`)).not.toBeNull();
      else expect(existsSync(path.join(media, bucket))).toBe(true);
    }
  });

  test.each(keys)("stores, finds, gives out and removes %j", async (key) => {
    const content = randomBytes(1000);
    expect(await storage.find("course-audio", key)).toBeNull();
    expect(await storage.open("course-audio", key)).toBeNull();
    await storage.putFile("course-audio", key, file(content));
    const found = await storage.find("course-audio", key);
    expect(found?.size).toBe(1000);
    expect(Math.abs(Date.now() - (found?.modifiedAt.getTime() ?? 0))).toBeLessThan(60_000);
    // The other bucket knows nothing of it.
    expect(await storage.find("course-videos", key)).toBeNull();
    const response = await get("course-audio", key);
    expect(response.status).toBe(200);
    expect(sha(await bodyOf(response))).toBe(sha(content));
    expect(response.headers.get("content-type")).toBe(contentType("course-audio", key));
    await storage.remove("course-audio", key);
    expect(await storage.find("course-audio", key)).toBeNull();
    const gone = await get("course-audio", key);
    expect(gone.status).toBe(404);
    await gone.body?.cancel();
    await storage.remove("course-audio", key);
  });

  test.each(noKeys)("has nothing at %j, and stores nothing there", async (key) => {
    expect(await storage.find("course-videos", key)).toBeNull();
    expect(await storage.open("course-videos", key)).toBeNull();
    await storage.remove("course-videos", key);
    await expect(storage.putFile("course-videos", key, file(film))).rejects.toThrow(/key/);
    await expect(storage.moveFile("course-videos", key, file(film))).rejects.toThrow(/key/);
    expect((await storage.find("course-videos", "film.mp4"))?.size).toBe(film.length);
  });

  test("open: reads at any place", async () => {
    const opened = await storage.open("course-videos", "film.mp4");
    expect(opened?.size).toBe(film.length);
    if (!opened) return;
    const part = async (offset: number, length: number) =>
      Buffer.from(await opened.read(offset, length));
    expect(await part(0, 4)).toEqual(film.subarray(0, 4));
    expect(await part(1_000_000, 70_000)).toEqual(film.subarray(1_000_000, 1_070_000));
    expect(await part(film.length - 3, 3)).toEqual(film.subarray(-3));
    expect(await part(film.length - 3, 100)).toEqual(film.subarray(-3));
    expect(await part(film.length, 10)).toHaveLength(0);
    expect(await part(film.length + 10, 10)).toHaveLength(0);
    expect(await part(5, 0)).toHaveLength(0);
    const many = await Promise.all([0, 1, 2, 3].map((n) => part(n * 500_000, 500_000)));
    expect(Buffer.concat(many)).toEqual(film.subarray(0, 2_000_000));
    await opened.close();
  });

  test("signedUrl: gives ranges, with a type and nothing to download", async () => {
    const whole = await get("course-videos", "film.mp4");
    expect(whole.headers.get("content-type")).toBe("video/mp4");
    expect(whole.headers.get("content-disposition") ?? "inline").toBe("inline");
    expect(whole.headers.get("cache-control")).toMatch(/^private/);
    expect(sha(await bodyOf(whole))).toBe(sha(film));
    const last = film.length - 1;
    for (const [range, start, end] of [
      // Not 'bytes=0-0' nor 'bytes=-1': the S3 server of the tests takes them for all of it.
      ["bytes=0-1023", 0, 1023],
      [`bytes=${last}-${last}`, last, last],
      ["bytes=2000000-", 2_000_000, last],
    ] as const) {
      const response = await get("course-videos", "film.mp4", { range });
      expect([range, response.status]).toEqual([range, 206]);
      expect(response.headers.get("content-range")).toBe(`bytes ${start}-${end}/${film.length}`);
      expect(sha(await bodyOf(response))).toBe(sha(film.subarray(start, end + 1)));
    }
    const beyond = await get("course-videos", "film.mp4", { range: `bytes=${film.length}-` });
    expect(beyond.status).toBe(416);
    await beyond.body?.cancel();
  });

  test("moveFile: takes the file away from where it was", async () => {
    const source = file(film);
    await storage.moveFile("course-videos", "moved/film.mp4", source);
    expect(existsSync(source)).toBe(false);
    expect(sha(await bodyOf(await get("course-videos", "moved/film.mp4")))).toBe(sha(film));
  });

  test("stores whole files or none", async () => {
    for (const source of [path.join(folder, "not-there"), folder]) {
      await expect(storage.putFile("course-videos", "half/a.mp4", source)).rejects.toThrow();
      await expect(storage.moveFile("course-videos", "half/a.mp4", source)).rejects.toThrow();
      expect(await storage.find("course-videos", "half/a.mp4")).toBeNull();
    }
    if (kind === "local")
      expect(readdirSync(path.join(site.services.config.dataDir, "media", "parts"))).toEqual([]);
  });

  test("a folder is not a file; an empty file is one", async () => {
    await storage.putFile("course-audio", "folder/empty.mp3", file(new Uint8Array()));
    expect(await storage.find("course-audio", "folder")).toBeNull();
    expect(await storage.open("course-audio", "folder")).toBeNull();
    expect((await storage.find("course-audio", "folder/empty.mp3"))?.size).toBe(0);
  });
});
