import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { headOf } from "../../support/head.ts";
import { routeTable } from "../../support/route-table.ts";
import { startSite } from "../../support/site.ts";
import { hers, hidden, indexed, notPages, origin } from "./pages.ts";
import { openMetadataSite } from "./world.ts";

let site: Awaited<ReturnType<typeof openMetadataSite>>;
beforeAll(async () => {
  site = await openMetadataSite();
});
afterAll(() => site.close());

/** Addresses of the sitemap and when each was changed, if it says so. */
async function sitemap(from: Pick<typeof site, "ask"> = site) {
  const response = await from.ask("/sitemap.xml");
  const xml = await response.text();
  const entries = xml.matchAll(/<url><loc>([^<]*)<\/loc>(?:<lastmod>([^<]*)<\/lastmod>)?<\/url>/g);
  return {
    response,
    xml,
    changes: new Map([...entries].map(([, loc = "", lastmod]) => [loc, lastmod])),
  };
}

test("it is XML as sitemaps.org wants it, for a while", async () => {
  const { response, xml, changes } = await sitemap();
  expect(response.headers.get("content-type")).toBe("application/xml; charset=utf-8");
  expect(response.headers.get("cache-control")).toMatch(/^public, max-age=\d+$/);
  const urls = xml.match(/<url>/g) ?? [];
  expect(urls).toHaveLength(changes.size);
  expect(xml.replaceAll(/<url>.*<\/url>\n/g, "")).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n</urlset>\n',
  );
  for (const changed of changes.values())
    if (changed) expect(changed).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("it has what is to be found, and nothing else", async () => {
  const { changes } = await sitemap();
  expect([...changes.keys()].sort()).toEqual(indexed.map(({ path }) => origin + path).sort());
});

test("every address in it answers, is its own canonical one, and may be found", async () => {
  for (const address of (await sitemap()).changes.keys()) {
    const response = await site.ask(address.slice(origin.length));
    expect(response.status, address).toBe(200);
    expect(response.headers.get("x-robots-tag"), address).toBeNull();
    const head = headOf(await response.text());
    expect(head.meta("robots"), address).toEqual([]);
    expect(head.link("canonical"), address).toEqual([address]);
  }
});

test("a course comes, changes and goes with it", async () => {
  const { db } = site.services;
  const change = (values: { active?: boolean; updatedAt?: Date }) =>
    db.write.updateTable("products").set(values).where("id", "=", site.letters.id).execute();
  const address = `${origin}/courses/letters`;
  await change({ updatedAt: new Date("2026-03-01T07:30:00Z") });
  expect((await sitemap()).changes.get(address)).toBe("2026-03-01T07:30:00.000Z");
  await change({ active: false });
  expect((await sitemap()).changes.has(address)).toBe(false);
  await change({ active: true });
});

test("the address of a site may hold what XML may not", async () => {
  const odd = await startSite({ APP_URL: "https://bluedot.example/it's&<mine>" });
  const { xml, changes } = await sitemap(odd);
  await odd.close();
  expect([...changes.keys()].join()).not.toContain("<");
  expect(xml.replaceAll(/&(amp|lt|gt|quot|apos);/g, "")).not.toContain("&");
});

describe("every route is to be found, hidden, or no page", () => {
  const known = [
    ...indexed.map(({ path }) => (path === "/courses/letters" ? "/courses/:slug" : path)),
    ...hidden.map(({ path }) => path.replace(/\?.*/, "").replace("/no/such/page", "/*")),
    ...Object.keys(notPages),
    // What needs an account: head.test.ts asks as a student.
    ...hers,
    "/courses/:slug/learn",
  ];
  // The coach's side sends everybody else away.
  const others = routeTable.filter(({ pattern }) => !/^\/admin(\/|$)/.test(pattern));
  test.each(others)("$pattern", ({ pattern }) => {
    expect(known).toContain(pattern);
  });
});
