import { connect } from "node:net";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { hasTooManyParts } from "~/platform/http/body.ts";
import { patient } from "../../support/patient.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { rawRequest } from "../../support/raw-request.ts";
import { routeTable } from "../../support/route-table.ts";
import { siteOfFile } from "../../support/site.ts";

const form = "application/x-www-form-urlencoded";
const multipart = "multipart/form-data; boundary=x";
const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';

const site = siteOfFile();
let people: { student: Person; coach: Person };
beforeAll(async () => {
  people = {
    student: await createPerson(site.services),
    coach: await createPerson(site.services, { role: "admin" }),
  };
});

/** Every page and every operation, with something in place of each parameter. */
const paths = [
  ...routeTable.map(({ pattern }) => pattern.replace(/[:*]\w*\??/g, "1")),
  ...["/api/auth/sign-in/email", "/api/auth/sign-up/email", "/api/create-checkout"],
];

describe("every address", () => {
  const shapes: [string, string, string][] = [
    ["pairs", form, "a&".repeat(300)],
    ["parts", multipart, part.repeat(300)],
    ["arrays", "application/json", "[".repeat(3000)],
  ];
  test.each(shapes)("refuses a body of too many %s before it is parsed", async (_, type, body) => {
    for (const path of paths)
      for (const as of [null, people.student, people.coach]) {
        const headers = { "content-type": type };
        const { status } = await site.ask(path, { as, method: "POST", body, headers });
        expect([path, status]).toEqual([path, 413]);
      }
  });

  test("refuses a stranger's body over 64 KiB before it is read", async () => {
    for (const path of paths) {
      const headers = { origin: site.services.config.appUrl, "content-length": "65537" };
      const answer = await rawRequest(site.url, { method: "POST", path, headers });
      expect([path, answer.status]).toEqual([path, 413]);
    }
  });
});

describe("the journal", () => {
  const path = "/courses/any/learn";
  const announced = async (as: Person, bytes: number) =>
    rawRequest(site.url, {
      method: "POST",
      path,
      headers: {
        cookie: await site.cookieOf(as),
        origin: site.services.config.appUrl,
        "content-type": form,
        "content-length": String(bytes),
      },
    });

  test("takes 4 MiB of a student, and tells a stranger to sign in again", async () => {
    expect((await announced(people.student, 4 * 1024 * 1024 + 1)).status).toBe(413);
    const body = `answer=${"a".repeat(4 * 1024 * 1024 - 7)}`;
    const headers = { "content-type": form };
    const taken = await site.ask(path, { as: people.student, method: "POST", body, headers });
    expect(await taken.text()).not.toContain("That is too much at once");
    const stranger = await site.ask(path, { method: "POST", body, headers });
    expect([stranger.status, await stranger.text()]).toEqual([
      413,
      expect.stringContaining("sign in again in another tab"),
    ]);
  });

  test("takes two long texts of one student at once, and the third a little later", async () => {
    const cookie = await site.cookieOf(people.student);
    const { origin, port } = { origin: site.services.config.appUrl, port: new URL(site.url).port };
    const slow = () => {
      const socket = connect(Number(port), "127.0.0.1");
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nOrigin: ${origin}\r\nCookie: ${cookie}\r\nContent-Type: ${form}\r\nContent-Length: 100000\r\n\r\na=`,
      );
      return socket;
    };
    let sockets = [slow(), slow()];
    const body = `answer=${"a".repeat(100_000)}`;
    const headers = { "content-type": form };
    const send = () => site.ask(path, { as: people.student, method: "POST", body, headers });
    await vi.waitFor(async () => {
      // One that came while two others were being read has been refused.
      sockets = sockets.map((socket) => (socket.bytesRead > 0 ? slow() : socket));
      expect((await send()).status).toBe(503);
    }, patient);
    const refused = await send();
    expect(refused.headers.get("retry-after")).toBe("10");
    expect(await refused.text()).toContain("back button brings back what you wrote");
    const other = { as: people.coach, method: "POST", body, headers };
    expect((await site.ask(path, other)).status).not.toBe(503);
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(async () => expect((await send()).status).not.toBe(503), patient);
  });
});

const inParts = (value: string) =>
  `--x\r\nContent-Disposition: form-data; name="email"\r\n\r\n${value}\r\n--x--\r\n`;
test.each([
  ["spaces of a form, written as pluses", form, "email=maria%2Bnews+letter"],
  ["pluses of a multipart form", multipart, inParts("maria+news letter")],
])("%s arrive as they were meant", async (_, type, body) => {
  const answer = await site.ask("/newsletter", {
    method: "POST",
    body,
    headers: { "content-type": type },
  });
  expect(await answer.text()).toContain('value="maria+news letter"');
});

describe("hasTooManyParts", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  test.each<[string, string, string, boolean]>([
    ["100 answers with their questions", form, "question=a&answer=b&".repeat(100), false],
    ["300 pairs", form, "a=b&".repeat(300), true],
    [
      "the type in capitals",
      "APPLICATION/X-WWW-FORM-URLENCODED; charset=utf-8",
      "&".repeat(300),
      true,
    ],
    ["300 parts", multipart, part.repeat(300), true],
    [
      "a boundary in quotation marks",
      'multipart/form-data; boundary="a b"',
      "--a b".repeat(300),
      true,
    ],
    ["no boundary", "multipart/form-data", "--".repeat(300), true],
    ["brackets in a text", "application/json", JSON.stringify({ a: "[{,:".repeat(1000) }), false],
    [
      "quotation marks in a text",
      "application/json",
      JSON.stringify({ a: '"[\\'.repeat(1000) }),
      false,
    ],
    ["brackets behind a text", "application/json", `"\\\\"${"[".repeat(3000)}`, true],
    ["a type of its own", "text/plain", "{".repeat(3000), true],
    ["nothing", form, "", false],
  ])("%s", (_, type, body, expected) => {
    expect(hasTooManyParts(bytes(body), type)).toBe(expected);
  });
});
