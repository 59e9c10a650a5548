import { beforeAll, beforeEach, expect, test } from "vitest";
import { createCourse } from "../../support/courses.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { siteOfFile, type TestSite } from "../../support/site.ts";

const site = siteOfFile();
let person: Person;

beforeAll(async () => {
  person = await createPerson(site.services, { name: "Ada Student" });
});

let address: string;
/** A page that is not cached yet. */
beforeEach(async () => {
  address = `/courses/${(await createCourse(site.services, [])).slug}`;
});

const toastCookie = `tz=UTC; toast=${encodeURIComponent(JSON.stringify({ title: "Only for you" }))}`;

async function ask(...asking: Parameters<TestSite["ask"]>) {
  const response = await site.ask(...asking);
  return { status: response.status, headers: response.headers, body: await response.text() };
}
type Answer = Awaited<ReturnType<typeof ask>>;

/** Which of the header's two links is shown: that of a signed-in user or of a visitor. */
const session = (body: string) => /<html[^>]* data-session="(\w+)"/.exec(body)?.[1];

function expectPersonal({ status, headers }: Answer) {
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toBe("private, no-store");
  expect(headers.get("etag")).toBeNull();
}
function expectShared({ status, headers, body }: Answer) {
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toMatch(/^public/);
  expect(headers.getSetCookie()).toEqual([]);
  expect(session(body)).toBe("out");
  expect(body).not.toMatch(/Ada Student|Only for you/);
}

test("a signed-in user: gets a page of their own, cold, cached, by HEAD, and in a burst", async () => {
  for (let round = 0; round < 2; round += 1) {
    const own = await ask(address, { as: person });
    expectPersonal(own);
    expect(session(own.body)).toBe("in");
    expectShared(await ask(address));
  }
  expectPersonal(await ask(address, { as: person, method: "HEAD" }));
  const tag = (await ask(address)).headers.get("etag") ?? "";
  for (const asked of [tag, "*"])
    expectPersonal(await ask(address, { as: person, headers: { "if-none-match": asked } }));

  const other = `/courses/${(await createCourse(site.services, [])).slug}`;
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => ask(other, n % 3 === 0 ? { as: person } : {})),
  );
  for (const [n, answer] of answers.entries())
    if (n % 3 === 0) expectPersonal(answer);
    else expectShared(answer);
});

test.each(["blue-dot.session_token=x.y", "blue-dot.session_token=", "tz=UTC; toast=nonsense"])(
  "with %s: the page is rendered for its reader, although nobody is signed in",
  async (cookie) => {
    await ask(address);
    const own = await ask(address, { headers: { cookie } });
    expectPersonal(own);
    expect(session(own.body)).toBe("out");
    expectShared(await ask(address));
  },
);

test("a toast: is shown to its reader only, and takes its cookie away", async () => {
  for (let round = 0; round < 2; round += 1) {
    const own = await ask(address, { headers: { cookie: toastCookie } });
    expectPersonal(own);
    expect(own.body).toContain("Only for you");
    expect(own.headers.getSetCookie()).toEqual([expect.stringMatching(/^toast=; Max-Age=0/)]);
    expectShared(await ask(address));
  }
});

test("POST, and data for scripts: cached nowhere", async () => {
  const answer = await ask(address, { form: {} });
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([303, "private, no-store"]);
  for (let round = 0; round < 2; round += 1) {
    const { headers } = await ask(`${address}.data`);
    expect(headers.get("cache-control")).toMatch(/^private/);
    expect(headers.get("etag")).toBeNull();
  }
  expectShared(await ask(address));
});

test.each(["/robots.txt", "/sitemap.xml", "/site.webmanifest", "/speculation-rules.json"])(
  "a session that is prolonged by GET %s: stays its owner's",
  async (file) => {
    expect((await ask(file)).headers.get("cache-control")).toMatch(/^public/);
    const cookie = await site.cookieOf(person);
    const soon = new Date(Date.now() + 24 * 3600_000);
    await site.services.db.write.updateTable("sessions").set({ expiresAt: soon }).execute();
    const { headers } = await ask(file, { headers: { cookie } });
    expect(headers.getSetCookie()).toEqual([
      expect.stringContaining("session_token="),
      expect.stringContaining("device="),
    ]);
    expect(headers.get("cache-control")).toBe("private, no-store");
  },
);

test("an inactive course: is seen by admins only, no matter who asks first", async () => {
  const slug = address.slice("/courses/".length);
  const admin = await createPerson(site.services, { role: "admin" });
  await ask(address);
  const { write } = site.services.db;
  await write.updateTable("products").set({ active: false }).where("slug", "=", slug).execute();
  await ask("/auth/sign-out", { as: admin, form: {} });
  expect((await ask(address, { as: admin })).status).toBe(200);
  expect((await ask(address)).status).toBe(404);
  expect((await ask(address, { as: person })).status).toBe(404);
});
