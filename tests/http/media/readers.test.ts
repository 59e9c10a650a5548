import { readdirSync, readlinkSync, truncateSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bodyOf, type MediaSite, startMediaSite } from "./world.ts";

let site: MediaSite;
beforeAll(async () => {
  site = await startMediaSite();
});
afterAll(() => site.close());

describe("many readers of a large file", () => {
  const open = (headers: Record<string, string> = {}, key = "m/big.mp4") =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const url = new URL(site.signed(key, "course-videos"), site.url);
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

  test("who stops in the middle, or goes away, costs no memory and no handle", async () => {
    const before = mebibytes();
    const readers = await Promise.all(Array.from({ length: 20 }, () => open()));
    await Promise.all(
      readers.map((reader) => new Promise((resolve) => reader.once("readable", resolve))),
    );
    // One for all of them.
    expect(handles()).toBe(1);
    expect(mebibytes() - before).toBeLessThan(120);
    for (const reader of readers) reader.destroy();
    await vi.waitFor(() => expect(handles()).toBe(0), { timeout: 10_000 });
    const again = await site.part({});
    expect((await bodyOf(again)).length).toBe(site.size);
  });

  test("who reads slowly is waited for", { timeout: 60_000 }, async () => {
    const before = mebibytes();
    const readers = await Promise.all(Array.from({ length: 10 }, () => open()));
    let highest = before;
    let least = Number.POSITIVE_INFINITY;
    await Promise.all(
      readers.map(async (reader) => {
        let length = 0;
        for await (const piece of reader) {
          length += (piece as Buffer).length;
          highest = Math.max(highest, mebibytes());
          if (length > 20 * 1024 * 1024) break;
          // A piece of 64 KiB at a time, and the others in between.
          await new Promise(setImmediate);
        }
        least = Math.min(least, length);
      }),
    );
    expect(least).toBeGreaterThan(20 * 1024 * 1024);
    // Three thousand would be all of it.
    expect(highest - before).toBeLessThan(150);
    await vi.waitFor(() => expect(handles()).toBe(0), { timeout: 10_000 });
  });

  test("what is read gets to its end when the file is removed meanwhile", async () => {
    const size = 30 * 1024 * 1024;
    await site.place("course-videos", "m/going.mp4", size);
    const reader = await open({}, "m/going.mp4");
    await new Promise((resolve) => reader.once("readable", resolve));
    await site.services.storage.remove("course-videos", "m/going.mp4");
    expect(await everything(reader)).toBe(size);
    expect((await site.ask(site.signed("m/going.mp4", "course-videos"))).status).toBe(404);
  });

  test("a file cut short meanwhile breaks off, and is not passed off as whole", async () => {
    const size = 60 * 1024 * 1024;
    await site.place("course-videos", "m/cut.mp4", size);
    const reader = await open({}, "m/cut.mp4");
    await new Promise((resolve) => reader.once("readable", resolve));
    const { dataDir } = site.services.config;
    truncateSync(path.join(dataDir, "media", "course-videos", "m", "cut.mp4"), 1000);
    await expect(everything(reader)).rejects.toThrow(/aborted/);
  });
});
