import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { aboutPng } from "~/platform/share-cards/png.ts";
import { pageTitle } from "~content/site.ts";
import { site as facts } from "../../support/first-edition.ts";
import { headOf } from "../../support/head.ts";
import { openForTests } from "../../support/open-for-tests.ts";
import { indexedPages, otherPatterns, ownPages, publicPages } from "../../support/public-pages.ts";
import { readable } from "../../support/responses.ts";
import { routeTable } from "../../support/route-table.ts";
import { startSite } from "../../support/site.ts";
import { openMetadataSite, origin } from "./world.ts";

const site = openForTests(openMetadataSite);

async function read(address: string, as: { id: string } | null = null) {
  const response = await site.ask(address, { as });
  const html = await response.text();
  return { response, html, head: headOf(html) };
}

/** Addresses of the sitemap and when each was changed, if it says so. */
async function sitemap(from: Pick<typeof site, "ask"> = site) {
  const response = await from.ask("/sitemap.xml");
  const xml = await response.text();
  const entries = xml.matchAll(/<url><loc>([^<]*)<\/loc>(?:<lastmod>([^<]*)<\/lastmod>)?<\/url>/g);
  const changes = new Map([...entries].map(([, loc = "", lastmod]) => [loc, lastmod]));
  return { response, xml, changes };
}

test("routes: each pattern is in the table of public, own and other pages, or admin", () => {
  const named = [
    ...publicPages.map(({ pattern }) => pattern),
    ...[...ownPages, ...otherPatterns],
    ...routeTable.map(({ pattern }) => pattern).filter((pattern) => /^\/admin\b/.test(pattern)),
  ];
  expect(new Set(routeTable.map(({ pattern }) => pattern))).toEqual(new Set(named));
});

test.each(publicPages)(
  "GET $path: title, heading, description, robots, canonical URL and card",
  async ({ path: address, title, heading = title, status = 200, image }) => {
    const { response, html, head } = await read(address);
    expect(response.status).toBe(status);
    expect(head.titles).toEqual([pageTitle(facts, title)]);
    const headings = [...html.matchAll(/<h1[^>]*>([\s\S]*?)<\/h1>/g)].map(([, text = ""]) =>
      readable(text.replaceAll(/<[^>]*>/g, ""))
        .replaceAll(/\s+/g, " ")
        .trim(),
    );
    expect(headings).toEqual([heading.replaceAll(/\s+/g, " ")]);
    expect(head.meta("robots")).toEqual(image ? [] : ["noindex"]);
    expect(head.link("canonical")).toEqual(image ? [origin + address] : []);
    const [description = ""] = head.meta("description");
    expect(description).toMatch(/^.{21,160}$/);
    for (const [name, content] of Object.entries({
      "og:type": "website",
      "og:site_name": facts.name,
      "og:locale": "en_US",
      "og:title": pageTitle(facts, title),
      "og:description": description,
      "og:url": image ? origin + address : expect.not.stringContaining("?"),
      "og:image": `${origin}/share/${image ?? "default"}.png`,
      "og:image:type": "image/png",
      "og:image:width": "1200",
      "og:image:height": "630",
      "og:image:alt": expect.stringMatching(/^“.+”, beside a drawing: .+\.$/),
      "twitter:card": "summary_large_image",
      "twitter:site": facts.socialHandle,
      "twitter:image:alt": head.meta("og:image:alt")[0],
    }))
      expect(head.meta(name), name).toEqual([content]);
    const names = head.names.filter((name) => name !== "theme-color");
    expect(names).toEqual([...new Set(names)]);
  },
);

test.each(indexedPages)("GET $path: has one URL, however it is written", async ({ path: url }) => {
  const encoded = url.replace(/.$/, (last) => `%${Buffer.from(last).toString("hex")}`);
  const others = [`${url}?utm_source=letter&lesson=2`, url.toUpperCase(), encoded];
  for (const other of url === "/" ? others.slice(0, 2) : others) {
    const { response, head } = await read(other);
    // Slugs of courses are found in small letters only: in capitals there is no page, nor a URL.
    const isPage = other !== url.toUpperCase() || response.status === 200;
    expect(response.status, other).toBe(isPage ? 200 : 404);
    expect(head.link("canonical"), other).toEqual(isPage ? [origin + url] : []);
    if (isPage) expect(head.meta("og:url"), other).toEqual([origin + url]);
  }
});

test.each([...new Set(indexedPages.map(({ image }) => image))])(
  "GET /share/%s.png: whole and small",
  async (image) => {
    const response = await site.ask(`/share/${image}.png`);
    expect(response.headers.get("content-type")).toBe("image/png");
    const png = Buffer.from(await response.arrayBuffer());
    expect(aboutPng(png)).toMatchObject({ width: 1200, height: 630 });
    expect(png.length).toBeLessThan(60_000);
  },
);

test.each([...ownPages, "/courses/letters/learn"])(
  "GET %s: a student's own page, with one title and noindex",
  async (address) => {
    const { response, head } = await read(address, site.student);
    expect(response.status).toBe(200);
    expect(head.meta("robots")).toEqual(["noindex"]);
    expect(head.titles).toHaveLength(1);
  },
);

test("GET /about: says the same of itself to a signed-in user", async () => {
  const { head } = await read("/about", site.student);
  const anonymous = (await read("/about")).head;
  expect([head.titles, head.names]).toEqual([anonymous.titles, anonymous.names]);
});

test("GET /%00: noindex, on a page that React does not render", async () => {
  const { response, head } = await read("/%00");
  expect([response.status, head.meta("robots")]).toEqual([404, ["noindex"]]);
});

test("GET /: the browser's own bars have the color of the page, by day and at night", async () => {
  const tokens = readFileSync(path.join("app", "ui", "styles", "tokens.css"), "utf8");
  const [, light, dark] = /--paper: light-dark\((#\w+), (#\w+)\)/.exec(tokens) ?? [];
  expect((await read("/")).head.meta("theme-color")).toEqual([light, dark]);
});

describe("GET /sitemap.xml", () => {
  test("lists the indexed pages and nothing else, as sitemaps.org has it", async () => {
    const { response, xml, changes } = await sitemap();
    expect(response.headers.get("content-type")).toBe("application/xml; charset=utf-8");
    expect(response.headers.get("cache-control")).toMatch(/^public, max-age=\d+$/);
    expect([...changes.keys()].sort()).toEqual(
      indexedPages.map((page) => origin + page.path).sort(),
    );
    expect(xml.match(/<url>/g)).toHaveLength(changes.size);
    expect(xml.replaceAll(/<url>.*<\/url>\n/g, "")).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n</urlset>\n',
    );
  });

  test("has the time of a course's last change, and no inactive course", async () => {
    const change = (values: { active?: boolean; updatedAt?: Date }) =>
      site.services.db.write
        .updateTable("products")
        .set(values)
        .where("id", "=", site.letters.id)
        .execute();
    const address = `${origin}/courses/letters`;
    await change({ updatedAt: new Date("2026-03-01T07:30:00Z") });
    expect((await sitemap()).changes.get(address)).toBe("2026-03-01T07:30:00.000Z");
    await change({ active: false });
    expect((await sitemap()).changes.has(address)).toBe(false);
    await change({ active: true });
  });

  test("stays well-formed whatever is in the site's URL", async () => {
    const odd = await startSite({ APP_URL: "https://it's&mine.example" });
    const { xml, changes } = await sitemap(odd);
    await odd.close();
    expect([...changes.keys()].join()).not.toContain("<");
    expect(xml.replaceAll(/&(amp|lt|gt|quot|apos);/g, "")).not.toContain("&");
  });
});
