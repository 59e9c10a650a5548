import { expect, test } from "vitest";
import { collectLog } from "../support/log-lines.ts";
import { openForTests } from "../support/open-for-tests.ts";
import { rawRequest } from "../support/raw-request.ts";
import { rawSocket } from "../support/raw-socket.ts";
import { expectSecurityHeaders } from "../support/security-headers.ts";
import { startSite } from "../support/site.ts";

const site = openForTests(() => startSite({ APP_URL: "https://grief.example" }));
const ask = (host: string, path: string, method = "GET") =>
  rawRequest(site.url, { method, path, headers: { host } });

test.each(["/", "/courses?a=b", "//evil.example/x", "/my-courses", "/nothing/here"])(
  "www.%s leads to the site's own name",
  async (path) => {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await ask("WWW.grief.example", path, method);
      const { pathname, search } = new URL(path.replace(/^\/+/, "/"), site.url);
      expect([status, headers.location]).toEqual([
        308,
        `https://grief.example${pathname}${search}`,
      ]);
      expectSecurityHeaders(new Headers(headers as Record<string, string>), path);
    }
  },
);

test("a form there is told where the site is, and a health check is answered", async () => {
  const form = await ask("www.grief.example", "/newsletter", "POST");
  expect(form.status).toBe(403);
  expect(form.body).toContain("https://grief.example");
  expect((await ask("www.grief.example", "/healthz")).status).toBe(200);
});

test("a health check without the proxy says nothing of proxies in the log, a page does", async () => {
  const behind = await startSite({
    ...{ APP_URL: "https://grief.example", TRUSTED_PROXIES: "1", LOG_LEVEL: "info" },
  });
  const lines = collectLog(behind.services.log);
  const said = () => lines.filter((line) => line.includes("TRUSTED_PROXIES"));
  await rawRequest(behind.url, { path: "/healthz" });
  expect(said()).toHaveLength(0);
  for (let n = 0; n < 2; n += 1) await rawRequest(behind.url, { path: "/my-courses" });
  expect(said()).toHaveLength(1);
  await behind.close();
});

test("an address that cannot be read is refused there, and the site goes on", async () => {
  const asked = "GET http://[x/ HTTP/1.1\r\nHost: www.grief.example\r\n\r\n";
  expect((await rawSocket(site.url, asked)).status).toBe(400);
  expect((await ask("grief.example", "/")).status).toBe(200);
});

test("any other name is left alone, as proxies ask with one of theirs", async () => {
  for (const host of ["grief.example", "127.0.0.1:3000", "blue_dot_upstream", "shop.grief.example"])
    expect((await ask(host, "/")).status).toBe(200);
});
