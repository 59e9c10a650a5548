import { utimesSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bodyOf, type MediaSite, startMediaSite } from "./world.ts";

let site: MediaSite;
const size = 1000;
beforeAll(async () => {
  site = await startMediaSite();
});
afterAll(() => site.close());

describe("ranges", () => {
  test.each([
    ["bytes=0-0", 0, 0],
    ["bytes=0-", 0, 999],
    ["bytes=0-999", 0, 999],
    ["bytes=999-", 999, 999],
    ["bytes=500-100000", 500, 999],
    ["bytes=-1", 999, 999],
    ["bytes=-1000", 0, 999],
    ["bytes=-5000", 0, 999],
    ["bytes=250-749", 250, 749],
    ["bytes=998-999", 998, 999],
    ["bytes=0-998", 0, 998],
    ["bytes=999-999", 999, 999],
    ["bytes=-999", 1, 999],
    ["bytes=-99999999999999999999", 0, 999],
    ["bytes=999-99999999999999999999", 999, 999],
    ["bytes=000-009", 0, 9],
    ["Bytes=0-1", 0, 1],
  ])("%s", async (range, start, end) => {
    const response = await site.part({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(`bytes ${start}-${end}/${size}`);
    expect(response.headers.get("content-length")).toBe(String(end - start + 1));
    expect((await bodyOf(response)).equals(site.bytes.subarray(start, end + 1))).toBe(true);
  });

  test.each([
    "bytes=1000-",
    "bytes=1000-1001",
    "bytes=1001-",
    "bytes=-0",
    "bytes=99999999999999999999-",
    "bytes=99999999999999999998-99999999999999999999",
  ])("%s is outside of the file", async (range) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await site.part({ range }, method);
      expect(response.status).toBe(416);
      expect(response.headers.get("content-range")).toBe(`bytes */${size}`);
      expect(await response.text()).toBe("");
    }
  });

  test.each([
    "bytes=5-1",
    "bytes=999-0",
    "bytes=-",
    "bytes=",
    "bytes=--1",
    "bytes=-1-",
    "bytes=1-2-3",
    "bytes=a-b",
    "bytes=0x0-0xf",
    "bytes=1e1-",
    "bytes=1.5-2",
    "bytes=+1-2",
    "bytes=0 - 1",
    "bytes 0-1",
    "bytes=0-1,5-6",
    "bytes=0-0,-1",
    "bytes=0-,0-,0-",
    `bytes=${"0-1,".repeat(1000)}2-3`,
    "lines=0-1",
    "",
  ])("%j asks for nothing and gets all", async (range) => {
    const response = await site.part({ range });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-range")).toBeNull();
    expect((await bodyOf(response)).equals(site.bytes)).toBe(true);
  });

  test("HEAD tells the same without the bytes", async () => {
    for (const range of ["", "bytes=10-19"]) {
      const headers = { range };
      const [head, full] = [await site.part(headers, "HEAD"), await site.part(headers)];
      expect(head.status).toBe(full.status);
      for (const name of [
        "content-length",
        "content-range",
        "content-type",
        "etag",
        "accept-ranges",
      ])
        expect([name, head.headers.get(name)]).toEqual([name, full.headers.get(name)]);
      expect((await bodyOf(head)).length).toBe(0);
      await bodyOf(full);
    }
  });

  test("what the browser has already is not sent again", async () => {
    const etag = (await site.part({}, "HEAD")).headers.get("etag") ?? "";
    for (const value of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const kept = await site.part({ "if-none-match": value });
      expect([value, kept.status]).toEqual([value, 304]);
      expect(await kept.text()).toBe("");
    }
    expect((await site.part({ "if-none-match": '"x"' })).status).toBe(200);
    // Not even a piece of it.
    expect((await site.part({ "if-none-match": etag, range: "bytes=0-1" })).status).toBe(304);
    expect((await site.part({ "if-none-match": etag }, "HEAD")).status).toBe(304);
    const ifRange = async (value: string) =>
      (await site.part({ range: "bytes=0-1", "if-range": value })).status;
    expect(await ifRange(etag)).toBe(206);
    expect(await ifRange('"x"')).toBe(200);
    expect(await ifRange(`W/${etag}`)).toBe(200);
    expect(await ifRange(`"x", ${etag}`)).toBe(200);
    expect(await ifRange(etag.slice(1, -1))).toBe(200);
    expect(await ifRange("Thu, 01 Jan 1970 00:00:00 GMT")).toBe(200);
    expect(await ifRange("Thu, 01 Jan 2099 00:00:00 GMT")).toBe(200);
    const beyond = { range: "bytes=5000-", "if-range": '"x"' };
    expect((await site.part(beyond)).status).toBe(200);
  });

  test("an empty file is an empty answer", async () => {
    const response = await site.ask(site.signed("m/none.mp3"));
    expect([response.status, response.headers.get("content-length")]).toEqual([200, "0"]);
    for (const range of ["bytes=0-", "bytes=0-0", "bytes=-1", "bytes=-0"]) {
      const part = await site.part({ range }, "GET", site.signed("m/none.mp3"));
      expect([range, part.status]).toEqual([range, 416]);
      expect(part.headers.get("content-range")).toBe("bytes */0");
    }
    const malformed = await site.part({ range: "bytes=1-0" }, "GET", site.signed("m/none.mp3"));
    expect(malformed.status).toBe(200);
  });
});

describe("the entity tag", () => {
  const tagOf = async (of: MediaSite, key: string, bucket?: string) =>
    (await of.part({}, "HEAD", of.signed(key, bucket))).headers.get("etag") ?? "";

  test("is strong, and the same on a machine that has the file since another day", async () => {
    const other = await startMediaSite();
    const copy = path.join(other.services.config.dataDir, "media", "course-audio", "m/sound.mp3");
    utimesSync(copy, new Date(0), new Date(0));
    const tag = await tagOf(site, "m/sound.mp3");
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    expect(await tagOf(other, "m/sound.mp3")).toBe(tag);
    await other.close();
  });

  test("is another for another key, bucket or size", async () => {
    await site.place("course-videos", "m/sound.mp3", site.bytes);
    await site.place("course-audio", "n/sound.mp3", site.bytes);
    await site.place("course-audio", "n/sounds.mp3", site.bytes.subarray(1));
    const tags = await Promise.all([
      tagOf(site, "m/sound.mp3"),
      tagOf(site, "m/sound.mp3", "course-videos"),
      tagOf(site, "n/sound.mp3"),
      tagOf(site, "n/sounds.mp3"),
    ]);
    expect(new Set(tags).size).toBe(4);
  });
});
