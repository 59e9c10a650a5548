import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { boxes, hidden, readable, toastOf } from "../../support/answers.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { createByForm, lessonForm, lessonRow, updateByForm } from "../../support/lessons.ts";
import { openedJournal } from "../../support/opened.ts";
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
  course = await createCourse(site.services, [
    [{ prompts: [{ question: "How was it?", placeholder: "" }] }, {}],
    [{}],
  ]);
});

const moduleId = (index = 0) => course.modules[index]?.id ?? "";
const lesson = (index = 0, module = 0) => course.modules[module]?.lessons[index] ?? never();
const never = (): never => {
  throw new Error("there is no such lesson");
};
const row = (id: string) => lessonRow(site.services, id);
const create = (fields: Parameters<typeof createByForm>[3] = {}) =>
  createByForm(site, admin, moduleId(), fields);
const update = (fields: Parameters<typeof updateByForm>[3], id = lesson().id) =>
  updateByForm(site, admin, id, fields);

describe("creating", () => {
  test("stores the lesson under the id of its form, and leads to it", async () => {
    const id = newId();
    const response = await create({
      id,
      title: " The point ",
      slug: "the-point",
      orderNum: "7",
      dripDay: "3",
      content: "# One\r\n\r\n*two*",
      prompts: '[{"question": "Why?", "placeholder": "…"}]',
    });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(`/admin/lessons/${id}`);
    expect(toastOf(response)?.title).toBe("Lesson created successfully");
    expect(await row(id)).toMatchObject({
      title: "The point",
      slug: "the-point",
      moduleId: moduleId(),
      orderNum: 7,
      dripDay: 3,
      content: "# One\n\n*two*",
      contentHtml: "<h2>One</h2>\n<p><em>two</em></p>",
      prompts: [{ question: "Why?", placeholder: "…" }],
      revision: 1,
      muxPlaybackId: null,
    });
  });

  test("without prompts has none (spec 5), without a day is open at once (spec 9)", async () => {
    const id = newId();
    await create({ id, prompts: " ", dripDay: "" });
    expect(await row(id)).toMatchObject({ prompts: null, dripDay: 0 });
  });

  test("twice is once, one after the other and at once", async () => {
    const [first, second] = [newId(), newId()];
    const form = { slug: "once", title: "Once" };
    for (const id of [first, first]) expect((await create({ ...form, id })).status).toBe(303);
    const both = await Promise.all(
      [1, 2].map(() => create({ slug: "both", title: "Both", id: second })),
    );
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    expect(await row(second)).toMatchObject({ revision: 1, title: "Both" });
  });

  test("other words under the same id are not lost: both versions come back", async () => {
    const id = newId();
    await create({ id, slug: "one", content: "The first words." });
    const response = await create({ id, slug: "one", content: "The other words." });
    expect(response.status).toBe(409);
    const html = await response.text();
    expect(boxes(html)).toContain("The other words.");
    expect(readable(html)).toContain("The first words.");
    expect(hidden(html, "revision")).toEqual(["1"]);
    expect((await row(id)).content).toBe("The first words.");
  });

  test("proposes the number behind the others of the module, 1 where there are none", async () => {
    const numberAt = async (query: string) => {
      const page = await site.ask(`/admin/lessons/new?id=${newId()}&${query}`, { as: admin });
      return /name="orderNum"[^>]* value="(\d+)"|value="(\d+)"[^>]* name="orderNum"/.exec(
        await page.text(),
      );
    };
    const empty = await createCourse(site.services, [[]]);
    expect((await numberAt(`module=${moduleId()}`))?.slice(1).join("")).toContain("3");
    expect((await numberAt(`module=${empty.modules[0]?.id}`))?.slice(1).join("")).toContain("1");
  });

  test("of a lesson that is stored already leads to it", async () => {
    const page = await site.ask(`/admin/lessons/new?id=${lesson().id}`, { as: admin });
    expect(page.headers.get("location")).toBe(`/admin/lessons/${lesson().id}`);
  });
});

describe("is refused, with every word still in the form:", () => {
  test.each([
    ["a title", { title: " " }, "Title is required"],
    ["a module", { moduleId: "" }, "Module is required"],
    ["a module that is none", { moduleId: "none" }, "This module was deleted."],
    ["a slug", { slug: "" }, "Give it an address"],
    ["a slug of other signs", { slug: "Ä b" }, "Use small letters, numbers and hyphens only"],
    ["a number", { orderNum: "" }, "Order number is required"],
    ["number 0", { orderNum: "0" }, "Use a whole number, 1 or higher"],
    ["a day before the first", { dripDay: "-1" }, "Use a whole number, 0 or higher"],
    ["JSON that is none", { prompts: "[{" }, "Invalid JSON format for prompts"],
    ["JSON that is no list", { prompts: "{}" }, "Invalid JSON format for prompts"],
    ["a text without end", { content: "x".repeat(300_001) }, "300,000 characters"],
    ["a text inside itself", { content: `words\n\n${">".repeat(300)}` }, "inside each other"],
  ])("%s", async (_, fields, message) => {
    const id = newId();
    for (const response of [
      await create({ id, content: "My words.", ...fields }),
      await update({ content: "My words.", ...fields }),
    ]) {
      expect(response.status).toBe(400);
      const html = await response.text();
      expect(readable(html)).toContain(message);
      expect(boxes(html)).toContain((fields as { content?: string }).content ?? "My words.");
      if ("prompts" in fields) expect(boxes(html)).toContain(fields.prompts);
    }
    expect((await row(lesson().id)).content).toBe("Some *words*.");
    await expect(row(id)).rejects.toThrow();
  });

  test("a module that was deleted meanwhile", async () => {
    await site.services.db.write
      .updateTable("modules")
      .set({ deletedAt: new Date() })
      .where("id", "=", moduleId(1))
      .execute();
    const response = await update({ moduleId: moduleId(1) });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("This module was deleted.");
  });
});

describe("slugs", () => {
  test("are each module's own: a taken one is told with one that is free", async () => {
    const taken = lesson(1).slug;
    for (const response of [await create({ slug: taken }), await update({ slug: taken })]) {
      expect(response.status).toBe(409);
      const text = readable(await response.text());
      expect(text).toContain("Another lesson of this module has this address.");
      expect(text).toContain(`${taken}-2`);
    }
    const other = await createByForm(site, admin, moduleId(1), { slug: taken });
    expect(other.status).toBe(303);
  });

  test("of a deleted lesson are free again", async () => {
    await site.ask("/admin/lessons", { as: admin, form: { id: lesson(1).id } });
    expect((await create({ slug: lesson(1).slug })).status).toBe(303);
  });

  test("two new lessons at once: one has it, the other is told", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => create({ slug: "the-same" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
  });

  test("moving into a module where it is taken is told, and progress moves along", async () => {
    const student = await createPerson(site.services);
    await enroll(site.services, { userId: student.id, productId: course.id });
    await completeLesson(site.services, {
      userId: student.id,
      lessonId: lesson().id,
      answers: [],
      drafts: [],
    });
    await update({ slug: "same" }, lesson(0, 1).id);
    await update({ slug: "same" });
    const response = await update({ moduleId: moduleId(1) });
    expect(response.status).toBe(409);
    expect(await response.text()).toContain("same-2");
    expect((await update({ moduleId: moduleId(1), slug: "same-2" })).status).toBe(303);
    const page = await site.ask(`/courses/${course.slug}/learn`, { as: student });
    expect(readable(await page.text())).toContain("33% Complete");
  });
});

describe("saving", () => {
  test("changes what was sent and nothing else; unknown fields are left out", async () => {
    const { id } = lesson();
    const before = await row(id);
    const response = await update({
      title: "Another title",
      id: newId(),
      muxPlaybackId: "stolen.mp4",
      audioKey: "stolen.mp3",
      contentHtml: "<script>",
      deletedAt: "2020-01-01",
      createdAt: "2020-01-01",
    });
    expect(response.headers.get("location")).toBe(`/admin/lessons/${id}`);
    expect(toastOf(response)?.title).toBe("Lesson updated successfully");
    const { updatedAt, ...after } = await row(id);
    const { updatedAt: _, ...expected } = before;
    expect(after).toEqual({ ...expected, title: "Another title", revision: 2 });
    expect(updatedAt.getTime()).toBeGreaterThanOrEqual(before.updatedAt.getTime());
  });

  test("empty prompts keep what there is; a list without questions clears", async () => {
    const { id } = lesson();
    await update({ prompts: "" });
    expect((await row(id)).prompts).toHaveLength(1);
    await update({ prompts: "[]" });
    expect((await row(id)).prompts).toBeNull();
  });

  test("the same once more changes nothing", async () => {
    const { id } = lesson();
    const form = { title: "Once", revision: "1" };
    expect((await update(form)).status).toBe(303);
    expect((await update(form)).status).toBe(303);
    expect((await row(id)).revision).toBe(2);
  });

  test("numbers may collide: the older comes first", async () => {
    await update({ orderNum: "2" });
    const page = await site.ask(`/courses/${course.slug}/learn`, { as: admin });
    const html = await page.text();
    expect(html.indexOf("Lesson 1.1")).toBeLessThan(html.indexOf("Lesson 1.2"));
  });

  test.each(["none", "../x", "%00", newId()])("of a lesson that is none (%j): 404", async (id) => {
    const form = lessonForm(moduleId(), { revision: "1" });
    expect((await site.ask(`/admin/lessons/${id}`, { as: admin })).status).toBe(404);
    const response = await site.ask(`/admin/lessons/${id}`, { as: admin, multipart: form });
    expect(response.status).toBe(404);
  });

  test("of a deleted lesson: 404, with the words", async () => {
    const { id } = lesson();
    await site.ask("/admin/lessons", { as: admin, form: { id } });
    const response = await update({ content: "Late words." });
    expect(response.status).toBe(404);
    expect((await row(id)).content).toBe("Some *words*.");
  });

  test("a form of 200 KB, in letters of three bytes", async () => {
    const content = "ありがとう。".repeat(35_000);
    expect((await update({ content })).status).toBe(303);
    expect((await row(lesson().id)).content).toBe(content);
  });
});

describe("deleting", () => {
  test("asks first, with what goes and what stays", async () => {
    const student = await createPerson(site.services);
    await enroll(site.services, { userId: student.id, productId: course.id });
    const { id } = lesson();
    const answers = [{ question: "How was it?", answer: "nobody-elses-words" }];
    await completeLesson(site.services, { userId: student.id, lessonId: id, answers, drafts: [] });
    const html = await (await site.ask(`/admin/lessons?delete=${id}`, { as: admin })).text();
    const text = readable(html);
    expect(text).toContain("Delete “Lesson 1.1”?");
    const words = text.replaceAll(/<\/?strong>/g, "");
    expect(words).toContain(
      "1 student has completed it. What they did stays stored: 1 journal entry.",
    );
    expect(text).toContain("30 days");
    expect(text).not.toContain("nobody-elses-words");
    const response = await site.ask("/admin/lessons", { as: admin, form: { id } });
    expect(toastOf(response)?.title).toBe("Lesson deleted successfully");
    expect((await row(id)).deletedAt).not.toBeNull();
    const { userId } = await site.services.db.read
      .selectFrom("progress")
      .select("userId")
      .where("lessonId", "=", id)
      .executeTakeFirstOrThrow();
    const kept = await openedJournal(site.services, userId);
    expect(kept[0]?.journalAnswer).toContain("nobody-elses-words");
  });

  test("twice is once", async () => {
    const form = { id: lesson().id };
    for (const _ of [1, 2])
      expect((await site.ask("/admin/lessons", { as: admin, form })).status).toBe(303);
  });

  test.each(["none", newId(), ""])("what is none (%j): told", async (id) => {
    const response = await site.ask("/admin/lessons", { as: admin, form: { id } });
    expect(response.status).toBe(303);
    expect(toastOf(response)).toMatchObject({
      title: "Error",
      description: "Failed to delete lesson",
    });
  });
});
