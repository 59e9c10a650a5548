import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { boxes, hidden, readable } from "../../support/answers.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { lessonRow, updateByForm } from "../../support/lessons.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";

let site: TestSite;
let admin: Person;
let course: TestCourse;

beforeAll(async () => {
  site = await startSite();
  admin = await createPerson(site.services, { role: "admin" });
});
afterAll(() => site.close());
beforeEach(async () => {
  course = await createCourse(site.services, [[{}]]);
});

const id = () => course.modules[0]?.lessons[0]?.id ?? "";
const save = (fields: Parameters<typeof updateByForm>[3]) =>
  updateByForm(site, admin, id(), fields);

describe("a lesson that was changed since it was opened", () => {
  test("is not overwritten: both versions come back, and saving again is a choice", async () => {
    await save({ title: "Theirs", content: "Their words.", revision: "1" });
    const response = await save({ title: "Mine", content: "My words.", revision: "1" });
    expect(response.status).toBe(409);
    const html = await response.text();
    const text = readable(html);
    expect(boxes(html)).toContain("My words.");
    expect(text).toContain("Their words.");
    expect(text).toContain("Changed elsewhere");
    for (const name of ["Title", "Text"]) expect(html).toContain(`Take theirs: ${name}`);
    expect(html).not.toContain("Take theirs: Module");
    expect(await lessonRow(site.services, id())).toMatchObject({ title: "Theirs", revision: 2 });
    expect(hidden(html, "revision")).toEqual(["2"]);
    expect((await save({ title: "Mine", content: "My words.", revision: "2" })).status).toBe(303);
    expect(await lessonRow(site.services, id())).toMatchObject({ title: "Mine", revision: 3 });
  });

  test.each(["", "0", "x", "-1", "1e9", "99999999999"])(
    "by whoever does not say what she started from (%j): refused as well",
    async (revision) => {
      await save({ title: "Theirs" });
      const response = await save({ title: "Mine", revision });
      expect(response.status).toBe(409);
    },
  );

  test("the very same words are no conflict", async () => {
    await save({ title: "The same", revision: "1" });
    expect((await save({ title: "The same", revision: "1" })).status).toBe(303);
  });
});

test("of many saves at once exactly one wins, and the others are told", async () => {
  const titles = Array.from({ length: 6 }, (_, at) => `Title ${at}`);
  const answers = await Promise.all(titles.map((title) => save({ title, revision: "1" })));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([303, 409, 409, 409, 409, 409]);
  const won = titles[answers.findIndex(({ status }) => status === 303)];
  expect(await lessonRow(site.services, id())).toMatchObject({ title: won, revision: 2 });
});

test("somebody else who has signed in on the same browser saves nothing in her name", async () => {
  const other = await createPerson(site.services, { role: "admin" });
  const response = await save({ title: "Not mine", userId: other.id });
  expect(response.status).toBe(401);
  expect((await lessonRow(site.services, id())).title).not.toBe("Not mine");
});

describe("a lesson that was put elsewhere in the order meanwhile", () => {
  const reorder = (orderNum: number) =>
    site.services.db.write
      .updateTable("lessons")
      .set({ orderNum })
      .where("id", "=", id())
      .execute();

  test("keeps its new number when only its words are saved", async () => {
    await reorder(7);
    const saved = await save({ title: "Mine", orderNum: "1", orderBefore: "1", revision: "1" });
    expect(saved.status).toBe(303);
    expect(await lessonRow(site.services, id())).toMatchObject({ title: "Mine", orderNum: 7 });
  });

  test("gets the number that is asked for", async () => {
    await reorder(7);
    await save({ title: "Mine", orderNum: "3", orderBefore: "1", revision: "1" });
    expect(await lessonRow(site.services, id())).toMatchObject({ title: "Mine", orderNum: 3 });
  });
});
