import { beforeEach, expect, test, vi } from "vitest";
import type { Services } from "~/platform/http/services.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { openSite } from "../../../build/server/index.js";
import { testConfig } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { adminOfFile } from "../../support/people-of-tests.ts";
import { siteOfFile } from "../../support/site.ts";

const site = siteOfFile();
const admin = adminOfFile(site);
let course: { id: string; slug: string };

beforeEach(async () => {
  course = await createCourse(site.services, [[{}]]);
});

const shows = async (address: string, text: string, at = site.url) =>
  (await (await fetch(new URL(address, at))).text()).includes(text);
const change = ({ db }: Services, values: { title?: string; deletedAt?: Date }) =>
  db.write.updateTable("products").set(values).where("id", "=", course.id).execute();
/** A form of an admin that changes nothing by itself: the change was made before it. */
const send = async () =>
  expect((await site.ask("/courses/none", { as: admin, form: {} })).status).toBe(404);
/** Five seconds are promised of a machine that has time; this one may be busy with other tests. */
const until = (check: () => Promise<boolean>) =>
  vi.waitFor(async () => expect(await check()).toBe(true), { timeout: 15_000, interval: 50 });

test("a change: is on every page when an admin's request is answered, with many visitors there", {
  timeout: 120_000,
}, async () => {
  let asking = true;
  async function visitor(): Promise<number> {
    let count = 0;
    for (; asking; count += 1) {
      const response = await site.ask("/courses");
      expect(response.status).toBe(200);
      await response.text();
    }
    return count;
  }
  const visitors = Array.from({ length: 8 }, visitor);
  const gone = Promise.allSettled(visitors);
  try {
    for (let round = 0; round < 40; round += 1) {
      const title = `Busy round ${round}.`;
      await change(site.services, { title });
      await send();
      const pages = ["/courses", "/courses", `/courses/${course.slug}`];
      const answers = await Promise.all(pages.map((page) => shows(page, title)));
      expect(answers).toEqual([true, true, true]);
    }
  } finally {
    asking = false;
    await gone;
  }
  for (const count of await Promise.all(visitors)) expect(count).toBeGreaterThan(40);
});

test("a changed page: has another tag, an unchanged one its own, and a deleted course is gone", async () => {
  await send();
  const address = `/courses/${course.slug}`;
  const tags = async () =>
    Promise.all(
      [address, "/terms"].map(async (page) => (await site.ask(page)).headers.get("etag")),
    );
  const before = await tags();
  await change(site.services, { title: "Another title" });
  await send();
  const after = await tags();
  expect(after[0]).not.toBe(before[0]);
  expect(after[1]).toBe(before[1]);

  expect(await shows("/courses", course.slug)).toBe(true);
  await change(site.services, { deletedAt: new Date() });
  await send();
  expect(await shows("/courses", course.slug)).toBe(false);
  expect((await site.ask(address)).status).toBe(404);
});

test("a change by another program: is seen within five seconds", async () => {
  const { databaseUrl, dataDir, authSecret } = site.services.config;
  const other = await openServices({ ...(await testConfig(databaseUrl)), dataDir, authSecret });
  expect(await shows("/courses", "Changed by a command")).toBe(false);
  await change(other, { title: "Changed by a command" });
  await until(() => shows("/courses", "Changed by a command"));
  await closeServices(other);
});

test.runIf(process.env.TEST_DATABASE_URL)(
  "a change on another machine: is seen within five seconds, both ways",
  { timeout: 60_000 },
  async () => {
    const other = await openSite(await testConfig(site.services.config.databaseUrl));
    expect(await shows("/courses", "Changed here", other.url)).toBe(false);
    await change(site.services, { title: "Changed here" });
    await send();
    expect(await shows("/courses", "Changed here")).toBe(true);
    await until(() => shows("/courses", "Changed here", other.url));
    await change(other.services, { title: "Changed there" });
    await until(() => shows("/courses", "Changed there"));
    await other.close();
  },
);
