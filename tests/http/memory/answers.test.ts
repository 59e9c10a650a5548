import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCourse } from "../../support/courses.ts";
import { rawRequest } from "../../support/raw-request.ts";
import { routeTable } from "../../support/route-table.ts";
import { startSite, type TestSite } from "../../support/site.ts";

let site: TestSite;
const slug = "a-course-for-everybody";

beforeAll(async () => {
  site = await startSite();
  await createCourse(site.services, [[{}]], { slug });
});
afterAll(() => site.close());

type Headers = Record<string, string>;
const get = (address: string, headers: Headers = {}, method = "GET") =>
  rawRequest(site.url, { path: address, headers, method });
const tagOf = async (address: string, headers: Headers = {}) =>
  String((await get(address, headers)).headers.etag);

const app = path.join(import.meta.dirname, "..", "..", "..", "app");
/** Addresses of all pages that say that they are the same for everybody. */
const shared = routeTable
  .filter(({ file }) => readFileSync(path.join(app, file), "utf8").includes("shared: true"))
  .map(({ pattern }) => pattern.replace(":slug", slug));

describe("a page that is the same for everybody", () => {
  test("there are such pages", () => expect(shared.length).toBeGreaterThan(8));

  test.each(shared)(
    "%s is the same, byte for byte, cold and warm, whoever asks",
    async (address) => {
      const cold = await get(address, {
        cookie: "tz=Asia%2FTokyo; theme=dark",
        "accept-language": "de",
        "x-forwarded-host": "evil.example",
        "user-agent": "curl",
      });
      const warm = await get(address);
      expect(cold.status).toBe(200);
      expect(warm.body).toBe(cold.body);
      const { date: _, ...coldHeaders } = cold.headers;
      expect(warm.headers).toMatchObject(coldHeaders);
      expect(warm.headers).toMatchObject({
        "cache-control": "public, max-age=0, s-maxage=4, must-revalidate",
        vary: "Accept-Encoding, Cookie",
        etag: expect.stringMatching(/^"[\w-]{22}"$/),
        "content-type": "text/html; charset=utf-8",
        "content-length": String(warm.bytes.length),
      });
      expect(warm.headers).not.toHaveProperty("set-cookie");
      expect(warm.body).not.toContain("evil.example");
      expect(warm.body).not.toContain("nonce");
    },
  );

  test.each(shared)("%s runs only scripts whose hashes its policy names", async (address) => {
    const { body, headers } = await get(address);
    const policy = String(headers["content-security-policy"]);
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? "";
    expect(scripts).not.toMatch(/unsafe|nonce|\*|https?:|data:/);
    const inline = [...body.matchAll(/<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g)];
    expect(inline.length).toBeGreaterThan(0);
    for (const [, attributes = "", script = ""] of inline) {
      if (attributes.includes('type="application/ld+json"')) continue;
      const hash = createHash("sha256").update(script).digest("base64");
      expect(scripts).toContain(`'sha256-${hash}'`);
    }
  });

  test.each([
    ["br", "br", brotliDecompressSync],
    ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
    ["br;q=0, gzip", "gzip", gunzipSync],
    ["identity", undefined, (bytes: Buffer) => bytes],
    ["zstd", undefined, (bytes: Buffer) => bytes],
  ] as const)("asked for with %s it comes as %s", async (asked, got, undo) => {
    const plain = await get("/about");
    const { headers, bytes } = await get("/about", { "accept-encoding": asked });
    expect(headers["content-encoding"]).toBe(got);
    expect(headers["content-length"]).toBe(String(bytes.length));
    expect(String(undo(bytes))).toBe(plain.body);
    expect(headers.etag === plain.headers.etag).toBe(got === undefined);
  });

  test("has another tag for each encoding", async () => {
    const tags = [];
    for (const encoding of ["br", "gzip", "identity"])
      tags.push(await tagOf("/about", { "accept-encoding": encoding }));
    expect(new Set(tags).size).toBe(3);
  });

  test("is the same whatever its query says", async () => {
    const plain = await get("/about");
    for (const query of ["?", "?utm_source=x", "?utm_source=<script>", "?a=1&b=%00", "?index"]) {
      const { body, headers } = await get(`/about${query}`);
      expect([query, headers.etag]).toEqual([query, plain.headers.etag]);
      expect(body).toBe(plain.body);
    }
  });

  test("names the configured origin, whatever host was asked for", async () => {
    const other = await startSite();
    for (let n = 0; n < 2; n += 1) {
      const { body } = await rawRequest(other.url, {
        path: "/about",
        headers: { host: "evil.example" },
      });
      expect(body).not.toContain("evil.example");
      expect(body).toContain(`href="${other.services.config.appUrl}/about"`);
    }
    await other.close();
  });
});

describe("HEAD", () => {
  test.each(["br", "gzip", "identity"])("with %s is GET without the body", async (encoding) => {
    for (const address of ["/terms", "/privacy"]) {
      const headers = { "accept-encoding": encoding };
      const [cold, full, warm] = [
        await get(address, headers, "HEAD"),
        await get(address, headers),
        await get(address, headers, "HEAD"),
      ];
      for (const head of [cold, warm]) {
        expect(head.status).toBe(200);
        expect(head.bytes.length).toBe(0);
        const { date: _, ...headHeaders } = head.headers;
        expect(full.headers).toMatchObject(headHeaders);
        expect(head.headers["content-length"]).toBe(String(full.bytes.length));
      }
    }
  });
});

describe("asked whether it has changed", () => {
  const conditional = async (tag: string, encoding = "br", method = "GET") => {
    const headers = { "accept-encoding": encoding, "if-none-match": tag };
    const answer = await get("/coaching", headers, method);
    expect([200, 304]).toContain(answer.status);
    if (answer.status === 304) expect(answer.bytes.length).toBe(0);
    return answer;
  };
  const br = () => tagOf("/coaching", { "accept-encoding": "br" });

  test("it says 304 to its own tag, strong or weak, in a list, or a star", async () => {
    const tag = await br();
    for (const asked of [tag, `W/${tag}`, `"x", ${tag}`, `W/"x",W/${tag} , "y"`, "*"])
      expect([asked, (await conditional(asked)).status]).toEqual([asked, 304]);
    expect((await conditional(tag, "br", "HEAD")).status).toBe(304);
  });

  test("and 200 to another, or to that of another encoding", async () => {
    const gzip = await tagOf("/coaching", { "accept-encoding": "gzip" });
    for (const asked of ['"x"', "x", gzip, (await br()).replaceAll('"', "")])
      expect([asked, (await conditional(asked)).status]).toEqual([asked, 200]);
    expect((await conditional(await br(), "gzip")).status).toBe(200);
    expect((await conditional(await br(), "identity")).status).toBe(200);
  });

  test("its 304 has the headers of its 200, but for those of a body", async () => {
    const tag = await br();
    const unchanged = await conditional(tag);
    const whole = await conditional('"x"');
    const { date: _, "content-length": __, "content-encoding": ___, ...rest } = whole.headers;
    expect(unchanged.headers).toMatchObject(rest);
    expect(unchanged.headers).not.toHaveProperty("content-length");
    expect(unchanged.headers).not.toHaveProperty("content-encoding");
  });

  test("also when the page is cold", async () => {
    const other = await startSite();
    const answer = await rawRequest(other.url, {
      path: "/coaching",
      headers: { "if-none-match": "*" },
    });
    expect(answer.status).toBe(304);
    await other.close();
  });
});

describe("addresses that our links do not use", () => {
  test.each(["/About", "/ABOUT", "/courses/A-Course-For-Everybody", "/%61bout"])(
    "%s is rendered each time, and kept by no cache",
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
  ])("%s leads to %s", async (address, location) => {
    for (const method of ["GET", "HEAD"]) {
      const answer = await get(address, {}, method);
      expect([answer.status, answer.headers.location]).toEqual([308, location]);
      // Behind the '?' may stand a link that is one person's, and a cache may not look there.
      expect(answer.headers["cache-control"]).toBe("no-store");
      expect(answer.bytes.length).toBe(0);
    }
  });

  test("a form that is sent to a slash is not sent on", async () => {
    expect((await site.ask("/auth/sign-out/", { form: {} })).status).not.toBe(308);
  });
});

describe("what is not such a page", () => {
  test.each(["/auth", "/my-courses", "/none", "/404", "/courses/none", "/about.data", "/healthz"])(
    "%s is offered to no cache",
    async (address) => {
      const { headers } = await get(address);
      expect(headers["cache-control"]).toMatch(/private|no-store/);
      expect(headers).not.toHaveProperty("etag");
    },
  );
});
