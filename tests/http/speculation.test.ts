import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cookieSet } from "../support/answers.ts";
import { createPerson } from "../support/people.ts";
import { startSite, type TestSite } from "../support/site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const ahead = { "sec-purpose": "prefetch;prerender" };
const saving = { "save-data": "on" };
const rulesPath = "/speculation-rules.json";

describe("which pages are made ready in advance", () => {
  test.each(["/", "/about", "/courses", "/auth", "/nowhere"])(
    "%s says where the rules are",
    async (path) => {
      const { headers } = await site.ask(path);
      expect(headers.get("speculation-rules")).toBe(`"${rulesPath}"`);
    },
  );

  test("what is no page, or is somebody's own, does not", async () => {
    const person = await createPerson(site.services);
    for (const path of ["/", "/courses", "/my-courses"])
      expect((await site.ask(path, { as: person })).headers.has("speculation-rules")).toBe(false);
    for (const path of ["/courses.data", rulesPath, "/robots.txt", "/my-courses"])
      expect((await site.ask(path)).headers.has("speculation-rules")).toBe(false);
  });

  test("the rules have the type that browsers ask for, and name no page that is somebody's own", async () => {
    const response = await site.ask(rulesPath);
    expect(response.headers.get("content-type")).toBe("application/speculationrules+json");
    expect(response.headers.get("vary")).toMatch(/save-data/i);
    const { prerender, prefetch } = await response.json();
    const pages = [...prerender, ...prefetch].flatMap(({ where, eagerness }) => {
      expect(eagerness).toBe("moderate");
      expect(JSON.stringify(where.and[1])).toContain("[rel~=nofollow]");
      return where.and[0].href_matches as string[];
    });
    expect(pages).toContain("/courses/:slug");
    for (const pattern of pages) {
      const response = await site.ask(pattern.replace(":slug", "blue-dot-method"));
      expect([pattern, response.status, cookieSet(response, "toast")]).toEqual([
        pattern,
        200,
        null,
      ]);
    }
    const never = [
      "/auth",
      "/auth?redirect=/",
      "/auth/sign-out",
      "/my-courses",
      "/admin",
      "/admin/lessons",
      "/courses/blue-dot-method/learn",
      "/courses/blue-dot-method/learn?lesson=a",
      "/newsletter",
      "/newsletter/confirm?token=a",
      "/api/create-checkout",
      "/setup?token=a",
    ];
    for (const path of never)
      for (const pattern of pages) {
        const { pathname } = new URL(path, site.url);
        expect(new RegExp(`^${pattern.replace(":slug", "[^/]+")}$`).test(pathname)).toBe(false);
      }
  });
});

describe("somebody who asked to save data", () => {
  test("gets no rules", async () => {
    const response = await site.ask(rulesPath, { headers: saving });
    expect(await response.json()).toEqual({});
    expect(response.headers.get("vary")).toMatch(/save-data/i);
  });

  test("gets nothing in advance, whoever asks for it", async () => {
    const person = await createPerson(site.services);
    for (const as of [null, person])
      for (const path of ["/", "/courses", "/about"]) {
        const response = await site.ask(path, { as, headers: { ...ahead, ...saving } });
        expect(response.status).toBe(503);
        expect(response.headers.get("cache-control")).toBe("no-store");
      }
    expect((await site.ask("/courses", { headers: saving })).status).toBe(200);
    expect((await site.ask("/courses", { headers: ahead })).status).toBe(200);
  });
});

test("a toast waits for a page that somebody looks at", async () => {
  const toast = encodeURIComponent(JSON.stringify({ title: "You are signed out." }));
  const cookie = `toast=${toast}`;
  const early = await site.ask("/courses", { headers: { ...ahead, cookie } });
  expect(early.headers.getSetCookie()).toEqual([]);
  expect(await early.text()).not.toContain("You are signed out.");
  const then = await site.ask("/courses", { headers: { cookie } });
  expect(then.headers.getSetCookie().join()).toMatch(/^toast=; Max-Age=0/);
  expect(await then.text()).toContain("You are signed out.");
});
