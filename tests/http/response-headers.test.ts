import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createPerson } from "../support/people.ts";
import { rawRequest } from "../support/raw-request.ts";
import { readable } from "../support/responses.ts";
import { siteOfFile } from "../support/site.ts";

const site = siteOfFile();
const assets = path.join(import.meta.dirname, "..", "..", "build", "client", "assets");
const asset = (ending: string) => {
  const name = readdirSync(assets).find((file) => file.endsWith(ending));
  if (!name) throw new Error(`no asset ${ending}`);
  return `/assets/${name}`;
};

beforeAll(async () => {
  const folder = path.join(site.services.config.dataDir, "media", "course-audio");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "a.mp3"), "sound");
});
const media = () =>
  site.services.storage.signedUrl("course-audio", "a.mp3", site.services.clock.now());

/** One of each kind of answer that the site gives. */
const kinds: [string, () => Promise<Response>][] = [
  ["a page", () => site.ask("/")],
  [
    "a page of somebody",
    async () => site.ask("/my-courses", { as: await createPerson(site.services) }),
  ],
  ["a redirect", () => site.ask("/my-courses")],
  ["a page's data", () => site.ask("/courses.data")],
  ["an asset", () => site.ask(asset(".css"))],
  ["a script", () => site.ask("/site.js")],
  ["an operation", () => site.ask("/api/verify-admin", { json: {} })],
  ["the authentication library", () => site.ask("/api/auth/get-session")],
  ["media", async () => site.ask(await media())],
  ["a part of media", async () => site.ask(await media(), { headers: { range: "bytes=0-1" } })],
  ["refused media", () => site.ask("/media/course-audio/a.mp3")],
  ["health", () => site.ask("/healthz")],
  ["a missing page", () => site.ask("/none")],
  ["a missing operation", () => site.ask("/api/none")],
  ["a wrong method", () => site.ask("/healthz", { form: {} })],
  ["a foreign form", () => site.ask("/auth", { form: {}, origin: "https://evil.example" })],
  ["too large a form", () => site.ask("/auth", { form: { email: "a".repeat(300_000) } })],
  ["an address with NUL", () => site.ask("/%00")],
];

describe("every answer", () => {
  test.each(kinds)(
    "%s: no other site may read it, and it says nothing of the inside",
    async (_, ask) => {
      const response = await ask();
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      const body = await response.text();
      if (!body.startsWith("/*! tailwind"))
        expect(body).not.toMatch(/\n\s+at \S+ \(|node_modules|\/app\/platform/);
    },
  );

  test.each(kinds.filter(([kind]) => /page/.test(kind) && kind !== "a page's data"))(
    "%s lets no inline script run but its own",
    async (_, ask) => {
      const response = await ask();
      const policy = response.headers.get("content-security-policy") ?? "";
      const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? "";
      expect(scripts).toContain("'self'");
      expect(scripts).not.toMatch(/unsafe-inline|unsafe-eval|\*|data:|https?:/);
      expect(policy).toContain("object-src 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      const nonce = /'nonce-([^']+)'/.exec(scripts)?.[1];
      const found = [...(await response.text()).matchAll(/<script(?![^>]*\ssrc=)([^>]*)>/g)];
      // What is data for search engines no browser runs.
      const inline = found.filter(([, attributes]) => attributes !== ' type="application/ld+json"');
      expect(inline.length).toBeGreaterThan(0);
      const free = inline.filter(([, attributes = ""]) => !attributes.includes(`nonce="${nonce}"`));
      // The one that sets the colour mode before the first paint is allowed by its hash.
      expect(free.length).toBeLessThanOrEqual(1);
      expect(scripts).toContain("'sha256-");
    },
  );

  test("a nonce is good for one answer", async () => {
    const policy = async () => (await site.ask("/auth")).headers.get("content-security-policy");
    expect(await policy()).not.toBe(await policy());
  });
});

describe("requests that change something", () => {
  test("are refused in words, on a page on which nothing runs and nothing is sent, or in JSON", async () => {
    const asking = { form: {}, origin: "https://evil.example" };
    const page = await site.ask("/auth", asking);
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    expect(page.headers.get("content-security-policy")).toBe(
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(readable(await page.text())).toContain("did not come from a page of this site");
    const json = await site.ask("/auth", { ...asking, headers: { accept: "application/json" } });
    expect(await json.json()).toMatchObject({ error: { code: "forbidden" } });
  });

  test("a refused body leaves the connection good for what follows", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const big = { method: "POST", path: "/auth", agent, body: Buffer.alloc(300_000, "a") };
    const headers = { origin: site.services.config.appUrl, "content-length": "300000" };
    for (let n = 0; n < 3; n += 1) {
      expect((await rawRequest(site.url, { ...big, headers })).status).toBe(413);
      expect((await rawRequest(site.url, { path: "/healthz", agent })).status).toBe(200);
    }
    agent.destroy();
  });

  test("a body larger than any form is refused", async () => {
    const page = await site.ask("/auth", { form: { email: "a".repeat(300_000) } });
    expect(page.status).toBe(413);
    expect(readable(await page.text())).toContain("That is too much at once");
    const json = await site.ask("/api/verify-admin", { json: { x: "a".repeat(300_000) } });
    expect(json.status).toBe(413);
    expect(await json.json()).toMatchObject({
      error: { code: "too_large", message: expect.any(String) },
    });
  });
});

describe("errors in JSON", () => {
  test.each([
    ["/api/none", "GET", 404, "not_found"],
    ["/api/none/deeper", "POST", 404, "not_found"],
    ["/api", "GET", 404, "not_found"],
    ["/api/verify-admin", "GET", 405, "method_not_allowed"],
    ["/healthz", "POST", 405, "method_not_allowed"],
  ])("%s by %s is %i", async (address, method, status, code) => {
    const response = await site.ask(address, { method });
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await response.json()).toEqual({ error: { code, message: expect.any(String) } });
  });
});

describe("files of the build", () => {
  const get = (address: string, headers: Record<string, string> = {}) =>
    rawRequest(site.url, { path: address, headers });

  test.each([
    ["br", "br"],
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=1.0, gzip;q=0.9", "br"],
    ["gzip ; q=0.8", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0, gzip;q=0", undefined],
    [undefined, undefined],
  ])("asked for with %s come as %s, permanently", async (asked, got) => {
    for (const [ending, type] of [
      [".js", /^text\/javascript/],
      [".css", /^text\/css/],
    ] as const) {
      const answer = await get(
        asset(ending),
        asked === undefined ? {} : { "accept-encoding": asked },
      );
      expect(answer.status).toBe(200);
      expect(answer.headers["content-type"]).toMatch(type);
      expect(answer.headers["content-encoding"]).toBe(got);
      expect(answer.headers.vary).toMatch(/accept-encoding/i);
      expect(answer.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    }
  });

  test("do not differ by compression where they are not compressed", async () => {
    expect((await get("/favicon.ico")).headers.vary).toBeUndefined();
  });

  test("are not sent again to who has them", async () => {
    for (const path of ["/favicon.ico", "/favicon.svg"]) {
      const since = String((await get(path)).headers["last-modified"]);
      const asked = (value: string) => get(path, { "if-modified-since": value });
      const again = await asked(since);
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
      expect(again.headers["cache-control"]).toBe("public, max-age=3600");
      expect(again.headers["content-length"]).toBeUndefined();
      const older = new Date(Date.parse(since) - 1000).toUTCString();
      for (const value of [older, "nonsense"]) expect((await asked(value)).status, value).toBe(200);
    }
  });

  test("the script of public pages is cached permanently under its own version only", async () => {
    const page = await (await site.ask("/")).text();
    const [, address = ""] = /src="(\/site-[^"]+\.js)"/.exec(page) ?? [];
    const caching = async (path: string) => (await site.ask(path)).headers.get("cache-control");
    expect(await caching(address)).toBe("public, max-age=31536000, immutable");
    expect(await caching("/site.js")).toBe("public, max-age=3600");
    // While two versions run side by side, a page of one asks the other for its script.
    expect(await caching("/site-0000000000.js")).toBe("no-cache");
    expect(await (await site.ask("/site-0000000000.js")).text()).toContain("newsletter");
  });

  test.each([
    ["a piece", { range: "bytes=5-" }],
    ["a piece of an older one", { range: "bytes=5-", "if-range": '"old"' }],
    ["lines", { range: "lines=0-3" }],
    ["what is not there", { range: "bytes=9999999-" }],
  ])("go whole, also to anyone who asks for %s", async (_, headers) => {
    const whole = await get(asset(".css"));
    const answer = await get(asset(".css"), headers);
    expect([answer.status, answer.body]).toEqual([200, whole.body]);
  });
});

test("a connection stays open for longer than those of proxies, which is a minute", async () => {
  const agent = new Agent({ keepAlive: true });
  for (const address of ["/about", "/about", "/auth", "/healthz"]) {
    const { headers } = await rawRequest(site.url, { path: address, agent });
    expect(headers["keep-alive"]).toBe("timeout=65");
  }
  agent.destroy();
});

describe("HEAD", () => {
  test.each(["/", "/courses", "/healthz", "/none", "/my-courses"])(
    "%s as GET, without a body",
    async (address) => {
      const [head, full] = [await site.ask(address, { method: "HEAD" }), await site.ask(address)];
      expect(head.status).toBe(full.status);
      expect(await head.text()).toBe("");
      await full.text();
    },
  );
});
