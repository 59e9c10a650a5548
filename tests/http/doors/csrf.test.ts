import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { actions, addressOf, authOperations } from "../../support/actions.ts";
import { patient } from "../../support/patient.ts";
import { rawRequest } from "../../support/raw-request.ts";
import { routeTable } from "../../support/route-table.ts";
import { startSite, type TestSite } from "../../support/site.ts";
import { wholeDatabase } from "../../support/whole-database.ts";
import { createWorld, type World } from "../../support/world.ts";

const appUrl = "https://grief.example";
let site: TestSite;
let world: World;
let cookies: string[];
let ids: string[];
beforeAll(async () => {
  site = await startSite({ APP_URL: appUrl, TRUSTED_PROXIES: "1" });
  world = await createWorld(site.services);
  const people = [await world.person("administrator"), await world.person("enrolled")];
  cookies = await Promise.all(
    people.map(async (person) => `__Host-${person ? await site.cookieOf(person) : ""}`),
  );
  const [module] = world.active.modules;
  ids = [world.active.id, module?.id, module?.lessons[0]?.id, world.leaving.id, world.other.id].map(
    (id) => id ?? "",
  );
  // What is still under way would change things while nobody does: letters, and the first key.
  await site.ask("/.well-known/jwks.json");
  await vi.waitFor(async () => expect(await dueWork()).toEqual([]), patient);
});
afterAll(() => site.close());

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
const open = new Set(["/api/webhooks/stripe", "/healthz"]);

/** One request with everything that a browser would take along for another site's page. */
async function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: Buffer | undefined,
) {
  const length: Record<string, string> = body ? { "content-length": String(body.length) } : {};
  const all = { host: "grief.example", ...headers, ...length };
  return (await rawRequest(site.url, { method, path, headers: all, ...(body ? { body } : {}) }))
    .status;
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
          const status = await send(method, path, all, Buffer.from(body));
          // What has no such method at all may say that instead; where no cookie counts, what is
          // sent is no good.
          const refusals = pattern === "/api/auth/token" ? [400, 403, 405] : [403, 405];
          expect([path, headers, refusals]).toEqual([
            path,
            headers,
            expect.arrayContaining([status]),
          ]);
        }
      }
      expect(await wholeDatabase(site.services)).toEqual(before);
    },
  );

  test("every method that changes something asks where it comes from", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "LINK"])
      expect([
        method,
        await send(method, "/auth/sign-out", { cookie: cookies[0] ?? "" }, undefined),
      ]).toEqual([method, 403]);
  });

  test("no header or field makes one method another", async () => {
    const before = await wholeDatabase(site.services);
    const names = ["x-http-method-override", "x-http-method", "x-method-override"];
    for (const cookie of cookies)
      for (const override of ["POST", "PUT", "DELETE", "PATCH"])
        for (const pattern of actions) {
          const path = addressOf(pattern, { slug: world.active.slug, id: ids[0] ?? "" });
          const headers = Object.fromEntries(names.map((name) => [name, override]));
          const status = await send(
            "GET",
            `${path}?_method=${override}&${form}`,
            { cookie, ...headers },
            undefined,
          );
          expect(status).toBeLessThan(500);
        }
    expect(await wholeDatabase(site.services)).toEqual(before);
  });
});

describe("reading changes nothing", () => {
  test.each(routeTable.map(({ pattern }) => pattern))("%s", async (pattern) => {
    const before = await wholeDatabase(site.services);
    for (const cookie of cookies)
      for (const id of pattern.includes(":id") ? ids : [""])
        for (const method of ["GET", "HEAD"]) {
          const path = addressOf(pattern, { slug: world.active.slug, id });
          const status = await send(
            method,
            `${path}?token=x&lesson=open&intent=delete`,
            { cookie },
            undefined,
          );
          expect(status).toBeLessThan(500);
        }
    const after = await wholeDatabase(site.services);
    // Who took a list along is written down.
    if (pattern === "/admin/export/:list") delete after.audit_entries;
    expect({ ...before, ...after }).toEqual(before);
  });
});
