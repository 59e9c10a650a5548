import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createAccount, newAddress } from "../../support/accounts.ts";
import { addressOf } from "../../support/actions.ts";
import { rawRequest } from "../../support/raw-request.ts";
import { routeTable } from "../../support/route-table.ts";
import {
  expectCaching,
  expectHostCookies,
  expectPolicy,
  expectSecurityHeaders,
} from "../../support/security-headers.ts";
import { siteOfFile } from "../../support/site.ts";
import { createWorld, type World } from "../../support/world.ts";

const appUrl = "https://grief.example";
const site = siteOfFile({ APP_URL: appUrl });
let world: World;
let cookies: string[];
beforeAll(async () => {
  world = await createWorld(site.services);
  const people = [null, await world.person("enrolled"), await world.person("administrator")];
  cookies = await Promise.all(
    people.map(async (one) => (one ? `__Host-${await site.cookieOf(one)}` : "")),
  );
  const folder = path.join(site.services.config.dataDir, "media", "course-audio");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "a.mp3"), "sound");
});

type Asked = { method?: string; path: string; headers?: Record<string, string>; body?: string };
const seen = new Set<number>();
const cookieNames: string[] = [];

/** Asks as it is said, and looks at what every answer has to carry. */
async function look({ method = "GET", path: address, headers = {}, body }: Asked): Promise<void> {
  const sent = body === undefined ? {} : { body: Buffer.from(body) };
  const length = sent.body && { "content-length": String(sent.body.length) };
  const all = { host: "grief.example", origin: appUrl, ...headers, ...length };
  const answer = await rawRequest(site.url, { method, path: address, headers: all, ...sent });
  const got = new Headers();
  for (const [name, value] of Object.entries(answer.headers))
    for (const one of [value].flat()) if (one !== undefined) got.append(name, one);
  const what = `${method} ${address.slice(0, 80)} ${answer.status}`;
  expectSecurityHeaders(got, what, { sharing: address.startsWith("/share/") });
  expectPolicy(got, what);
  cookieNames.push(...expectHostCookies(got, what));
  expectCaching(got, what);
  seen.add(answer.status);
}

const form = { "content-type": "application/x-www-form-urlencoded" };
const json = { "content-type": "application/json" };

describe("every answer carries the security headers, and every page its policy", () => {
  test.each(routeTable.map(({ pattern }) => pattern))("%s", async (pattern) => {
    const id = world.active.modules[0]?.lessons[0]?.id ?? "";
    const address = addressOf(pattern, { slug: world.active.slug, id });
    for (const cookie of cookies.slice(0, pattern.startsWith("/admin") ? 3 : 2)) {
      const headers = { cookie };
      const data = address === "/" ? "/_.data" : `${address}.data`;
      for (const one of [address, data, `${address}/`]) await look({ path: one, headers });
      for (const method of ["HEAD", "DELETE", "BREW"])
        await look({ method, path: address, headers });
      const posted = { method: "POST", path: address };
      await look({ ...posted, headers: { ...form, cookie }, body: "x=y" });
      await look({ ...posted, headers: { ...form, origin: "x" }, body: "" });
    }
  });

  const folder = path.join(import.meta.dirname, "..", "..", "..", "build", "client");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => `/${path.relative(folder, path.join(entry.parentPath, entry.name))}`);
  test("each file of the build", async () => {
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) await look({ path: file });
    for (const file of files.slice(0, 5)) await look({ path: file, method: "POST", body: "" });
    const headers = { "if-modified-since": new Date(Date.now() + 1000).toUTCString() };
    await look({ path: "/favicon.ico", headers });
  });

  test("media, uploads, health and the library", async () => {
    const { storage, clock } = site.services;
    const signed = await storage.signedUrl("course-audio", "a.mp3", clock.now());
    const sound = new URL(signed, appUrl);
    const media = sound.pathname + sound.search;
    const etag = (await site.ask(media)).headers.get("etag") ?? "";
    const admin = { cookie: cookies[2] ?? "" };
    const asked: Asked[] = [
      { path: media },
      { path: media, headers: { range: "bytes=0-1" } },
      { path: media, headers: { range: "bytes=99-" } },
      { path: media, headers: { "if-none-match": etag } },
      { path: sound.pathname },
      { path: "/media/none/x" },
      { path: media, method: "POST", body: "" },
      { path: "/uploads" },
      { path: "/uploads", headers: admin },
      { path: "/uploads", method: "POST", headers: admin, body: "" },
      { path: "/uploads/none", method: "HEAD", headers: { ...admin, "tus-resumable": "1.0.0" } },
      { path: "/uploads/none", method: "PATCH", headers: admin, body: "x" },
      { path: "/healthz" },
      { path: "/healthz", method: "POST", body: "" },
      { path: "/api/verify-admin", method: "POST", headers: json, body: "{}" },
      { path: "/api/create-checkout", method: "POST", headers: json, body: "{}" },
      { path: "/api/webhooks/stripe", method: "POST", headers: json, body: "{}" },
      { path: "/api/none" },
      ...[
        "get-session",
        "ok",
        "error?error=x",
        "verify-email?token=x",
        "jwks",
        "token",
        "none",
      ].map((name) => ({ path: `/api/auth/${name}`, headers: admin })),
      { path: "/api/auth/sign-in/email", method: "POST", headers: json, body: "{" },
      { path: "/api/auth/sign-in/email", method: "POST", headers: json, body: '{"email":"x"}' },
      {
        path: "/newsletter/unsubscribe?token=x",
        method: "POST",
        headers: { ...form, origin: "" },
        body: "List-Unsubscribe=One-Click",
      },
      { path: "/auth", method: "POST", headers: form, body: `email=${"a".repeat(300_000)}` },
      { path: "/%zz" },
      { path: "/%00" },
      { path: "//evil.example/" },
      { path: "/.env" },
    ];
    for (const one of asked) await look(one);
  });

  test("a limit that is reached", async () => {
    const headers = { ...json, "x-forwarded-for": "203.0.113.77" };
    const body = JSON.stringify({ email: newAddress(), password: "Wrong-horse-9" });
    for (let n = 0; n < 12; n += 1)
      await look({ path: "/api/auth/sign-in/email", method: "POST", headers, body });
  });

  test("every cookie of the site: notices, sessions, devices and what providers come back with", async () => {
    const { email, password } = await createAccount(site.services);
    const account = JSON.stringify({ email, password });
    const from = { "x-forwarded-for": "203.0.113.78" };
    const asked: Asked[] = [
      { path: "/api/auth/sign-in/email", method: "POST", headers: json, body: account },
      { path: "/api/auth/sign-in/email", method: "POST", headers: json, body: '{"email":"x"}' },
      { path: "/api/auth/passkey/generate-authenticate-options" },
      {
        path: "/auth",
        method: "POST",
        headers: form,
        body: new URLSearchParams({ email, password }).toString(),
      },
      {
        path: "/auth?mode=sign-up",
        method: "POST",
        headers: form,
        body: new URLSearchParams({ name: "Ada", email: newAddress(), password }).toString(),
      },
      { path: "/auth.data", method: "POST", headers: form, body: "email=x" },
      { path: "/auth/sign-out", method: "POST", headers: form, body: "" },
      { path: "/auth?error=access_denied" },
    ];
    for (const { headers, ...one } of asked)
      await look({ ...one, headers: { ...from, ...headers } });
    const names = [...new Set(cookieNames)].toSorted();
    expect(names).toEqual([
      "__Host-blue-dot.device",
      "__Host-blue-dot.dont_remember",
      "__Host-blue-dot.maker",
      "__Host-blue-dot.passkey_challenge",
      "__Host-blue-dot.session_data",
      "__Host-blue-dot.session_token",
      "__Host-toast",
    ]);
  });

  test("a page out of memory, whole and unchanged", async () => {
    await site.ask("/about");
    const etag = (await site.ask("/about")).headers.get("etag") ?? "";
    const asked: Record<string, string>[] = [
      {},
      { "if-none-match": etag },
      { "accept-encoding": "br" },
    ];
    for (const headers of asked) await look({ path: "/about", headers });
  });

  test("a fault of ours", async () => {
    const { db } = site.services;
    await db.write.schema.alterTable("enrollments").renameTo("enrollments_gone").execute();
    try {
      for (const cookie of cookies)
        for (const address of ["/my-courses", "/my-courses.data", "/admin/enrollments"])
          await look({ path: address, headers: { cookie } });
    } finally {
      await db.write.schema.alterTable("enrollments_gone").renameTo("enrollments").execute();
    }
  });

  test("answers of all of these kinds were seen", () => {
    const all = [200, 206, 302, 303, 304, 308, 400, 401, 403, 404, 405, 413, 416, 429, 500];
    expect([...seen]).toEqual(expect.arrayContaining(all));
  });
});
