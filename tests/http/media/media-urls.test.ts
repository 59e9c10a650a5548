import { utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { openForTests } from "../../support/open-for-tests.ts";
import { rawRequest } from "../../support/raw-request.ts";
import { bodyOf, type MediaSite, startMediaSite } from "./media-site.ts";

const site = openForTests(startMediaSite);
const size = 1000;
beforeAll(async () => {
  const { dataDir } = site.services.config;
  for (const file of ["private", "media/beside"])
    writeFileSync(path.join(dataDir, file), "secret-of-the-site");
});

describe("GET /media/*", () => {
  test("gives the file, whole and with its type", async () => {
    const response = await site.part({});
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("audio/mpeg");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("accept-ranges")).toBe("bytes");
    expect(response.headers.get("cache-control")).toMatch(/^private/);
    expect((await bodyOf(response)).equals(site.bytes)).toBe(true);
  });

  test("finds a key of any characters, and none that was removed", async () => {
    const response = await site.ask(site.signed("m/a b#?%ü&'\"+.mp3"));
    expect((await bodyOf(response)).equals(site.bytes)).toBe(true);
    await site.place("course-audio", "m/going.mp3", site.bytes);
    const address = site.signed("m/going.mp3");
    expect((await bodyOf(await site.ask(address))).length).toBe(size);
    await site.services.storage.remove("course-audio", "m/going.mp3");
    expect((await site.ask(address)).status).toBe(404);
  });

  const change = (name: string, value: (now: string) => string) => (url: URL) =>
    url.searchParams.set(name, value(url.searchParams.get(name) ?? ""));
  const go = (pathname: string) => (url: URL) => void Object.assign(url, { pathname });
  // The signature itself: app/platform/storage/signature.test.ts.
  test.each<[string, (address: URL) => unknown]>([
    ["another key", go("/media/course-audio/m/none.mp3")],
    ["another bucket", go("/media/course-videos/m/film.mp4")],
    ["an unknown bucket", go("/media/secrets/m/sound.mp3")],
    ["no key", go("/media/course-audio/")],
    ["a folder", go("/media/course-audio/m")],
    ["a slash more", go("/media/course-audio/m//sound.mp3")],
    ["a longer life", change("expires", (now) => String(Number(now) + 1))],
    ["a life that is no number", change("expires", () => "1e12")],
    ["a life with a space", change("expires", (now) => ` ${now}`)],
    ["a life with a zero in front", change("expires", (now) => `0${now}`)],
    ["no signature", (url) => url.searchParams.delete("signature")],
    ["a short signature", change("signature", (now) => now.slice(0, -2))],
    ["no query at all", (url) => Object.assign(url, { search: "" })],
    ["a broken escape", go("/media/course-audio/%E0%A4%A")],
  ])("refuses a URL altered to %s", async (_, alter) => {
    const url = new URL(site.signed(), site.url);
    alter(url);
    const response = await site.ask(url.pathname + url.search);
    expect([response.status, await response.text()]).toEqual([403, ""]);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("takes a URL for an hour and not a second longer", async () => {
    const ago = (seconds: number) => new Date(site.services.clock.now().getTime() - seconds * 1000);
    const at = async (seconds: number) =>
      (await site.ask(site.signed("m/sound.mp3", "course-audio", ago(seconds)))).status;
    // Near to the hour the test's own duration would count.
    expect([await at(3570), await at(3600), await at(1e6)]).toEqual([200, 403, 403]);
    const address = site.signed();
    site.clock.forward(3601_000);
    expect((await site.ask(address)).status).toBe(403);
    site.clock.forward(-3601_000);
  });

  test("takes no other method", async () => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
      const response = await site.ask(site.signed(), { method, body: "" });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });
});

describe("GET /media/*, byte for byte", () => {
  /** Not an address at all, not signed, not there. */
  const refusals = [400, 403, 404];
  async function expectRefused(way: string) {
    const answer = await rawRequest(site.url, { path: way });
    expect([way, refusals.includes(answer.status)]).toEqual([way, true]);
    expect(answer.body).not.toContain("secret-of-the-site");
    expect(answer.headers["accept-ranges"]).toBeUndefined();
  }

  test("leads out of the folder by no signed key, however it is spelled", async () => {
    const keys = [
      "../../private",
      "m/../../beside",
      "../course-videos/m/film.mp4",
      "../../../../../../../../etc/passwd",
      "..\\..\\private",
      "%2e%2e/%2e%2e/private",
      "....//....//private",
      "//etc/passwd",
      "m",
      ".",
      "..",
      "",
      "m/sound.mp3\0.mp4",
      "m/./sound.mp3",
      "m//sound.mp3",
      `m/${"a".repeat(300)}.mp3`,
      `${"a/".repeat(2000)}a.mp3`,
    ];
    for (const address of keys.map((key) => site.signed(key)))
      for (const way of [
        address,
        address.replaceAll("%2F", "/"),
        address.replaceAll("..", "%2e%2e"),
        address.replaceAll("..", "%2E."),
        address.replaceAll("%5C", "\\"),
        address.replace("/m/", "/m%2f"),
      ])
        await expectRefused(way);
    const wrongBuckets = ["secrets", "parts", "..", ".", "course-audio%2f..", "COURSE-AUDIO"];
    for (const bucket of wrongBuckets) await expectRefused(site.signed("m/sound.mp3", bucket));
    await expectRefused(site.signed("m/gone.mp3"));
  });

  test("leads nowhere beside a good signature", async () => {
    const { search } = new URL(site.signed(), site.url);
    for (const way of [
      "/media/course-audio/../../private",
      "/media/course-audio/%2e%2e%2f%2e%2e%2fprivate",
      "/media/course-audio/%252e%252e%252f%252e%252e%252fprivate",
      "/media/course-audio/m%5csound.mp3",
      "/media/course-audio/m/sound.mp3%00.mp4",
      "/media/course-audio/%c0%ae%c0%ae/private",
      `/media/course-audio/${"a".repeat(9000)}`,
      `/media/course-audio/${"%2e%2e/".repeat(1000)}etc/passwd`,
      "/media/..%2fcourse-audio/m/sound.mp3",
    ])
      await expectRefused(way + search);
    // More than a request may be long; the connection itself refuses.
    const endless = `/media/course-audio/${"a".repeat(100_000)}${search}`;
    expect((await rawRequest(site.url, { path: endless })).status).toBe(431);
  });

  test("gives the same file by other spellings of its key, or nothing", async () => {
    const { search } = new URL(site.signed(), site.url);
    for (const way of [
      "/media/course-audio/m/./sound.mp3",
      "/media/course-audio/m/x/../sound.mp3",
      "/media/course-videos/../course-audio/m/sound.mp3",
      "/media/course-audio/m/%73ound.mp3",
      "/media/course-audio/m%2fsound.mp3",
      "/media/course-audio/m\\sound.mp3",
    ]) {
      const { status, bytes } = await rawRequest(site.url, { path: way + search });
      const isFine = status === 200 ? bytes.equals(site.bytes) : refusals.includes(status);
      expect([way, isFine]).toEqual([way, true]);
    }
  });
});

// The headers themselves: app/platform/http/send-file.test.ts.
describe("GET /media/*, Range", () => {
  test.each<[string, number, number]>([
    ["bytes=0-0", 0, 0],
    ["bytes=500-100000", 500, 999],
    ["bytes=-1", 999, 999],
    ["bytes=250-749", 250, 749],
    ["bytes=-99999999999999999999", 0, 999],
  ])("%s", async (range, start, end) => {
    const response = await site.part({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(`bytes ${start}-${end}/${size}`);
    expect(response.headers.get("content-length")).toBe(String(end - start + 1));
    expect((await bodyOf(response)).equals(site.bytes.subarray(start, end + 1))).toBe(true);
  });

  test("a range outside of the file is 416; what is no range gets all", async () => {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await site.part({ range: "bytes=1000-1001" }, method);
      expect([status, headers.get("content-range")]).toEqual([416, `bytes */${size}`]);
    }
    for (const range of ["bytes=5-1", "bytes=0-1,5-6", `bytes=${"0-1,".repeat(1000)}2-3`, ""]) {
      const response = await site.part({ range });
      expect([response.status, response.headers.get("content-range")]).toEqual([200, null]);
      expect((await bodyOf(response)).equals(site.bytes)).toBe(true);
    }
  });

  test("an empty file is an empty answer", async () => {
    const address = site.signed("m/none.mp3");
    const response = await site.ask(address);
    expect([response.status, response.headers.get("content-length")]).toEqual([200, "0"]);
    for (const range of ["bytes=0-", "bytes=0-0", "bytes=-1", "bytes=-0"])
      expect([range, (await site.part({ range }, "GET", address)).status]).toEqual([range, 416]);
    expect((await site.part({ range: "bytes=1-0" }, "GET", address)).status).toBe(200);
  });

  test("HEAD tells the same without the bytes", async () => {
    for (const range of ["", "bytes=10-19"]) {
      const [head, full] = [await site.part({ range }, "HEAD"), await site.part({ range })];
      const of = ({ status, headers }: Response) => [
        status,
        ...["length", "range", "type"].map((name) => headers.get(`content-${name}`)),
        headers.get("etag"),
        headers.get("accept-ranges"),
      ];
      expect(of(head)).toEqual(of(full));
      expect((await bodyOf(head)).length).toBe(0);
      await bodyOf(full);
    }
  });
});

describe("GET /media/*, ETag", () => {
  const tagOf = async (of: MediaSite, key = "m/sound.mp3", bucket?: string) =>
    (await of.part({}, "HEAD", of.signed(key, bucket))).headers.get("etag") ?? "";

  test("what the browser has already is not sent again", async () => {
    const etag = await tagOf(site);
    const statusFor = async (headers: Record<string, string>) => (await site.part(headers)).status;
    for (const value of [etag, `W/${etag}`, `"x", ${etag}`, "*"])
      expect([value, await statusFor({ "if-none-match": value })]).toEqual([value, 304]);
    expect(await statusFor({ "if-none-match": '"x"' })).toBe(200);
    // Not even a piece of it.
    expect(await statusFor({ "if-none-match": etag, range: "bytes=0-1" })).toBe(304);
    const never = "Thu, 01 Jan 2099 00:00:00 GMT";
    expect(await statusFor({ range: "bytes=0-1", "if-range": etag })).toBe(206);
    for (const value of ['"x"', `W/${etag}`, `"x", ${etag}`, etag.slice(1, -1), never])
      for (const range of ["bytes=0-1", "bytes=5000-"])
        expect([value, await statusFor({ range, "if-range": value })]).toEqual([value, 200]);
  });

  test("is strong, the same on every machine, and another for another key, bucket or size", async () => {
    const other = await startMediaSite();
    const copy = path.join(other.services.config.dataDir, "media", "course-audio", "m/sound.mp3");
    utimesSync(copy, new Date(0), new Date(0));
    const tag = await tagOf(site);
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    expect(await tagOf(other)).toBe(tag);
    await other.close();
    await site.place("course-videos", "m/sound.mp3", site.bytes);
    await site.place("course-audio", "n/sound.mp3", site.bytes);
    await site.place("course-audio", "n/sounds.mp3", site.bytes.subarray(1));
    const others = [
      await tagOf(site, "m/sound.mp3", "course-videos"),
      await tagOf(site, "n/sound.mp3"),
      await tagOf(site, "n/sounds.mp3"),
    ];
    expect(new Set([tag, ...others]).size).toBe(4);
  });
});
