import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { createCourse } from "../../support/courses.ts";
import { publishIssue } from "../../support/newsletter-issues.ts";
import { rawRequest } from "../../support/raw-request.ts";
import { routeTable } from "../../support/route-table.ts";
import { siteOfFile } from "../../support/site.ts";

const site = siteOfFile();
const slug = "a-course-for-everybody";

beforeAll(async () => {
  await createCourse(site.services, [[{}]], { slug });
  await publishIssue(site.services, { slug, startedAt: new Date("2025-03-04T12:00:00Z") });
});

type Headers = Record<string, string>;
const get = (address: string, headers: Headers = {}, method = "GET") =>
  rawRequest(site.url, { path: address, headers, method });
const withoutDate = <T extends object>({ date: _, ...headers }: T & { date?: unknown }) => headers;
const app = path.join(import.meta.dirname, "..", "..", "..", "app");
const isShared = (file: string) =>
  readFileSync(path.join(app, file), "utf8").includes("shared: true");
const sharedPages = routeTable
  .filter(({ file }) => file.endsWith(".tsx") && isShared(file))
  .map(({ pattern }) => pattern.replace(":slug", slug).replace(":year", "2025"));

describe("a shared page", () => {
  test("there are such pages", () => expect(sharedPages.length).toBeGreaterThan(8));

  test.each(sharedPages)(
    "%s: is the same for every visitor, and runs only scripts whose hashes its policy names",
    async (address) => {
      const cold = await get(address, {
        // A zone puts its country first on /help.
        cookie: address === "/help" ? "theme=dark" : "tz=Asia%2FTokyo; theme=dark",
        "accept-language": "de",
        "x-forwarded-host": "evil.example",
        host: "evil.example",
        "user-agent": "curl",
      });
      const warm = await get(address);
      expect(cold.status).toBe(200);
      expect(warm.body).toBe(cold.body);
      expect(warm.headers).toMatchObject(withoutDate(cold.headers));
      expect(warm.headers).toMatchObject({
        "cache-control": "public, max-age=0, s-maxage=4, must-revalidate",
        vary: "Accept-Encoding, Cookie",
        etag: expect.stringMatching(/^"[\w-]{22}"$/),
        "content-type": "text/html; charset=utf-8",
        "content-length": String(warm.bytes.length),
      });
      expect(warm.headers).not.toHaveProperty("set-cookie");
      expect(warm.body).not.toMatch(/evil\.example|nonce/);

      const policy = String(warm.headers["content-security-policy"]);
      const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? "";
      expect(scripts).not.toMatch(/unsafe|nonce|\*|https?:|data:/);
      const inline = [...warm.body.matchAll(/<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g)];
      expect(inline.length).toBeGreaterThan(0);
      for (const [, attributes = "", script = ""] of inline) {
        if (attributes.includes('type="application/ld+json"')) continue;
        const hash = createHash("sha256").update(script).digest("base64");
        expect(scripts).toContain(`'sha256-${hash}'`);
      }
    },
  );

  test("comes in the encoding that was asked for, each with its own tag; HEAD without a body", async () => {
    const tags = new Set<unknown>();
    for (const [asked, got, undo] of [
      ["br", "br", brotliDecompressSync],
      ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
      ["gzip", "gzip", gunzipSync],
      ["br;q=0, gzip", "gzip", gunzipSync],
      ["identity", undefined, (bytes: Buffer) => bytes],
      ["zstd", undefined, (bytes: Buffer) => bytes],
    ] as const) {
      const encoding = { "accept-encoding": asked };
      const cold = await get("/terms", encoding, "HEAD");
      const full = await get("/terms", encoding);
      const warm = await get("/terms", encoding, "HEAD");
      expect(full.headers["content-encoding"]).toBe(got);
      expect(full.headers["content-length"]).toBe(String(full.bytes.length));
      expect(String(undo(full.bytes))).toBe((await get("/terms")).body);
      for (const head of [cold, warm]) {
        expect([head.status, head.bytes.length]).toEqual([200, 0]);
        expect(full.headers).toMatchObject(withoutDate(head.headers));
      }
      tags.add(full.headers.etag);
    }
    expect(tags.size).toBe(3);
  });

  test("is the same whatever its query says", async () => {
    const plain = await get("/about");
    for (const query of ["?", "?utm_source=x", "?utm_source=<script>", "?a=1&b=%00", "?index"]) {
      const { body, headers } = await get(`/about${query}`);
      expect([query, headers.etag]).toEqual([query, plain.headers.etag]);
      expect(body).toBe(plain.body);
    }
    expect(plain.body).toContain(`href="${site.services.config.appUrl}/about"`);
  });
});

describe("If-None-Match", () => {
  const tagOf = async (encoding: string) =>
    String((await get("/coaching", { "accept-encoding": encoding })).headers.etag);
  const ask = (tag: string, encoding = "br", method = "GET") =>
    get("/coaching", { "accept-encoding": encoding, "if-none-match": tag }, method);

  test("304 to the page's own tag, strong or weak, in a list, or a star, with all headers", async () => {
    const tag = await tagOf("br");
    const { headers } = await ask('"x"');
    const { "content-length": _, "content-encoding": __, ...common } = withoutDate(headers);
    for (const asked of [tag, `W/${tag}`, `"x", ${tag}`, `W/"x",W/${tag} , "y"`, "*"])
      for (const method of ["GET", "HEAD"]) {
        const answer = await ask(asked, "br", method);
        expect([asked, answer.status, answer.bytes.length]).toEqual([asked, 304, 0]);
        expect(answer.headers).toMatchObject(common);
        expect(answer.headers).not.toHaveProperty("content-length");
        expect(answer.headers).not.toHaveProperty("content-encoding");
      }
  });

  test("200 to another tag, or to that of another encoding", async () => {
    const [br, gzip] = [await tagOf("br"), await tagOf("gzip")];
    for (const asked of ['"x"', "x", gzip, br.replaceAll('"', "")])
      expect([asked, (await ask(asked)).status]).toEqual([asked, 200]);
    for (const encoding of ["gzip", "identity"]) expect((await ask(br, encoding)).status).toBe(200);
  });
});

test.each(["/About", "/ABOUT", "/courses/A-Course-For-Everybody", "/%61bout"])(
  "GET %s, which no link uses: is rendered each time, and cached nowhere",
  async (address) => {
    for (let n = 0; n < 2; n += 1) {
      const { headers } = await get(address);
      expect(headers["cache-control"]).toMatch(/^private/);
      expect(headers).not.toHaveProperty("etag");
    }
  },
);

test.each([
  ["/about/", "/about"],
  ["/courses/blue-dot-method/?a=1&b=/", "/courses/blue-dot-method?a=1&b=/"],
  ["/none/", "/none"],
  ["/%5Cevil.example/", "/%5Cevil.example"],
])("%s redirects to %s", async (address, location) => {
  for (const method of ["GET", "HEAD"]) {
    const answer = await get(address, {}, method);
    expect([answer.status, answer.headers.location]).toEqual([308, location]);
    // Behind the '?' may stand a link that is one person's, and a cache may not look there.
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.bytes.length).toBe(0);
  }
});

test("POST /auth/sign-out/: a form is not redirected", async () => {
  expect((await site.ask("/auth/sign-out/", { form: {} })).status).not.toBe(308);
});

test.each(["/auth", "/my-courses", "/none", "/404", "/courses/none", "/about.data", "/healthz"])(
  "GET %s: cached nowhere",
  async (address) => {
    const { headers } = await get(address);
    expect(headers["cache-control"]).toMatch(/private|no-store/);
    expect(headers).not.toHaveProperty("etag");
  },
);
