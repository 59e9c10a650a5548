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

async function ask(question: Record<string, string>) {
  const response = await site.ask(`/admin/slug?${new URLSearchParams(question)}`, { as: coach });
  expect(response.status).toBe(200);
  return (await response.json()) as object;
}

describe("a slug made from a title", () => {
  test.each([
    ["Grief & sleep", "grief-and-sleep"],
    ["  Müde?  Ça va! ", "muede-ca-va"],
    ["Żółć", "zolc"],
    ["💙", "course"],
    ["", "course"],
    ["a".repeat(400), "a".repeat(100)],
  ])("%s", async (title, slug) => {
    expect(await ask({ kind: "course", title })).toEqual({
      slug,
      free: true,
      proposal: slug,
      problem: null,
    });
  });

  test("is a free one", async () => {
    await createCourse(site.services, [], { slug: "first-days" });
    await createCourse(site.services, [], { slug: "first-days-2" });
    const answer = await ask({ kind: "course", title: "First days" });
    expect(answer).toMatchObject({ slug: "first-days", free: false, proposal: "first-days-3" });
  });

  test("a deleted course's slug is free", async () => {
    const { id } = await createCourse(site.services, [], { slug: "gone" });
    await site.services.db.write
      .updateTable("products")
      .set({ deletedAt: site.clock.now() })
      .where("id", "=", id)
      .execute();
    expect(await ask({ kind: "course", title: "Gone" })).toMatchObject({ free: true });
  });
});

describe("a slug as it is typed", () => {
  test("taken, and its own", async () => {
    const { id } = await createCourse(site.services, [], { slug: "mine" });
    expect(await ask({ kind: "course", slug: "mine" })).toEqual({
      slug: "mine",
      free: false,
      proposal: "mine-2",
      problem: "taken",
    });
    expect(await ask({ kind: "course", slug: "mine", id })).toMatchObject({ free: true });
  });

  test.each(["Hello World", "a--b", "-a", "a/b", "a%", "ä"])("%s is no slug", async (slug) => {
    const answer = await ask({ kind: "course", slug });
    expect(answer).toMatchObject({ slug, free: false, problem: "invalid" });
    expect(answer).toHaveProperty("proposal", expect.stringMatching(/^[a-z0-9-]+$/));
  });

  test("lessons: within their module", async () => {
    const { modules } = await createCourse(site.services, [[{ slug: "water" }], []]);
    const [first, second] = modules.map(({ id }) => id) as [string, string];
    const lesson = { kind: "lesson", slug: "water" };
    expect(await ask({ ...lesson, moduleId: first })).toMatchObject({ proposal: "water-2" });
    expect(await ask({ ...lesson, moduleId: second })).toMatchObject({ free: true });
    expect(await ask({ ...lesson, moduleId: "none" })).toMatchObject({ free: true });
    expect(await ask({ kind: "lesson", title: "" })).toMatchObject({ slug: "lesson" });
  });
});
