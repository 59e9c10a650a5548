import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freshDatabase } from "../../support/database.ts";
import { startServing } from "../../support/process.ts";
import { rawRequest } from "../../support/raw-request.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let site: Awaited<ReturnType<typeof startServing>>;

beforeAll(async () => {
  database = await freshDatabase();
  const env = { LOG_LEVEL: "debug", SAMPLE_CONTENT: "on" };
  const server = { DATABASE_URL: database.url ?? "", AUTH_SECRET: "test-secret-".repeat(4) };
  site = await startServing({ ...env, ...server });
  // The first connection and the first rendering are made here, not under the burst.
  await ask("/thank-you");
});
afterAll(async () => {
  await site.kill("SIGTERM");
  await database.drop();
  rmSync(site.dataDir, { recursive: true, force: true });
});

type Line = { msg?: string; method?: string; path: string; status: number };

/** The lines of the log about a path: one for each rendering, one for each request. */
async function linesAbout(path: string, requests: number) {
  const lines = () =>
    site
      .out()
      .split("\n")
      .filter((line) => line.startsWith("{") && line.endsWith("}"))
      .map((line) => JSON.parse(line) as Line)
      .filter((line) => line.path === path);
  await vi.waitFor(() => expect(lines().filter(({ method }) => method)).toHaveLength(requests), {
    timeout: 15_000,
    interval: 20,
  });
  return {
    renderings: lines().filter(({ msg }) => msg === "a page was rendered for everybody").length,
    requests: lines().filter(({ method }) => method),
  };
}

const address = () => `http://127.0.0.1:${site.port}`;
const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  rawRequest(address(), { path, headers, method });

describe("a burst for a cold page", { timeout: 120_000 }, () => {
  test("renders it once, for GET and HEAD, whatever is asked with it", async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => {
        if (n % 4 === 1) return ask("/courses", { "accept-encoding": "br" });
        if (n % 4 === 2) return ask("/courses?from=elsewhere", {}, "HEAD");
        if (n % 4 === 3) return ask("/courses", { "if-none-match": "*" });
        return ask("/courses", { "accept-encoding": "gzip", cookie: `tz=Zone${n}` });
      }),
    );
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(3);
    for (const [n, { status }] of answers.entries()) expect(status).toBe(n % 4 === 3 ? 304 : 200);
    const { renderings, requests } = await linesAbout("/courses", 60);
    expect(renderings).toBe(1);
    expect(requests.filter(({ status }) => status === 304)).toHaveLength(15);
  });

  test("is one for each page", async () => {
    const pages = ["/", "/about", "/coaching", "/courses/blue-dot-method"];
    await Promise.all(pages.flatMap((page) => Array.from({ length: 10 }, () => ask(page))));
    for (const page of pages) expect((await linesAbout(page, 10)).renderings).toBe(1);
  });

  test("of a first who goes away leaves the others their page", async () => {
    const first = new AbortController();
    const gone = fetch(`${address()}/terms`, { signal: first.signal }).catch(() => null);
    const others = Array.from({ length: 10 }, () => ask("/terms"));
    first.abort();
    await gone;
    for (const { status, headers } of await Promise.all(others)) {
      expect(status).toBe(200);
      expect(headers.etag).toBeDefined();
    }
    expect((await ask("/terms")).headers.etag).toBeDefined();
  });
});

test("what is answered from memory has its line in the log, without its query", {
  timeout: 120_000,
}, async () => {
  for (let n = 0; n < 3; n += 1) await ask("/privacy?secret=1");
  const { renderings, requests } = await linesAbout("/privacy", 3);
  expect(renderings).toBe(1);
  for (const line of requests)
    expect(line).toMatchObject({ level: "debug", method: "GET", path: "/privacy", status: 200 });
  expect(site.out()).not.toContain("secret=1");
});
