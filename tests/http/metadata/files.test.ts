import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { shareCardName } from "~/platform/share-cards/card.ts";
import { aboutPng } from "~/platform/share-cards/png.ts";
import { shareDrawings } from "~content/share.ts";
import { checkShare } from "../../../scripts/build/content.ts";
import { firstShareCards } from "../../../scripts/build/first-share-cards.ts";
import { site as facts } from "../../support/first-edition.ts";
import { headOf } from "../../support/head.ts";
import { openForTests } from "../../support/open-for-tests.ts";
import { openMetadataSite, origin } from "./world.ts";

const firstCards = await firstShareCards();
const site = openForTests(openMetadataSite);

const typeOf = ({ headers }: Response) => headers.get("content-type")?.split(";")[0];
const read = async (address: string) => Buffer.from(await (await site.ask(address)).arrayBuffer());

test("icons: each that a page names is there, with its type", async () => {
  const head = headOf(String(await read("/")));
  const named = ["icon", "apple-touch-icon", "manifest"].flatMap((rel) => head.link(rel));
  const types: Record<string, string | undefined> = {};
  for (const address of named) {
    const response = await site.ask(address);
    expect(response.headers.get("cache-control"), address).toMatch(/^public, max-age=\d{4,}/);
    types[address] = typeOf(response);
  }
  expect(types).toEqual({
    "/favicon.ico": "image/x-icon",
    "/favicon.svg": "image/svg+xml",
    "/apple-touch-icon.png": "image/png",
    "/site.webmanifest": "application/manifest+json",
  });
  const ico = await read("/favicon.ico");
  expect([ico.readUInt16LE(0), ico.readUInt16LE(2), ico.readUInt16LE(4)]).toEqual([0, 1, 2]);
  // The sizes of tabs and bookmarks.
  expect([ico[6], ico[22]]).toEqual([32, 16]);
  expect(aboutPng(await read("/apple-touch-icon.png"))).toMatchObject({ width: 180, height: 180 });
});

test("GET /site.webmanifest: names the site, and icons that are what it says", async () => {
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
    expect(typeOf(await site.ask(src)), src).toBe(type);
    if (type !== "image/png") continue;
    const { width, height } = aboutPng(await read(src));
    expect(`${width}x${height}`, src).toBe(sizes);
  }
  const purposes = manifest.icons.map(({ purpose }: { purpose: string }) => purpose);
  expect(purposes).toContain("maskable");
});

test("drawings in files leave day and night to the page: WebKit tells those in an <img> of neither", () => {
  const folder = path.join(import.meta.dirname, "..", "..", "..", "public");
  const drawings = ["pictures", "featured"].flatMap((place) =>
    readdirSync(path.join(folder, place)).map((name) => path.join(folder, place, name)),
  );
  expect(drawings.length).toBeGreaterThan(4);
  for (const drawing of drawings) {
    const text = readFileSync(drawing, "utf8");
    expect(text, drawing).not.toContain("prefers-color-scheme");
    expect(text, drawing).toMatch(/^<svg id="night" [\s\S]*:target \./);
  }
});

describe("share pictures", () => {
  test("other sites may show them, and nothing else", async () => {
    const policy = async (address: string) =>
      (await site.ask(address)).headers.get("cross-origin-resource-policy");
    for (const name of Object.keys(shareDrawings))
      expect(await policy(`/share/${name}.png`), name).toBe("cross-origin");
    for (const address of ["/", "/site.js", "/favicon.svg", "/share/", "/share/none"])
      expect(await policy(address), address).toBe("same-origin");
  });

  test.each(firstCards)("%s shows the words of content/pages", (name, card) => {
    const { mark } = aboutPng(readFileSync(path.join("public", "share", `${name}.png`)));
    // A picture that someone made by hand has no mark.
    if (mark !== null)
      expect(mark, "after a change of its words: npm run pictures").toBe(shareCardName(card));
  });

  test("a missing one stops the build", () => {
    expect(() => checkShare(["no-such"])).toThrow(
      "content/share.ts: there is no file public/share/no-such.png; 'npm run pictures' draws it",
    );
  });
});

test("GET /robots.txt: robots may read every page, and learn where the sitemap is", async () => {
  const response = await site.ask("/robots.txt");
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(response.headers.get("cache-control")).toMatch(/^public, max-age=\d+$/);
  const lines = (await response.text()).trim().split("\n");
  expect(lines).toContain("User-agent: *");
  expect(lines.at(-1)).toBe(`Sitemap: ${origin}/sitemap.xml`);
  const closed = lines.flatMap((line) => /^Disallow: (.*)$/.exec(line)?.[1] ?? []);
  expect(closed).toEqual(["/api/", "/media/", "/uploads", "/healthz"]);
});

test("GET /.well-known/security.txt: whom to tell, good for months (RFC 9116)", async () => {
  const response = await site.ask("/.well-known/security.txt");
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const text = await response.text();
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, "m").exec(text)?.[1] ?? "";
  expect(field("Contact")).toBe(`mailto:${facts.email}`);
  expect(field("Canonical")).toBe(`${origin}/.well-known/security.txt`);
  const days = (Date.parse(field("Expires")) - site.services.clock.now().getTime()) / 86_400_000;
  // The RFC recommends less than a year.
  expect(days).toBeGreaterThan(180);
  expect(days).toBeLessThan(183);
});

test("GET /.well-known/change-password leads password managers to the form", async () => {
  const response = await site.ask("/.well-known/change-password");
  expect([response.status, response.headers.get("location")]).toEqual([302, "/account/password"]);
});

test("what is no page has X-Robots-Tag: noindex", async () => {
  const { storage, clock } = site.services;
  await storage.putFile("course-audio", "a/sound.mp3", path.join("public", "favicon.svg"));
  const signed = await storage.signedUrl("course-audio", "a/sound.mp3", clock.now());
  for (const address of ["/sitemap.xml", "/api/none", "/healthz", "/about.data", signed])
    expect((await site.ask(address)).headers.get("x-robots-tag"), address).toBe("noindex");
});
