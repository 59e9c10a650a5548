import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { describe, expect, test } from "vitest";
import { ErrorBoundary } from "~/routes/error-page.tsx";
import { createPerson } from "../support/people.ts";
import { startServing } from "../support/process.ts";
import { rawRequest } from "../support/raw-request.ts";
import { siteOfFile } from "../support/site.ts";

const site = siteOfFile();

const wholePage = [
  "<title>Page Not Found | Blue Dot</title>",
  '<meta name="robots" content="noindex"/>',
  "Page Not Found</h1>",
  "View Courses",
  "Learn About Coaching",
];
const kinds = ["/nowhere", "/404", "/%zz", "/courses/none"];
const siteScript = /<script type="module" src="\/site-/;

describe("the 404 page", () => {
  // As they go over the wire; fetch would tidy some of them.
  test.each([
    ...kinds,
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
    "/%ff%fe",
    "/courses/%E0%A4%A",
    "/%0d%0aX-Bad:%20yes",
    "/%1b[31m",
    "/%E2%80%AEgnp",
    "/%3Cscript%3Ealert(1)%3C/script%3E",
    `/${"a".repeat(8000)}`,
    `/${"a/".repeat(2000)}a`,
  ])("answers GET %s", async (address) => {
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

  test("answers HEAD without a body, POST, data for scripts, and signed-in users", async () => {
    const user = await createPerson(site.services);
    for (const address of kinds) {
      const head = await site.ask(address, { method: "HEAD" });
      expect([address, head.status, await head.text()]).toEqual([address, 404, ""]);
      const post = await site.ask(address, { form: { a: "b" } });
      expect([address, post.status]).toEqual([address, 404]);
      expect(await post.text()).toContain("Page Not Found</h1>");
      const own = await site.ask(address, { as: user });
      const body = await own.text();
      expect([address, own.status]).toEqual([address, 404]);
      for (const words of [...wholePage, "My Courses"]) expect(body).toContain(words);
      expect(own.headers.get("cache-control")).toContain("no-store");
    }
    for (const address of ["/nowhere.data", "/404.data", "/courses/none.data"])
      expect([address, (await site.ask(address)).status]).toEqual([address, 404]);
  });

  test("is none for other methods, nor for programs below /api", async () => {
    for (const method of ["PUT", "DELETE", "PATCH"])
      expect((await site.ask("/nowhere", { method })).status).toBe(405);
    for (const address of ["/api/none", "/api/%zz", "/api/auth/%00", "/api/auth/none"]) {
      const response = await site.ask(address);
      expect([address, response.status]).toEqual([address, 404]);
      expect(await response.json()).toMatchObject({ error: { code: "not_found" } });
    }
  });
});

describe("the pages of other errors", () => {
  test.each(["/nowhere", "/about", "/"])(
    "POST %s: a form that no page takes is answered in the site's frame",
    async (address) => {
      for (const as of [null, await createPerson(site.services)]) {
        const response = await site.ask(address, { as, form: { a: "b" } });
        const body = await response.text();
        expect(response.status).toBe(address === "/nowhere" ? 404 : 405);
        if (address !== "/nowhere") expect(body).toContain("Nothing was changed.");
        expect(body).toContain("Go Home");
        expect(body).toContain(`data-session="${as ? "in" : "out"}"`);
        expect(body).toMatch(siteScript);
      }
    },
  );

  test("POST /newsletter: what is no form is answered in the frame, too", async () => {
    const response = await site.ask("/newsletter", { body: "nonsense" });
    expect(response.status).toBe(400);
    const body = await response.text();
    expect(body).toContain("That could not be read");
    expect(body).toContain('data-session="out"');
  });

  test("403: says whose sign-in opens the page", () => {
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
});

test("a bad path: is one line of the log, without query, email address, long tail or control characters", {
  timeout: 120_000,
}, async () => {
  const program = await startServing();
  const address = `http://127.0.0.1:${program.port}`;
  const logged: Record<string, string> = {
    "/wrong?email=ada@example.com": "/wrong",
    "/courses/none": "/courses/none",
    "/wrong.data": "/wrong.data",
    "/%00": "/%00",
    "/%zz": "/%zz",
    "/%0aforged%1b[2J": "/%0aforged%1b[2J",
    [`/${"long".repeat(1000)}`]: `/${"long".repeat(1000)}`.slice(0, 300),
    // Mail programs break links: the question mark of one with a token in it becomes a letter.
    "/newsletter/confirm%3Ftoken=eyJhbGciOi.c2VjcmV0": "/newsletter/confirm",
    "/auth/reset%3ftoken%3Deyj0b2tlbg": "/auth/reset",
    "/newsletter/unsubscribe%253Ftoken%253Deyj0b2tlbg": "/newsletter/unsubscribe",
    "/courses/ada@example.com": "/courses/[removed]",
    "/courses/ada%2540example.com": "/courses/[removed]",
    "/mailto:Ada.Lovelace%2Bletters%40example.com": "/[removed]",
    "/write/%22Ada%22%20%3Cada%40example.com%3E": "/write/[removed]",
  };
  for (const path of Object.keys(logged)) await rawRequest(address, { path });
  // A visitor who follows the link asks once more.
  await rawRequest(address, { path: "/ahead", headers: { "sec-purpose": "prefetch" } });
  const headers = { origin: program.url };
  await rawRequest(address, { method: "POST", path: "/form", headers });
  await program.line(/"path":"\/form"/);
  const { out, err } = await program.kill("SIGTERM");
  const lines = out.split("\n").filter((line) => line.includes("no such page"));
  expect(lines.map((line) => JSON.parse(line).path)).toEqual([...Object.values(logged), "/form"]);
  expect(out).not.toMatch(/ada|eyj/i);
  expect(out + err).not.toMatch(/[^\n\x20-\x7e]/);
  expect(err).toBe("");
});
