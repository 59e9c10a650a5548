import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ErrorBoundary } from "~/routes/error-page.tsx";
import { createPerson } from "../support/people.ts";
import { startServing } from "../support/process.ts";
import { rawRequest } from "../support/raw-request.ts";
import { startSite, type TestSite } from "../support/site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const wholePage = [
  "<title>Page Not Found | Blue Dot</title>",
  '<meta name="robots" content="noindex"/>',
  "Page Not Found</h1>",
  "View Courses",
  "Learn About Coaching",
];

/** As they go over the wire; fetch would tidy some of them. */
const nowhere = [
  "/nowhere",
  "/404",
  "/courses/none",
  "/coaching/none",
  "//",
  "//evil.example/",
  "///evil.example//",
  "/.//evil.example/",
  "//evil.example/x",
  "/about//",
  "/../../etc/passwd",
  "/..%2f..%2fetc/passwd",
  "/%00",
  "/courses/a%00b",
  "/%",
  "/%zz",
  "/%ff%fe",
  "/courses/%E0%A4%A",
  "/%0d%0aX-Bad:%20yes",
  "/%1b[31m",
  "/%E2%80%AEgnp",
  "/%3Cscript%3Ealert(1)%3C/script%3E",
  `/${"a".repeat(8000)}`,
  `/${"a/".repeat(2000)}a`,
];

describe("the 404 page", () => {
  test.each(nowhere)("%s", async (address) => {
    const { status, headers, body } = await rawRequest(site.url, { path: address });
    expect(status).toBe(404);
    expect(headers["content-type"]).toMatch(/^text\/html/);
    expect(headers).not.toHaveProperty("x-bad");
    for (const words of wholePage) expect(body).toContain(words);
    expect(body).not.toContain('rel="canonical"');
    expect(body).not.toContain("<script>alert");
  });

  /** The shortest of several answers, in milliseconds: what else the machine does makes them longer. */
  async function quickest(path: string): Promise<number> {
    const times: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      const start = performance.now();
      expect((await rawRequest(site.url, { path })).status).toBe(404);
      times.push(performance.now() - start);
    }
    return Math.min(...times);
  }

  const slashes = "/".repeat(15_000);
  test.each([
    ["in front", `${slashes}a`],
    ["behind", `/about${slashes}`],
    ["in the middle", `/courses/${slashes}a`],
    ["everywhere", `${"//a".repeat(5000)}/`],
    ["one by one", "/a".repeat(7500)],
  ])("takes no longer for many slashes %s than for as many letters", async (_, path) => {
    const letters = `/${"a".repeat(path.length - 1)}`;
    // Once more, for a site that has only just begun and is slow with everything.
    await quickest(letters);
    const usual = await quickest(letters);
    expect(await quickest(path)).toBeLessThan(4 * usual + 10);
  });

  test("by HEAD has no body", async () => {
    for (const address of ["/nowhere", "/404", "/%zz", "/courses/none"]) {
      const response = await site.ask(address, { method: "HEAD" });
      expect([address, response.status, await response.text()]).toEqual([address, 404, ""]);
    }
  });

  test.each(["/nowhere", "/404", "/%zz", "/courses/none"])("%s by POST", async (address) => {
    const response = await site.ask(address, { form: { a: "b" } });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("Page Not Found</h1>");
  });

  test.each(["PUT", "DELETE", "PATCH"])("by %s there is no page to show", async (method) => {
    expect((await site.ask("/nowhere", { method })).status).toBe(405);
  });

  test.each(["/api/none", "/api/%zz", "/api/auth/%00", "/api/auth/none"])(
    "%s answers programs",
    async (address) => {
      const response = await site.ask(address);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: "not_found" } });
    },
  );

  test("as data for scripts", async () => {
    for (const address of ["/nowhere.data", "/404.data", "/courses/none.data"])
      expect([address, (await site.ask(address)).status]).toEqual([address, 404]);
  });

  test("is the same for somebody signed in", async () => {
    const person = await createPerson(site.services);
    for (const address of ["/nowhere", "/404", "/courses/none", "/%zz"]) {
      const response = await site.ask(address, { as: person });
      const body = await response.text();
      expect([address, response.status]).toEqual([address, 404]);
      for (const words of [...wholePage, "My Courses"]) expect(body).toContain(words);
      expect(response.headers.get("cache-control")).toContain("no-store");
    }
  });

  test("a form for a page that takes none is told so, and blames nobody", async () => {
    const response = await site.ask("/about", { form: { a: "b" } });
    expect(response.status).toBe(405);
    const body = await response.text();
    expect(body).toContain("Nothing was changed.");
    expect(body).toContain("Go Home");
  });

  test.each(["/nowhere", "/about", "/"])(
    "a form sent to %s leaves the frame whole",
    async (address) => {
      const form = { a: "b" };
      const script = /<script type="module" src="\/site-/;
      const anybody = await (await site.ask(address, { form })).text();
      expect(anybody).toContain('data-session="out"');
      expect(anybody).toMatch(script);
      const as = await createPerson(site.services);
      const hers = await (await site.ask(address, { as, form })).text();
      expect(hers).toContain('data-session="in"');
      expect(hers).toMatch(script);
    },
  );

  test("what is no form is answered in the frame, too", async () => {
    const response = await site.ask("/newsletter", { body: "nonsense" });
    expect(response.status).toBe(400);
    const body = await response.text();
    expect(body).toContain("That could not be read");
    expect(body).toContain('data-session="out"');
  });
});

test("what belongs to another account says whose sign-in opens it", () => {
  const refused = { status: 403, statusText: "", internal: false, data: null };
  const page = createRoutesStub([{ id: "page", path: "/", ErrorBoundary }]);
  const html = renderToString(
    createElement(page, { hydrationData: { loaderData: {}, errors: { page: refused } } }),
  );
  expect(html).toContain("This page is closed to you</h1>");
  expect(html).toContain(
    "It belongs to another account. If it should be yours, sign in with that one.",
  );
});

test("a bad path is one line of the log: no query, no person, no long tail, nothing unprintable", {
  timeout: 120_000,
}, async () => {
  const program = await startServing();
  const address = `http://127.0.0.1:${program.port}`;
  const bad = [
    "/wrong?email=ada@example.com",
    "/courses/none",
    "/wrong.data",
    "/%00",
    "/%zz",
    "/%0aforged%1b[2J",
    `/${"long".repeat(1000)}`,
    // Mail programs break links: the question mark of one with a token in it becomes a letter.
    "/newsletter/confirm%3Ftoken=eyJhbGciOi.c2VjcmV0",
    "/auth/reset%3ftoken%3Deyj0b2tlbg",
    "/newsletter/unsubscribe%253Ftoken%253Deyj0b2tlbg",
    "/courses/ada@example.com",
    "/courses/ada%2540example.com",
    "/mailto:Ada.Lovelace%2Bletters%40example.com",
    "/write/%22Ada%22%20%3Cada%40example.com%3E",
  ];
  for (const path of bad) await rawRequest(address, { path });
  // Whoever follows the link asks once more.
  await rawRequest(address, { path: "/ahead", headers: { "sec-purpose": "prefetch" } });
  await rawRequest(address, {
    method: "POST",
    path: "/form",
    headers: { origin: program.url },
  });
  await program.line(/"path":"\/form"/);
  const { out, err } = await program.kill("SIGTERM");
  const lines = out.split("\n").filter((line) => line.includes("no such page"));
  expect(lines.map((line) => JSON.parse(line).path)).toEqual([
    "/wrong",
    "/courses/none",
    "/wrong.data",
    "/%00",
    "/%zz",
    "/%0aforged%1b[2J",
    `/${"long".repeat(1000)}`.slice(0, 300),
    "/newsletter/confirm",
    "/auth/reset",
    "/newsletter/unsubscribe",
    "/courses/[removed]",
    "/courses/[removed]",
    "/[removed]",
    "/write/[removed]",
    "/form",
  ]);
  expect(out).not.toMatch(/ada|eyj/i);
  expect(out + err).not.toMatch(/[^\n\x20-\x7e]/);
  expect(err).toBe("");
});
