import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { boxes, hidden } from "../../support/answers.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { createByForm, lessonRow, updateByForm } from "../../support/lessons.ts";
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
  course = await createCourse(site.services, [[{}, {}, {}]]);
});

const moduleId = () => course.modules[0]?.id ?? "";
const lesson = () => course.modules[0]?.lessons[0]?.id ?? "";

type Draft = { id: string; lessonId: string; revision: number; baseRevision: number };

const keep = (
  { id, lessonId, revision, baseRevision }: Draft,
  fields: Record<string, string | undefined>,
) =>
  site.ask(`/admin/lessons/${lessonId}/draft`, {
    as: admin,
    method: "PUT",
    json: { userId: admin.id, draftId: id, baseRevision, revision, fields },
  });
const open = async (lessonId: string, draftId: string) =>
  (await site.ask(`/admin/lessons/${lessonId}?draft=${draftId}`, { as: admin })).text();

describe("words that were typed while their lesson was being saved", () => {
  const words = { title: "T", slug: "t", content: "Typed while saving.", orderNum: "1" };

  test.each(["before", "after"])("go on from what was saved, arrived %s it", async (when) => {
    const [id, lessonId] = [newId(), newId()];
    const late = () => keep({ id, lessonId, revision: 5, baseRevision: 0 }, words);
    if (when === "before") await late();
    await createByForm(site, admin, moduleId(), { id: lessonId, drafts: `${id}:4` });
    if (when === "after") await late();
    const html = await open(lessonId, id);
    expect(boxes(html)).toContain("Typed while saving.");
    expect(hidden(html, "revision")).toEqual(["1"]);
    const saved = await updateByForm(site, admin, lessonId, { ...words, revision: "1" });
    expect(saved.status).toBe(303);
  });

  test("do not lead an older draft past what it never saw", async () => {
    const [id, older, lessonId] = [newId(), newId(), newId()];
    await createByForm(site, admin, moduleId(), { id: lessonId, drafts: `${id}:4 ${older}:2` });
    await keep({ id: older, lessonId, revision: 3, baseRevision: 0 }, words);
    expect(hidden(await open(lessonId, older), "revision")).toEqual(["0"]);
  });
});

describe("a draft of a lesson that was put elsewhere in the order meanwhile", () => {
  const typed = async (orderNum: string, orderBefore?: string) => {
    const { title, slug } = await lessonRow(site.services, lesson());
    return {
      title,
      slug,
      moduleId: moduleId(),
      content: "Drafted.",
      dripDay: "0",
      orderNum,
      orderBefore,
    };
  };
  /** Goes on with the draft and revision what its form holds. */
  async function continueAndSave(fields: Record<string, string | undefined>) {
    const id = newId();
    await keep({ id, lessonId: lesson(), revision: 1, baseRevision: 1 }, fields);
    await site.services.db.write
      .updateTable("lessons")
      .set({ orderNum: 3 })
      .where("id", "=", lesson())
      .execute();
    const html = await open(lesson(), id);
    const orderNum = /name="orderNum"[^>]*value="(\d+)"/.exec(html)?.[1] ?? "";
    const [orderBefore] = hidden(html, "orderBefore");
    const content = "Drafted.";
    await updateByForm(site, admin, lesson(), {
      content,
      orderNum,
      orderBefore,
      drafts: `${id}:1`,
    });
    return lessonRow(site.services, lesson());
  }

  test("keeps the place that it has now, if nobody touched the number", async () => {
    const stored = await continueAndSave(await typed("1", "1"));
    expect(stored).toMatchObject({ content: "Drafted.", orderNum: 3 });
  });

  test("goes where its author said", async () => {
    expect(await continueAndSave(await typed("2", "1"))).toMatchObject({ orderNum: 2 });
    expect(await continueAndSave(await typed("3", "1"))).toMatchObject({ orderNum: 3 });
  });

  test("that differs in nothing else is not offered", async () => {
    const { title, content, slug } = await lessonRow(site.services, lesson());
    const fields = { ...(await typed("1", "1")), title, content, slug, prompts: "" };
    await keep({ id: newId(), lessonId: lesson(), revision: 1, baseRevision: 1 }, fields);
    await updateByForm(site, admin, lesson(), { orderNum: "2", orderBefore: "1" });
    const html = await (await site.ask(`/admin/lessons/${lesson()}`, { as: admin })).text();
    expect(html).not.toContain("You were writing this");
  });
});
