import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createCourse } from "../../support/courses.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";

let site: TestSite;
let person: Person;

beforeAll(async () => {
  site = await startSite();
  person = await createPerson(site.services, { name: "Ada Student" });
});
afterAll(() => site.close());

let address: string;
/** A page that nobody has asked for yet. */
beforeEach(async () => {
  address = `/courses/${(await createCourse(site.services, [])).slug}`;
});

const toast = { title: "Only for you", tone: "success" };
const toastCookie = `toast=${encodeURIComponent(JSON.stringify(toast))}`;
const withCookie = (cookie: string) => ({ headers: { cookie } });

async function ask(...asking: Parameters<TestSite["ask"]>) {
  const response = await site.ask(...asking);
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** Which of the header's two links is shown: that of somebody signed in or out. */
const session = (body: string) => /<html[^>]* data-session="(\w+)"/.exec(body)?.[1];

function expectPersonal({ status, headers }: Awaited<ReturnType<typeof ask>>) {
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toBe("private, no-store");
  expect(headers.get("etag")).toBeNull();
}
function expectForEverybody({ status, headers, body }: Awaited<ReturnType<typeof ask>>) {
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toMatch(/^public/);
  expect(headers.getSetCookie()).toEqual([]);
  expect(session(body)).toBe("out");
  expect(/Ada Student|Only for you/.test(body)).toBe(false);
}

describe("somebody who is signed in", () => {
  test("gets her own page, before anybody else and after", async () => {
    for (let round = 0; round < 2; round += 1) {
      const own = await ask(address, { as: person });
      expectPersonal(own);
      expect(session(own.body)).toBe("in");
      expectForEverybody(await ask(address));
    }
  });

  test("is not told that the page of before is still good", async () => {
    const tag = (await ask(address)).headers.get("etag") ?? "";
    for (const asked of [tag, "*"])
      expectPersonal(await ask(address, { as: person, headers: { "if-none-match": asked } }));
  });

  test("by HEAD, too", async () => {
    await ask(address);
    const head = await ask(address, { as: person, method: "HEAD" });
    expectPersonal(head);
  });

  test("keeps her page out of a burst", async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => ask(address, n % 3 === 0 ? { as: person } : {})),
    );
    for (const [n, answer] of answers.entries())
      if (n % 3 === 0) expectPersonal(answer);
      else expectForEverybody(answer);
    expectForEverybody(await ask(address));
  });
});

test.each(["blue-dot.session_token=x.y", "blue-dot.session_token=", "tz=UTC; toast=nonsense"])(
  "with %s the page is rendered for whoever asks, although nobody is signed in",
  async (cookie) => {
    await ask(address);
    const own = await ask(address, withCookie(cookie));
    expectPersonal(own);
    expect(session(own.body)).toBe("out");
    expectForEverybody(await ask(address));
  },
);

test("a toast is shown once, to its reader only, and takes its cookie away", async () => {
  for (let round = 0; round < 2; round += 1) {
    const own = await ask(address, withCookie(`tz=UTC; ${toastCookie}`));
    expectPersonal(own);
    expect(own.body.includes("Only for you")).toBe(true);
    expect(own.headers.getSetCookie()).toEqual([expect.stringMatching(/^toast=; Max-Age=0/)]);
    expectForEverybody(await ask(address));
  }
});

test("an answer to a form is nobody else's", async () => {
  const course = address.slice("/courses/".length);
  const answer = await ask(`/courses/${course}`, { form: {} });
  expect(answer.status).toBe(303);
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  expectForEverybody(await ask(address));
});

test.each(["/robots.txt", "/sitemap.xml", "/site.webmanifest", "/speculation-rules.json"])(
  "a session that is prolonged while %s is read stays its owner's",
  async (file) => {
    expect((await ask(file)).headers.get("cache-control")).toMatch(/^public/);
    const cookie = await site.cookieOf(person);
    const soon = new Date(Date.now() + 24 * 3600_000);
    await site.services.db.write.updateTable("sessions").set({ expiresAt: soon }).execute();
    const { headers } = await ask(file, withCookie(cookie));
    expect(headers.getSetCookie()).toEqual([
      expect.stringContaining("session_token="),
      expect.stringContaining("device="),
    ]);
    expect(headers.get("cache-control")).toBe("private, no-store");
  },
);

test("data for scripts is kept by nobody", async () => {
  for (let round = 0; round < 2; round += 1) {
    const { headers } = await ask(`${address}.data`);
    expect(headers.get("cache-control")).toMatch(/^private/);
    expect(headers.get("etag")).toBeNull();
  }
});

test("an inactive course is seen by administrators only, whoever asks first", async () => {
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
