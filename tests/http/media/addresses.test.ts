import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rawRequest } from "../../support/raw-request.ts";
import { startSite } from "../../support/site.ts";
import { bodyOf, type MediaSite, startMediaSite } from "./world.ts";

let site: MediaSite;
beforeAll(async () => {
  site = await startMediaSite();
  writeFileSync(path.join(site.services.config.dataDir, "private"), "secret-of-the-site");
  writeFileSync(path.join(site.services.config.dataDir, "media", "beside"), "secret-of-the-site");
});
afterAll(() => site.close());

describe("an address", () => {
  test("gives the file, whole and with its type", async () => {
    const response = await site.part({});
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("audio/mpeg");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("accept-ranges")).toBe("bytes");
    expect(response.headers.get("cache-control")).toMatch(/^private/);
    expect((await bodyOf(response)).equals(site.bytes)).toBe(true);
  });

  test("may have any character in its key", async () => {
    const response = await site.ask(site.signed("m/a b#?%ü&'\"+.mp3"));
    expect(response.status).toBe(200);
    expect((await bodyOf(response)).equals(site.bytes)).toBe(true);
  });

  test("of a file that was removed gives nothing, also a moment after it did", async () => {
    await site.place("course-audio", "m/going.mp3", site.bytes);
    const address = site.signed("m/going.mp3");
    expect((await bodyOf(await site.ask(address))).length).toBe(site.size);
    await site.services.storage.remove("course-audio", "m/going.mp3");
    expect((await site.ask(address)).status).toBe(404);
  });

  const change = (name: string, value: (now: string) => string) => (url: URL) =>
    url.searchParams.set(name, value(url.searchParams.get(name) ?? ""));
  const go = (pathname: string) => (url: URL) => void Object.assign(url, { pathname });
  const altered: [string, (address: URL) => unknown][] = [
    ["another key", go("/media/course-audio/m/none.mp3")],
    ["another bucket", go("/media/course-videos/m/film.mp4")],
    ["an unknown bucket", go("/media/secrets/m/sound.mp3")],
    ["no key", go("/media/course-audio/")],
    ["no bucket", go("/media/")],
    ["a folder", go("/media/course-audio/m")],
    ["a folder with a slash", go("/media/course-audio/m/")],
    ["a slash more at the end", go("/media/course-audio/m/sound.mp3/")],
    ["a slash more in the middle", go("/media/course-audio/m//sound.mp3")],
    ["capital letters", go("/media/course-audio/M/SOUND.MP3")],
    ["a longer life", change("expires", (now) => String(Number(now) + 1))],
    ["a shorter life", change("expires", (now) => String(Number(now) - 1))],
    ["an endless life", change("expires", () => "9".repeat(30))],
    ["a life that is no number", change("expires", () => "1e12")],
    ["a life below zero", change("expires", (now) => `-${now}`)],
    ["a life with a space", change("expires", (now) => ` ${now}`)],
    ["a life with a zero in front", change("expires", (now) => `0${now}`)],
    ["no life", (url) => url.searchParams.delete("expires")],
    ["no signature", (url) => url.searchParams.delete("signature")],
    ["an empty signature", change("signature", () => "")],
    ["a short signature", change("signature", (now) => now.slice(0, -2))],
    ["a long signature", change("signature", (now) => `${now}AAAA`)],
    ["another signature", change("signature", () => "A".repeat(43))],
    ["one letter", change("signature", (now) => (now[0] === "A" ? "B" : "A") + now.slice(1))],
    ["no query at all", (url) => Object.assign(url, { search: "" })],
    ["a broken escape", go("/media/course-audio/%E0%A4%A")],
  ];
  test.each(altered)("altered to %s is refused", async (_, alter) => {
    const url = new URL(site.signed(), site.url);
    alter(url);
    const response = await site.ask(url.pathname + url.search);
    expect(response.status).toBe(403);
    expect(await response.text()).toBe("");
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("of another file does not open this one with its own signature", async () => {
    const other = new URL(site.signed("m/none.mp3"), site.url);
    const response = await site.ask(`/media/course-audio/m/sound.mp3${other.search}`);
    expect(response.status).toBe(403);
  });

  test("is good for an hour and not a second longer", async () => {
    const ago = (seconds: number) => new Date(site.services.clock.now().getTime() - seconds * 1000);
    const at = async (seconds: number) =>
      (await site.ask(site.signed("m/sound.mp3", "course-audio", ago(seconds)))).status;
    // Near to the hour the test's own duration would count.
    expect(await at(3570)).toBe(200);
    expect(await at(3600)).toBe(403);
    expect(await at(3601)).toBe(403);
    expect(await at(1e6)).toBe(403);
    const address = site.signed();
    site.clock.forward(3601_000);
    expect((await site.ask(address)).status).toBe(403);
    site.clock.forward(-3601_000);
  });

  test("of another site's secret is refused", async () => {
    const other = await startSite();
    try {
      const { storage, clock } = other.services;
      const address = await storage.signedUrl("course-audio", "m/sound.mp3", clock.now());
      // Test sites on PostgreSQL share a secret; on SQLite each makes its own.
      const same = other.services.config.authSecret === site.services.config.authSecret;
      expect((await site.ask(address)).status).toBe(same ? 200 : 403);
    } finally {
      await other.close();
    }
  });

  test("takes no other method", async () => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
      const response = await site.ask(site.signed(), { method, body: "" });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });
});

describe("ways out of the folder", () => {
  /** Not an address at all, not signed, not there. */
  const refusals = [400, 403, 404];
  /** Byte for byte: no client tidies the path. */
  const raw = (way: string) => rawRequest(site.url, { path: way });

  test("lead nowhere, even when they are signed", async () => {
    const keys = [
      "../../private",
      "m/../../../private",
      "m/../../beside",
      "../beside",
      "../course-videos/m/film.mp4",
      "../../../../../../../../etc/passwd",
      "..\\..\\private",
      "m/..\\..\\..\\private",
      "%2e%2e/%2e%2e/private",
      "..%2f..%2fprivate",
      "....//....//private",
      "/etc/passwd",
      "//etc/passwd",
      "m",
      "m/",
      ".",
      "..",
      "",
      "/",
      "m/\0.mp3",
      "m/sound.mp3\0",
      "m/sound.mp3\0.mp4",
      "m/sound.mp3/",
      "m/./sound.mp3",
      "m//sound.mp3",
      `m/${"a".repeat(300)}.mp3`,
      `${"a/".repeat(2000)}a.mp3`,
    ];
    for (const key of keys) {
      const address = site.signed(key);
      for (const way of [
        address,
        address.replaceAll("%2F", "/"),
        address.replaceAll("..", "%2e%2e"),
        address.replaceAll("..", "%2E."),
        address.replaceAll("%5C", "\\"),
        address.replace("/m/", "/m%2f"),
      ]) {
        const answer = await raw(way);
        expect([way, refusals.includes(answer.status)]).toEqual([way, true]);
        expect(answer.body).not.toContain("secret-of-the-site");
        expect(answer.headers["accept-ranges"]).toBeUndefined();
      }
    }
  });

  test("lead nowhere beside a good signature", async () => {
    const { search } = new URL(site.signed(), site.url);
    const refused = [
      "/media/course-audio/../../private",
      "/media/course-audio/../../../private",
      "/media/course-audio/%2e%2e/%2e%2e/private",
      "/media/course-audio/%2e%2e%2f%2e%2e%2fprivate",
      "/media/course-audio/..%2f..%2fprivate",
      "/media/course-audio/%252e%252e%252f%252e%252e%252fprivate",
      "/media/course-audio/m%252fsound.mp3",
      "/media/course-audio/m%5csound.mp3",
      "/media/course-audio/m/sound.mp3%00",
      "/media/course-audio/m/sound.mp3%00.mp4",
      "/media/course-audio/%c0%ae%c0%ae/private",
      "/media/course-audio/m/sound%2emp3%20",
      `/media/course-audio/${"a".repeat(9000)}`,
      `/media/course-audio/${"%2e%2e/".repeat(1000)}etc/passwd`,
      "/media/..%2fcourse-audio/m/sound.mp3",
      "/media/./secrets/m/sound.mp3",
    ];
    for (const way of refused) {
      const answer = await raw(way + search);
      expect([way, refusals.includes(answer.status)]).toEqual([way, true]);
      expect(answer.body).not.toContain("secret-of-the-site");
    }
    // More than a request may be long; the connection itself refuses.
    const endless = await raw(`/media/course-audio/${"a".repeat(100_000)}${search}`);
    expect(endless.status).toBe(431);
  });

  test("other spellings of the same key are the same file, or refused", async () => {
    const { search } = new URL(site.signed(), site.url);
    for (const way of [
      "/media/course-audio/m/./sound.mp3",
      "/media/course-audio/m/x/../sound.mp3",
      "/media/course-videos/../course-audio/m/sound.mp3",
      "/media/course-audio/m/%73ound.mp3",
      "/media/course-audio/m%2fsound.mp3",
      "/media/course-audio/m\\sound.mp3",
    ]) {
      const answer = await raw(way + search);
      if (answer.status === 200)
        expect([way, answer.bytes.equals(site.bytes)]).toEqual([way, true]);
      else expect([way, refusals.includes(answer.status)]).toEqual([way, true]);
    }
  });

  test("a bucket that is none of the two has nothing, signed or not", async () => {
    for (const bucket of ["secrets", "parts", "..", ".", "course-audio%2f..", "COURSE-AUDIO"]) {
      const answer = await raw(site.signed("m/sound.mp3", bucket));
      expect([bucket, refusals.includes(answer.status)]).toEqual([bucket, true]);
    }
    expect((await site.ask(site.signed("m/gone.mp3"))).status).toBe(404);
  });
});
