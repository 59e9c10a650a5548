import { beforeAll, describe, expect, test, vi } from "vitest";
import { actions, addressOf, authOperations } from "../../support/actions.ts";
import { patient } from "../../support/patient.ts";
import { rawRequest } from "../../support/raw-request.ts";
import { routeTable } from "../../support/route-table.ts";
import { siteOfFile, startSite } from "../../support/site.ts";
import { wholeDatabase } from "../../support/whole-database.ts";
import { createWorld, type World } from "../../support/world.ts";

const appUrl = "https://grief.example";
const site = siteOfFile({ APP_URL: appUrl });
let world: World;
let cookies: string[];
let ids: string[];
beforeAll(async () => {
  world = await createWorld(site.services);
  const people = [await world.person("administrator"), await world.person("enrolled")];
  cookies = await Promise.all(
    people.map(async (person) => `__Host-${person ? await site.cookieOf(person) : ""}`),
  );
  const [module] = world.active.modules;
  ids = [world.active.id, module?.id, module?.lessons[0]?.id, world.leaving.id, world.other.id].map(
    (id) => id ?? "",
  );
  // What is still under way would change things while no one does: emails, and the first key.
  await site.ask("/.well-known/jwks.json");
  await vi.waitFor(async () => expect(await dueWork()).toEqual([]), patient);
});

const dueWork = () =>
  site.services.db.read
    .selectFrom("outbox")
    .select("kind")
    .where("finishedAt", "is", null)
    .where("failedAt", "is", null)
    .where("dueAt", "<=", site.services.clock.now())
    .execute();

/** What browsers say of a page that is not ours, or do not say. */
const foreign: Record<string, string>[] = [
  {},
  { origin: "https://evil.example" },
  { origin: "null" },
  { origin: "" },
  { origin: "x" },
  { origin: "https://grief.example:8443" },
  { origin: "http://grief.example" },
  { origin: "https://www.grief.example" },
  { origin: "https://grief.example.evil.example" },
  { origin: "https://evil.example", referer: "https://grief.example/auth" },
  { referer: "https://grief.example/auth" },
  { origin: "https://grief.example, https://evil.example" },
  { origin: "https://GRIEF.example.evil.example", host: "grief.example.evil.example" },
  { origin: "https://evil.example", host: "evil.example" },
  { origin: appUrl, "sec-fetch-site": "cross-site" },
  { origin: appUrl, "sec-fetch-site": "same-site" },
];
const form = "title=Eve&name=Eve&email=eve%40example.com&password=Correct-horse-9&intent=delete";
const bodies: [string, string][] = [
  ["application/x-www-form-urlencoded", form],
  ["text/plain", '{"name":"Eve","email":"eve@example.com","password":"Correct-horse-9"}'],
];
// Who sends there says who she is in another way, or changes nothing.
const open = new Set(["/api/webhooks/stripe", "/api/webhooks/mail/:provider", "/healthz"]);

/** One request with everything that a browser would take along for another site's page. */
async function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  text?: string,
): Promise<number> {
  const body = text === undefined ? {} : { body: Buffer.from(text) };
  const length = body.body && { "content-length": String(body.body.length) };
  const all = { host: "grief.example", ...headers, ...length };
  return (await rawRequest(site.url, { method, path, headers: all, ...body })).status;
}

describe("another site's page changes nothing", () => {
  test("there are addresses to try", () => expect(actions.length).toBeGreaterThan(30));

  test.each([...new Set([...actions, ...authOperations])].filter((pattern) => !open.has(pattern)))(
    "%s",
    async (pattern) => {
      const before = await wholeDatabase(site.services);
      for (const id of pattern.includes(":id") ? ids : [""]) {
        const path = addressOf(pattern, { slug: world.active.slug, id });
        for (const [at, headers] of foreign.entries()) {
          const [type, body] = bodies[at % bodies.length] ?? ["", ""];
          const cookie = cookies[at % 2] ?? "";
          const method = at % 5 === 4 ? "PUT" : "POST";
          const all = { cookie, "content-type": type, ...headers };
          const status = await send(method, path, all, body);
          // What has no such method at all may say that instead; where no cookie counts, what is
          // sent is no good.
          const refusals = pattern === "/api/auth/token" ? [400, 403, 405] : [403, 405];
          expect(refusals, `${path} ${JSON.stringify(headers)}`).toContain(status);
        }
      }
      expect(await wholeDatabase(site.services)).toEqual(before);
    },
  );

  test("every method that changes something asks where it comes from", async () => {
    const headers = { cookie: cookies[0] ?? "" };
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "LINK"])
      expect(await send(method, "/auth/sign-out", headers), method).toBe(403);
  });

  test("no header or field makes one method another", async () => {
    const pathOf = (pattern: string) =>
      addressOf(pattern, { slug: world.active.slug, id: ids[0] ?? "" });
    // A lesson that is opened for the first time is noted.
    for (const cookie of cookies)
      for (const pattern of actions) await send("GET", pathOf(pattern), { cookie });
    const before = await wholeDatabase(site.services);
    const names = ["x-http-method-override", "x-http-method", "x-method-override"];
    for (const cookie of cookies)
      for (const override of ["POST", "PUT", "DELETE", "PATCH"])
        for (const pattern of actions) {
          const headers = Object.fromEntries(names.map((name) => [name, override]));
          const address = `${pathOf(pattern)}?_method=${override}&${form}`;
          expect(await send("GET", address, { cookie, ...headers })).toBeLessThan(500);
        }
    expect(await wholeDatabase(site.services)).toEqual(before);
  });
});

describe("the site's own pages may send forms", () => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const sendFrom = async (url: string, host: string, origin: string) => {
    const body = Buffer.from("a=b");
    const all = { ...headers, host, origin, "content-length": "3" };
    const asked = { path: "/newsletter", method: "POST", headers: all, body };
    return (await rawRequest(url, asked)).status;
  };

  test.each(["grief.example", "10.0.0.7:3000"])("with https, by the name %s inside", async (host) =>
    expect(await sendFrom(site.url, host, appUrl)).toBe(400),
  );

  test("without https, by each name by which they are opened", async () => {
    const plain = await startSite();
    const { port } = plain.services.config;
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`])
      expect(await sendFrom(plain.url, host, `http://${host}`)).toBe(400);
    expect(await sendFrom(plain.url, `localhost:${port}`, "http://localhost:1")).toBe(403);
    await plain.close();
  });
});

describe("reading changes nothing", () => {
  test.each(routeTable.map(({ pattern }) => pattern))("%s", async (pattern) => {
    const before = await wholeDatabase(site.services);
    for (const cookie of cookies)
      for (const id of pattern.includes(":id") ? ids : [""])
        for (const method of ["GET", "HEAD"]) {
          const path = addressOf(pattern, { slug: world.active.slug, id });
          const address = `${path}?token=x&lesson=open&intent=delete`;
          expect(await send(method, address, { cookie })).toBeLessThan(500);
        }
    const after = await wholeDatabase(site.services);
    // Who took a list along is written down.
    if (pattern === "/admin/export/:list") delete after.audit_entries;
    expect({ ...before, ...after }).toEqual(before);
  });
});
