import { mkdirSync, readdirSync, readlinkSync, truncateSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Bucket, buckets } from "~/platform/storage/storage.ts";
import { rawRequest } from "../support/raw-request.ts";
import { startSite, type TestSite } from "../support/site.ts";

let site: TestSite;
const size = 1000;
const bytes = Buffer.from(Array.from({ length: size }, (_, index) => index % 251));
const bigSize = 300 * 1024 * 1024;

beforeAll(async () => {
  site = await startSite();
  place("course-audio", "m/sound.mp3", bytes);
  place("course-audio", "m/none.mp3", Buffer.alloc(0));
  place("course-audio", "m/a b#?%ü&.mp3", bytes);
  place("course-videos", "m/film.mp4", bytes);
  place("course-videos", "m/big.mp4", Buffer.alloc(0));
  truncateSync(fileOf("course-videos", "m/big.mp4"), bigSize);
});
afterAll(() => site.close());

const fileOf = (bucket: Bucket, key: string) =>
  path.join(site.services.config.dataDir, "media", bucket, key);
function place(bucket: Bucket, key: string, content: Buffer) {
  mkdirSync(path.dirname(fileOf(bucket, key)), { recursive: true });
  writeFileSync(fileOf(bucket, key), content);
}
const signed = (key = "m/sound.mp3", bucket: string = "course-audio") =>
  site.services.storage.signedUrl(bucket as Bucket, key, site.services.clock.now());
const fetchPart = (headers: Record<string, string>, method = "GET", address = signed()) =>
  site.ask(address, { headers, method });
const bodyOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe("an address", () => {
  test("gives the file, whole and with its type", async () => {
    const response = await fetchPart({});
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("audio/mpeg");
    expect(response.headers.get("accept-ranges")).toBe("bytes");
    expect(response.headers.get("cache-control")).toMatch(/^private/);
    expect((await bodyOf(response)).equals(bytes)).toBe(true);
  });

  test("may have any character in its key", async () => {
    const response = await site.ask(signed("m/a b#?%ü&.mp3"));
    expect(response.status).toBe(200);
    expect((await bodyOf(response)).equals(bytes)).toBe(true);
  });

  const altered: [string, (address: URL) => unknown][] = [
    ["another key", (url) => Object.assign(url, { pathname: "/media/course-audio/m/none.mp3" })],
    [
      "another bucket",
      (url) => Object.assign(url, { pathname: "/media/course-videos/m/film.mp4" }),
    ],
    [
      "a longer life",
      (url) => url.searchParams.set("expires", String(Number(url.searchParams.get("expires")) + 1)),
    ],
    ["an endless life", (url) => url.searchParams.set("expires", "9".repeat(30))],
    ["a life that is no number", (url) => url.searchParams.set("expires", "1e12")],
    ["no life", (url) => url.searchParams.delete("expires")],
    ["no signature", (url) => url.searchParams.delete("signature")],
    ["an empty signature", (url) => url.searchParams.set("signature", "")],
    [
      "a short signature",
      (url) =>
        url.searchParams.set("signature", (url.searchParams.get("signature") ?? "").slice(0, -2)),
    ],
    ["another signature", (url) => url.searchParams.set("signature", "A".repeat(43))],
    ["a broken escape", (url) => Object.assign(url, { pathname: "/media/course-audio/%E0%A4%A" })],
  ];
  test.each(altered)("altered to %s is refused", async (_, alter) => {
    const url = new URL(signed(), site.url);
    alter(url);
    const response = await site.ask(url.pathname + url.search);
    expect(response.status).toBe(403);
    expect(await response.text()).toBe("");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("is good for an hour and not a second longer", async () => {
    const address = signed();
    // The address names a whole second: nearer to the hour, the test's own duration would count.
    site.clock.forward(3590_000);
    expect((await site.ask(address)).status).toBe(200);
    site.clock.forward(11_000);
    expect((await site.ask(address)).status).toBe(403);
    site.clock.forward(-3601_000);
  });

  test("of another site's secret is refused", async () => {
    const other = await startSite();
    try {
      const address = other.services.storage.signedUrl("course-audio", "m/sound.mp3", new Date());
      // Test sites on PostgreSQL share a secret; on SQLite each makes its own.
      const same = other.services.config.authSecret === site.services.config.authSecret;
      expect((await site.ask(address)).status).toBe(same ? 200 : 403);
    } finally {
      await other.close();
    }
  });

  test("outside of the buckets leads nowhere, even when it is signed", async () => {
    writeFileSync(path.join(site.services.config.dataDir, "private"), "secret-of-the-site");
    const keys = [
      "../../private",
      "m/../../../private",
      "../course-videos/m/film.mp4",
      "m",
      "",
      "/etc/passwd",
      "m/\0.mp3",
    ];
    for (const key of keys) {
      const address = signed(key);
      for (const way of [
        address,
        address.replaceAll("%2F", "/"),
        address.replaceAll("..", "%2e%2e"),
      ]) {
        const answer = await rawRequest(site.url, { path: way });
        expect([way, answer.status === 403 || answer.status === 404]).toEqual([way, true]);
        expect(answer.body).not.toContain("secret-of-the-site");
      }
    }
    expect((await site.ask(signed("m/sound.mp3", "secrets"))).status).toBe(404);
    expect((await site.ask(signed("m/gone.mp3"))).status).toBe(404);
  });

  test("takes no other method", async () => {
    for (const method of ["POST", "PUT", "DELETE"])
      expect((await site.ask(signed(), { method, body: "" })).status).toBe(405);
    expect(buckets).toHaveLength(2);
  });
});

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
  ])("%s", async (range, start, end) => {
    const response = await fetchPart({ range });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(`bytes ${start}-${end}/${size}`);
    expect(response.headers.get("content-length")).toBe(String(end - start + 1));
    expect((await bodyOf(response)).equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  test.each(["bytes=1000-", "bytes=1000-1001", "bytes=-0", "bytes=99999999999999999999-"])(
    "%s is outside of the file",
    async (range) => {
      const response = await fetchPart({ range });
      expect(response.status).toBe(416);
      expect(response.headers.get("content-range")).toBe(`bytes */${size}`);
    },
  );

  test.each(["bytes=5-1", "bytes=-", "bytes=a-b", "bytes=0-1,5-6", "lines=0-1", ""])(
    "%j asks for nothing and gets all",
    async (range) => {
      const response = await fetchPart({ range });
      expect(response.status).toBe(200);
      expect((await bodyOf(response)).length).toBe(size);
    },
  );

  test("HEAD tells the same without the bytes", async () => {
    for (const range of ["", "bytes=10-19"]) {
      const headers = { range };
      const [head, full] = [await fetchPart(headers, "HEAD"), await fetchPart(headers)];
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
    const etag = (await fetchPart({}, "HEAD")).headers.get("etag") ?? "";
    const modified = (await fetchPart({}, "HEAD")).headers.get("last-modified") ?? "";
    for (const value of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const kept = await fetchPart({ "if-none-match": value });
      expect([value, kept.status]).toEqual([value, 304]);
      expect(await kept.text()).toBe("");
    }
    expect((await fetchPart({ "if-none-match": '"x"' })).status).toBe(200);
    const ifRange = async (value: string) =>
      (await fetchPart({ range: "bytes=0-1", "if-range": value })).status;
    expect(await ifRange(etag)).toBe(206);
    expect(await ifRange(modified)).toBe(206);
    expect(await ifRange('"x"')).toBe(200);
    expect(await ifRange(`W/${etag}`)).toBe(200);
    expect(await ifRange("Thu, 01 Jan 1970 00:00:00 GMT")).toBe(200);
  });

  test("an empty file is an empty answer", async () => {
    const response = await site.ask(signed("m/none.mp3"));
    expect([response.status, response.headers.get("content-length")]).toEqual([200, "0"]);
    const part = await site.ask(signed("m/none.mp3"), { headers: { range: "bytes=0-" } });
    expect(part.status).toBe(416);
  });
});

describe("many readers of a large file", () => {
  const open = (headers: Record<string, string> = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const url = new URL(signed("m/big.mp4", "course-videos"), site.url);
      get(url, { headers, agent: false }, resolve).on("error", reject);
    });
  const handles = () =>
    readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).endsWith("big.mp4");
      } catch {
        return false;
      }
    }).length;
  const everything = async (message: IncomingMessage) => {
    let length = 0;
    for await (const piece of message) length += (piece as Buffer).length;
    return length;
  };
  const mebibytes = () => process.memoryUsage().rss / 1024 / 1024;

  test("twenty at once get all of it in flat memory", { timeout: 120_000 }, async () => {
    const part = 20 * 1024 * 1024;
    await everything(await open({ range: "bytes=0-50000000" }));
    const before = mebibytes();
    let highest = before;
    const lengths = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const length = await everything(await open({ range: `bytes=-${part}` }));
        highest = Math.max(highest, mebibytes());
        return length;
      }),
    );
    expect(lengths).toEqual(Array(20).fill(part));
    // All of it at once would be 400.
    expect(highest - before).toBeLessThan(200);
    await vi.waitFor(() => expect(handles()).toBe(0), { timeout: 10_000 });
  });

  test("who listens slowly, or goes away in the middle, costs no memory and no handle", async () => {
    const before = mebibytes();
    const readers = await Promise.all(Array.from({ length: 20 }, () => open()));
    await Promise.all(
      readers.map((reader) => new Promise((resolve) => reader.once("readable", resolve))),
    );
    expect(handles()).toBe(20);
    expect(mebibytes() - before).toBeLessThan(120);
    for (const reader of readers) reader.destroy();
    await vi.waitFor(() => expect(handles()).toBe(0), { timeout: 10_000 });
    const again = await fetchPart({});
    expect((await bodyOf(again)).length).toBe(size);
  });
});
