import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rawRequest } from "../support/raw-request.ts";
import { startSite, type TestSite } from "../support/site.ts";

/** The status of an empty form at this host: 403 when the page it came from is not ours. */
async function send(site: TestSite, host: string, origin: string) {
  const type = "application/x-www-form-urlencoded";
  const headers = { host, origin, "content-type": type, "content-length": "3" };
  const body = Buffer.from("a=b");
  const { status } = await rawRequest(site.url, {
    path: "/newsletter",
    method: "POST",
    headers,
    body,
  });
  return status;
}

describe("a site with https, behind a proxy that speaks http to it", () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ TRUSTED_PROXIES: "1", APP_URL: "https://grief.example" });
  });
  afterAll(() => site.close());

  test.each([
    ["its own page", "grief.example", "https://grief.example", 400],
    ["its own page, by another name inside", "10.0.0.7:3000", "https://grief.example", 400],
    [
      "a page that somebody on the line put in its place",
      "grief.example",
      "http://grief.example",
      403,
    ],
    ["a name that leads to the same machine", "evil.example", "http://evil.example", 403],
    ["the same name with a port", "grief.example", "https://grief.example:8443", 403],
  ])("a form from %s", async (_, host, origin, status) => {
    expect(await send(site, host, origin)).toBe(status);
  });
});

describe("a site without https", () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());

  test("takes forms at each name by which its pages are opened", async () => {
    const { port } = site.services.config;
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`])
      expect(await send(site, host, `http://${host}`)).toBe(400);
    expect(await send(site, `localhost:${port}`, "http://localhost:1")).toBe(403);
  });
});
