import { rmSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { freshDatabase } from "../../support/database.ts";
import { startServing } from "../../support/process.ts";
import { rawRequest } from "../../support/raw-request.ts";

type Line = { msg?: string; method?: string; path: string; status: number };

test("a burst for a cold page: it is rendered once, and each request is a line of the log", {
  timeout: 120_000,
}, async () => {
  const database = await freshDatabase();
  const site = await startServing({
    ...{ LOG_LEVEL: "debug", SAMPLE_CONTENT: "on" },
    ...{ DATABASE_URL: database.url ?? "", AUTH_SECRET: "test-secret-".repeat(4) },
  });
  const address = `http://127.0.0.1:${site.port}`;
  const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    rawRequest(address, { path, headers, method });

  // The first connection and the first rendering are made here, not under the burst.
  await ask("/thank-you");
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => {
      if (n % 4 === 1) return ask("/courses", { "accept-encoding": "br" });
      if (n % 4 === 2) return ask("/courses?secret=1", {}, "HEAD");
      if (n % 4 === 3) return ask("/courses", { "if-none-match": "*" });
      return ask("/courses", { "accept-encoding": "gzip", cookie: `tz=Zone${n}` });
    }),
  );
  expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(3);
  for (const [n, { status }] of answers.entries()) expect(status).toBe(n % 4 === 3 ? 304 : 200);

  const lines = () =>
    site
      .out()
      .split("\n")
      .filter((line) => line.startsWith("{") && line.endsWith("}"))
      .map((line) => JSON.parse(line) as Line)
      .filter(({ path }) => path === "/courses");
  // Also of requests that the page cache answered; the query stays out of the log.
  const requests = () => lines().filter(({ method }) => method);
  await vi.waitFor(() => expect(requests()).toHaveLength(60), { timeout: 15_000 });
  expect(requests().filter(({ status }) => status === 304)).toHaveLength(15);
  expect(site.out()).not.toContain("secret=1");
  const renderings = lines().filter(({ msg }) => msg === "a page was rendered for everybody");
  expect(renderings).toHaveLength(1);

  await site.kill("SIGTERM");
  await database.drop();
  rmSync(site.dataDir, { recursive: true, force: true });
});
