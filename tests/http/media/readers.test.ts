import { readdirSync, readlinkSync, truncateSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { openForTests } from "../../support/open-for-tests.ts";
import { bodyOf, startMediaSite } from "./media-site.ts";

const site = openForTests(startMediaSite);

describe("GET /media/*, many readers of a large file", () => {
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

  test("get all of it in flat memory", { timeout: 120_000 }, async () => {
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

  test("cost no memory and no handle when they stop in the middle or go away", async () => {
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

  test("read to the end when the file is removed meanwhile", async () => {
    const size = 30 * 1024 * 1024;
    await site.place("course-videos", "m/going.mp4", size);
    const reader = await open({}, "m/going.mp4");
    await new Promise((resolve) => reader.once("readable", resolve));
    await site.services.storage.remove("course-videos", "m/going.mp4");
    expect(await everything(reader)).toBe(size);
    expect((await site.ask(site.signed("m/going.mp4", "course-videos"))).status).toBe(404);
  });

  test("notice that the file was cut short meanwhile", async () => {
    const size = 60 * 1024 * 1024;
    await site.place("course-videos", "m/cut.mp4", size);
    const reader = await open({}, "m/cut.mp4");
    await new Promise((resolve) => reader.once("readable", resolve));
    const { dataDir } = site.services.config;
    truncateSync(path.join(dataDir, "media", "course-videos", "m", "cut.mp4"), 1000);
    await expect(everything(reader)).rejects.toThrow(/aborted/);
  });
});
