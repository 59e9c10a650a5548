import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { share } from "~content/share.ts";
import { site as facts } from "~content/site.ts";
import { checkShare } from "../../../scripts/build/content.ts";
import { cardMark } from "../../../scripts/pictures/mark.ts";
import { aboutPng } from "../../../scripts/pictures/palette-png.ts";
import { headOf } from "../../support/head.ts";
import { origin } from "./pages.ts";
import { openMetadataSite } from "./world.ts";

let site: Awaited<ReturnType<typeof openMetadataSite>>;
beforeAll(async () => {
  site = await openMetadataSite();
});
afterAll(() => site.close());

const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer());

test("every icon that a page names is there, with its type", async () => {
  const head = headOf(await (await site.ask("/")).text());
  const named = ["icon", "apple-touch-icon", "manifest"].flatMap((rel) => head.link(rel));
  expect(named).toEqual([
    "/favicon.ico",
    "/favicon.svg",
    "/apple-touch-icon.png",
    "/site.webmanifest",
  ]);
  const types = await Promise.all(
    named.map(async (address) => {
      const response = await site.ask(address);
      expect(response.status, address).toBe(200);
      expect(response.headers.get("cache-control"), address).toMatch(/^public, max-age=\d{4,}/);
      return response.headers.get("content-type")?.split(";")[0];
    }),
  );
  expect(types).toEqual([
    "image/x-icon",
    "image/svg+xml",
    "image/png",
    "application/manifest+json",
  ]);
});

test("favicon.ico has the sizes of tabs and bookmarks", async () => {
  const ico = await bytes(await site.ask("/favicon.ico"));
  expect([ico.readUInt16LE(0), ico.readUInt16LE(2), ico.readUInt16LE(4)]).toEqual([0, 1, 2]);
  expect([ico[6], ico[22]]).toEqual([32, 16]);
});

test("the manifest names the site, and icons that are what it says", async () => {
  const manifest = await (await site.ask("/site.webmanifest")).json();
  expect(manifest).toMatchObject({
    name: facts.name,
    short_name: facts.name,
    start_url: "/",
    display: "browser",
    theme_color: expect.stringMatching(/^#\w{6}$/),
    background_color: expect.stringMatching(/^#\w{6}$/),
  });
  for (const { src, sizes, type } of manifest.icons) {
    const response = await site.ask(src);
    expect(response.headers.get("content-type")?.split(";")[0], src).toBe(type);
    if (type !== "image/png") continue;
    const { width, height } = aboutPng(await bytes(response));
    expect(`${width}x${height}`, src).toBe(sizes);
  }
  const purposes = manifest.icons.map(({ purpose }: { purpose: string }) => purpose);
  expect(purposes).toContain("maskable");
  expect(aboutPng(await bytes(await site.ask("/apple-touch-icon.png")))).toMatchObject({
    width: 180,
    height: 180,
  });
});

describe("pictures for sharing", () => {
  test("may be shown by other sites, and nothing else may", async () => {
    const policy = async (address: string) =>
      (await site.ask(address)).headers.get("cross-origin-resource-policy");
    for (const name of Object.keys(share))
      expect(await policy(`/share/${name}.png`), name).toBe("cross-origin");
    for (const address of ["/", "/site.js", "/favicon.svg", "/share/", "/share/none"])
      expect(await policy(address), address).toBe("same-origin");
  });

  test.each(Object.entries(share))("%s shows the words of content/share.ts", (name, card) => {
    const { mark } = aboutPng(readFileSync(path.join("public", "share", `${name}.png`)));
    // A picture that somebody made by hand has no mark.
    if (mark !== null)
      expect(mark, "after a change of content/share.ts: npm run pictures").toBe(cardMark(card));
  });

  test("one that is missing fails the build with a line that says what to do", () => {
    expect(() => checkShare({ ...share, "no-such": share.default })).toThrow(
      "content/share.ts: there is no file public/share/no-such.png; 'npm run pictures' draws it",
    );
  });

  test("words that nobody could read in a thumbnail fail it too", () => {
    expect(() => checkShare({ default: { ...share.default, title: "Grief ".repeat(12) } })).toThrow(
      "content/share.ts: default.title is too long to be read in a small picture",
    );
  });
});

test("robots may read every page, and learn where the sitemap is", async () => {
  const response = await site.ask("/robots.txt");
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(response.headers.get("cache-control")).toMatch(/^public, max-age=\d+$/);
  const lines = (await response.text()).trim().split("\n");
  expect(lines).toContain("User-agent: *");
  expect(lines.at(-1)).toBe(`Sitemap: ${origin}/sitemap.xml`);
  const closed = lines.flatMap((line) => /^Disallow: (.*)$/.exec(line)?.[1] ?? []);
  expect(closed).toEqual(["/api/", "/media/", "/uploads", "/healthz"]);
});

test("what is no page is not found by its address either", async () => {
  const { storage, clock } = site.services;
  await storage.putFile("course-audio", "a/sound.mp3", path.join("public", "favicon.svg"));
  const signed = await storage.signedUrl("course-audio", "a/sound.mp3", clock.now());
  for (const address of ["/sitemap.xml", "/api/none", "/healthz", "/about.data", signed])
    expect((await site.ask(address)).headers.get("x-robots-tag"), address).toBe("noindex");
});
