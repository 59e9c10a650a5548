import { describe, expect, test } from "vitest";
import { createCourse } from "../../support/courses.ts";
import { createPerson } from "../../support/people.ts";
import { rawSocket, request } from "../../support/raw-socket.ts";
import { expectSecurityHeaders } from "../../support/security-headers.ts";
import { siteOfFile } from "../../support/site.ts";
import { beginUpload, filmOf } from "../../support/uploads.ts";

const appUrl = "https://grief.example";
const Host = "grief.example";
const form = { Host, Origin: appUrl, "Content-Type": "application/x-www-form-urlencoded" };
const long = { ...form, "Content-Length": "1000" };
const drops = { part: "a", everyMs: 50 };
const patience = { toTheEnd: true, drops, patienceMs: 25_000 };
const times = { headMs: 1000, bodyMs: 1000, silenceMs: 60_000 };
const site = siteOfFile({ APP_URL: appUrl }, times);

const slow: [string, string][] = [
  ["a head that never ends", "GET / HTTP/1.1\r\nHost: grief.example\r\nX: "],
  ["a first line that never ends", "GET /"],
  ["a form that never ends", request("POST /newsletter HTTP/1.1", long, "a=")],
  ["a form to the library that never ends", request("POST /api/auth/sign-in/email HTTP/1.1", long)],
  ["a webhook that never ends", request("POST /api/webhooks/stripe HTTP/1.1", long)],
];

describe("a client that sends byte by byte", () => {
  test.each(slow)("%s gets 408, and its connection is closed", async (what, bytes) => {
    const answer = await rawSocket(site.url, bytes, patience);
    expect([what, answer.status, answer.closed]).toEqual([what, 408, true]);
    expectSecurityHeaders(answer.headers, what);
  });

  test("a body that is not wanted holds the connection no longer", async () => {
    const refused = request("POST /about HTTP/1.1", { ...long, Origin: "https://evil.example" });
    const answer = await rawSocket(site.url, refused, patience);
    expect([answer.status, answer.closed]).toEqual([403, true]);
  });

  test("a connection on which nothing comes is ended", async () => {
    const answer = await rawSocket(site.url, "", { toTheEnd: true, patienceMs: 25_000 });
    expect([answer.status, answer.closed]).toEqual([408, true]);
  });

  test("hundreds of them take nothing from the others", async () => {
    const all = Array.from({ length: 300 }, (_, n) => {
      const [, bytes = ""] = slow[n % slow.length] ?? [];
      return rawSocket(site.url, bytes, patience);
    });
    for (let n = 0; n < 20; n += 1) {
      expect((await site.ask("/healthz")).status).toBe(200);
      expect((await site.ask("/courses")).status).toBe(200);
    }
    for (const { closed } of await Promise.all(all)) expect(closed).toBe(true);
  });
});

test("a video on a slow line is not broken off", async () => {
  const as = await createPerson(site.services, { role: "admin" });
  const course = await createCourse(site.services, [[{}]]);
  const cookie = `__Host-${await site.cookieOf(as)}`;
  const to = { url: site.url, cookie, origin: appUrl, moduleId: course.modules[0]?.id ?? "" };
  const film = filmOf(20_000);
  const made = await beginUpload(to, film.length);
  const address = new URL(made.headers.get("location") ?? "", appUrl).pathname;
  const head = request(`PATCH ${address} HTTP/1.1`, {
    ...{ Host, Origin: appUrl, "Tus-Resumable": "1.0.0", "Upload-Offset": "0" },
    ...{ "Content-Type": "application/offset+octet-stream", Cookie: cookie },
    "Content-Length": String(film.length),
  });
  // Two seconds and a half, where a form has one.
  const bytes = film.toString("latin1");
  const parts = Array.from({ length: 50 }, (_, n) => bytes.slice(n * 400, (n + 1) * 400));
  const part = () => Buffer.from(parts.shift() ?? "", "latin1");
  const answer = await rawSocket(site.url, head, { drops: { part, everyMs: 50 } });
  expect([made.status, answer.status]).toEqual([201, 204]);
});
