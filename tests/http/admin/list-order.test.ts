import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCourse } from "../../support/courses.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";

let site: TestSite;
let coach: Person;

beforeAll(async () => {
  site = await startSite();
  coach = await createPerson(site.services, { role: "admin" });
});
afterAll(() => site.close());

const read = async (path: string) => (await site.ask(path, { as: coach })).text();

/** The words in the order in which they first stand in a page. */
const inOrder = (body: string, words: string[]) =>
  words
    .filter((word) => body.includes(word))
    .toSorted((one, other) => body.indexOf(one) - body.indexOf(other));

/** The address of the next page, from the page's own link. */
const nextOf = (body: string) =>
  body
    .match(/<a[^>]*rel="next"[^>]*>/)?.[0]
    .match(/href="([^"]*)"/)?.[1]
    ?.replaceAll("&amp;", "&");

describe("of the same number the older comes first, though its id is the younger one's", () => {
  const earlier = new Date("2026-01-01T00:00:00Z");

  test("lessons", async () => {
    const course = await createCourse(site.services, [
      [{ title: "Made second" }, { title: "Made first" }],
    ]);
    const [second, first] = course.modules[0]?.lessons ?? [];
    expect((second?.id ?? "") < (first?.id ?? "")).toBe(true);
    const { write } = site.services.db;
    await write
      .updateTable("lessons")
      .set({ orderNum: 4 })
      .where("moduleId", "=", second?.moduleId ?? "")
      .execute();
    await write
      .updateTable("lessons")
      .set({ createdAt: earlier })
      .where("id", "=", first?.id ?? "")
      .execute();
    const expected = ["Made first", "Made second"];
    const at = `course=${course.id}`;
    expect(inOrder(await read(`/admin/lessons?${at}`), expected)).toEqual(expected);
    const downwards = await read(`/admin/lessons?${at}&sort=-order`);
    expect(inOrder(downwards, expected)).toEqual(expected.toReversed());
    const file = await read(`/admin/export/lessons?${at}`);
    expect(inOrder(file, expected)).toEqual(expected);
  });

  test("modules", async () => {
    const course = await createCourse(site.services, [[], []]);
    const [second, first] = course.modules.map(({ id }) => id);
    const { write } = site.services.db;
    const modules = () => write.updateTable("modules");
    await modules().set({ orderNum: 2 }).where("productId", "=", course.id).execute();
    await modules()
      .set({ createdAt: earlier })
      .where("id", "=", first ?? "")
      .execute();
    const expected = [`/admin/modules/${first}`, `/admin/modules/${second}`];
    expect(inOrder(await read(`/admin/modules?course=${course.id}`), expected)).toEqual(expected);
  });
});

describe("looking for words", () => {
  test("finds a lesson by its own, its module's and its course's, in any capitals", async () => {
    const made = await createCourse(site.services, [[{ title: "ÜBER Wasser" }]], {
      title: "Ölberg",
    });
    await site.services.db.write
      .updateTable("modules")
      .set({ title: "Éclair" })
      .where("productId", "=", made.id)
      .execute();
    const other = await createCourse(site.services, [[{ title: "Something else" }]]);
    for (const words of ["über", "ÜBER WASSER", "éCLAIR", "öLB"]) {
      const body = await read(`/admin/lessons?q=${encodeURIComponent(words)}`);
      expect(body).toContain("ÜBER Wasser");
      expect(body).not.toContain("Something else");
    }
    for (const words of ["éclair", "öLBERG"])
      expect(await read(`/admin/modules?q=${encodeURIComponent(words)}`)).toContain("Éclair");
    const courses = await read(`/admin?q=${encodeURIComponent("ölberg")}`);
    expect(courses).toContain(made.id);
    expect(courses).not.toContain(other.id);
  });
});

test("all that was deleted in 30 days can be found, page by page, and brought back", async () => {
  const count = 120;
  const lessons = Array.from({ length: count }, (_, n) => ({
    title: `Gone ${n}.`,
    slug: `g-${n}`,
  }));
  const { modules } = await createCourse(site.services, [lessons]);
  // Some at the same moment, as one press deletes many.
  for (const [n, { id }] of (modules[0]?.lessons ?? []).entries())
    await site.services.db.write
      .updateTable("lessons")
      .set({ deletedAt: new Date(site.clock.now().getTime() - Math.floor(n / 3) * 1000) })
      .where("id", "=", id)
      .execute();
  const found: string[] = [];
  let last = "";
  let address: string | undefined = "/admin/courses/deleted";
  while (address) {
    last = address;
    const body = await read(address);
    found.push(
      ...[...body.matchAll(/aria-label="Restore (Gone \d+\.)"/g)].map(([, title]) => title ?? ""),
    );
    address = nextOf(body);
  }
  expect(found.toSorted()).toEqual(lessons.map(({ title }) => title).toSorted());
  const oldest = modules[0]?.lessons.at(-1)?.id ?? "";
  const restored = await site.ask(last, { as: coach, form: { kind: "lesson", id: oldest } });
  expect(restored.headers.get("location")).toBe(last);
  expect(await read("/admin/lessons?q=Gone")).toContain(`Gone ${count - 1}.`);
  // A place behind everything shows the beginning again, never an empty list.
  const end = Buffer.from(JSON.stringify(["after", "1999-01-01T00:00:00.000Z", "a"]));
  const body = await read(`/admin/courses/deleted?at=${end.toString("base64url")}`);
  expect(body).toContain("Restore Gone");
});

test("invitations of a deleted course wait for nobody", async () => {
  const course = await createCourse(site.services, []);
  await site.services.db.write
    .updateTable("products")
    .set({ active: true })
    .where("id", "=", course.id)
    .execute();
  const form = { intent: "invite", productId: course.id, email: "waits@example.org" };
  await site.ask("/admin/enrollments/invite", { as: coach, form });
  const leads = async () =>
    (await read("/admin/enrollments")).includes("Some invitations are waiting");
  expect(await leads()).toBe(true);
  await site.ask(`/admin/courses/${course.id}`, { as: coach, form: { intent: "delete" } });
  expect(await leads()).toBe(false);
});
