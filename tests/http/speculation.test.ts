import { describe, expect, test } from "vitest";
import { createPerson } from "../support/people.ts";
import { cookieSet } from "../support/responses.ts";
import { siteOfFile } from "../support/site.ts";

const site = siteOfFile();

const prefetch = { "sec-purpose": "prefetch;prerender" };
const saving = { "save-data": "on" };
const rulesPath = "/speculation-rules.json";

test("Speculation-Rules: is a header of pages that are the same for everybody, and of no other answer", async () => {
  const headerOf = async (path: string, as: { id: string } | null = null) =>
    (await site.ask(path, { as })).headers.get("speculation-rules");
  for (const path of ["/", "/about", "/courses", "/auth", "/nowhere"])
    expect([path, await headerOf(path)]).toEqual([path, `"${rulesPath}"`]);
  const user = await createPerson(site.services);
  for (const path of ["/", "/courses", "/my-courses"])
    expect(await headerOf(path, user)).toBeNull();
  for (const path of ["/courses.data", rulesPath, "/robots.txt", "/my-courses"])
    expect(await headerOf(path)).toBeNull();
});

describe("GET /speculation-rules.json", () => {
  test("names pages that answer everybody without a side effect, and no other", async () => {
    const response = await site.ask(rulesPath);
    expect(response.headers.get("content-type")).toBe("application/speculationrules+json");
    expect(response.headers.get("vary")).toMatch(/save-data/i);
    const rules = await response.json();
    const pages = [...rules.prerender, ...rules.prefetch].flatMap(({ where, eagerness }) => {
      expect(eagerness).toBe("moderate");
      expect(JSON.stringify(where.and[1])).toContain("[rel~=nofollow]");
      return where.and[0].href_matches as string[];
    });
    expect(pages).toContain("/courses/:slug");
    for (const pattern of pages) {
      const page = await site.ask(pattern.replace(":slug", "blue-dot-method"));
      expect([pattern, page.status, cookieSet(page, "toast")]).toEqual([pattern, 200, null]);
    }
    for (const path of [
      ...["/auth", "/auth/sign-out", "/my-courses", "/admin", "/admin/lessons", "/setup"],
      ...["/courses/blue-dot-method/learn", "/newsletter", "/newsletter/confirm"],
      "/api/create-checkout",
    ])
      for (const pattern of pages)
        expect(path).not.toMatch(new RegExp(`^${pattern.replace(":slug", "[^/]+")}$`));
  });

  test("is empty for a reader who saves data, who gets no page in advance either", async () => {
    const rules = await site.ask(rulesPath, { headers: saving });
    expect(await rules.json()).toEqual({});
    expect(rules.headers.get("vary")).toMatch(/save-data/i);
    for (const as of [null, await createPerson(site.services)])
      for (const path of ["/", "/courses", "/about"]) {
        const page = await site.ask(path, { as, headers: { ...prefetch, ...saving } });
        expect([page.status, page.headers.get("cache-control")]).toEqual([503, "no-store"]);
      }
    for (const headers of [saving, prefetch])
      expect((await site.ask("/courses", { headers })).status).toBe(200);
  });
});

test("a prefetch: leaves a toast to the page that is looked at", async () => {
  const title = "You are signed out.";
  const cookie = `toast=${encodeURIComponent(JSON.stringify({ title }))}`;
  const early = await site.ask("/courses", { headers: { ...prefetch, cookie } });
  expect(early.headers.getSetCookie()).toEqual([]);
  expect(await early.text()).not.toContain(title);
  const seen = await site.ask("/courses", { headers: { cookie } });
  expect(seen.headers.getSetCookie().join()).toMatch(/^toast=; Max-Age=0/);
  expect(await seen.text()).toContain(title);
});
