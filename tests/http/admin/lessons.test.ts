import { describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../../support/courses.ts";
import { editingSite } from "../../support/editing-site.ts";
import { lessonForm } from "../../support/lessons.ts";
import { openedJournal } from "../../support/opened-journal.ts";
import { createPerson } from "../../support/people.ts";
import { boxes, hidden, readable, toastOf } from "../../support/responses.ts";

const kit = editingSite([[{ prompts: [{ question: "How was it?", placeholder: "" }] }, {}], [{}]]);
const statuses = (answers: Response[]) => answers.map(({ status }) => status).sort();

/** A student of the course who has completed its first lesson. */
async function createStudent(answers: { question: string; answer: string }[] = []) {
  const { services } = kit.site;
  const student = await createPerson(services);
  await enroll(services, { userId: student.id, productId: kit.course.id });
  const lessonId = kit.lesson().id;
  await completeLesson(services, { userId: student.id, lessonId, answers, drafts: [] });
  return student;
}

describe("POST /admin/lessons/new", () => {
  test("stores the lesson under the id of its form, and leads to it", async () => {
    const id = newId();
    const response = await kit.create({
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
    expect(await kit.row(id)).toMatchObject({
      title: "The point",
      slug: "the-point",
      moduleId: kit.moduleId(),
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
    await kit.create({ id, prompts: " ", dripDay: "" });
    expect(await kit.row(id)).toMatchObject({ prompts: null, dripDay: 0 });
  });

  test("is idempotent, one after the other and at once", async () => {
    const [first, second] = [newId(), newId()];
    for (const id of [first, first])
      expect((await kit.create({ slug: "once", title: "Once", id })).status).toBe(303);
    const form = { slug: "both", title: "Both", id: second };
    const both = await Promise.all([kit.create(form), kit.create(form)]);
    expect(statuses(both)).toEqual([303, 303]);
    expect(await kit.row(second)).toMatchObject({ revision: 1, title: "Both" });
  });

  test("with other text under the same id loses nothing: both versions come back", async () => {
    const id = newId();
    await kit.create({ id, slug: "one", content: "The first words." });
    const response = await kit.create({ id, slug: "one", content: "The other words." });
    expect(response.status).toBe(409);
    const html = await response.text();
    expect(boxes(html)).toContain("The other words.");
    expect(readable(html)).toContain("The first words.");
    expect(hidden(html, "revision")).toEqual(["1"]);
    expect((await kit.row(id)).content).toBe("The first words.");
  });

  test("of many with one slug at once, one has it, and the others are refused", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => kit.create({ slug: "the-same" })));
    expect(statuses(answers)).toEqual([303, 409, 409]);
  });
});

describe("GET /admin/lessons/new", () => {
  test("proposes the number behind the others of the module, 1 where there are none", async () => {
    const numberAt = async (module = "") => {
      const html = await kit.page(`/admin/lessons/new?id=${newId()}&module=${module}`);
      const [, before, behind] =
        /name="orderNum"[^>]* value="(\d+)"|value="(\d+)"[^>]* name="orderNum"/.exec(html) ?? [];
      return before ?? behind;
    };
    const empty = await createCourse(kit.site.services, [[]]);
    expect(await numberAt(kit.moduleId())).toBe("3");
    expect(await numberAt(empty.modules[0]?.id)).toBe("1");
  });

  test("with the id of a stored lesson leads to it", async () => {
    const { id } = kit.lesson();
    const page = await kit.site.ask(`/admin/lessons/new?id=${id}`, { as: kit.admin });
    expect(page.headers.get("location")).toBe(`/admin/lessons/${id}`);
  });
});

describe("a new and a stored lesson", () => {
  // Every rule of a field: schema.test.ts of the lesson editor.
  test.each([
    ["a title", { title: " " }, "Title is required"],
    ["a module that is none", { moduleId: "none" }, "This module was deleted."],
    ["JSON that is none", { prompts: "[{" }, "Invalid JSON format for prompts"],
    ["an endless text", { content: "x".repeat(300_001) }, "300,000 characters"],
    ["a text inside itself", { content: `words\n\n${">".repeat(300)}` }, "inside each other"],
  ])("are refused with all text in the form: %s", async (_, fields, message) => {
    const id = newId();
    for (const response of [
      await kit.create({ id, content: "My words.", ...fields }),
      await kit.update({ content: "My words.", ...fields }),
    ]) {
      expect(response.status).toBe(400);
      const html = await response.text();
      expect(readable(html)).toContain(message);
      expect(boxes(html)).toContain((fields as { content?: string }).content ?? "My words.");
      if ("prompts" in fields) expect(boxes(html)).toContain(fields.prompts);
    }
    expect((await kit.row()).content).toBe("Some *words*.");
    await expect(kit.row(id)).rejects.toThrow();
  });

  test("are refused with a module that was deleted meanwhile", async () => {
    const modules = kit.site.services.db.write.updateTable("modules");
    const deleted = modules.set({ deletedAt: new Date() }).where("id", "=", kit.moduleId(1));
    await deleted.execute();
    const response = await kit.update({ moduleId: kit.moduleId(1) });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("This module was deleted.");
  });

  test("are refused with a slug of their module, with one that is free", async () => {
    const taken = kit.lesson(0, 1).slug;
    for (const response of [await kit.create({ slug: taken }), await kit.update({ slug: taken })]) {
      expect(response.status).toBe(409);
      const text = readable(await response.text());
      expect(text).toContain("Another lesson of this module has this address.");
      expect(text).toContain(`${taken}-2`);
    }
    expect((await kit.create({ slug: taken }, kit.moduleId(1))).status).toBe(303);
    await kit.remove(kit.lesson(0, 1).id);
    expect((await kit.create({ slug: taken })).status).toBe(303);
  });
});

describe("POST /admin/lessons/{id}", () => {
  test("changes what was sent and nothing else; unknown fields are left out", async () => {
    const before = await kit.row();
    const response = await kit.update({
      title: "Another title",
      id: newId(),
      muxPlaybackId: "stolen.mp4",
      audioKey: "stolen.mp3",
      contentHtml: "<script>",
      deletedAt: "2020-01-01",
      createdAt: "2020-01-01",
    });
    expect(response.headers.get("location")).toBe(`/admin/lessons/${before.id}`);
    expect(toastOf(response)?.title).toBe("Lesson updated successfully");
    const { updatedAt, ...after } = await kit.row();
    const { updatedAt: _, ...expected } = before;
    expect(after).toEqual({ ...expected, title: "Another title", revision: 2 });
    expect(updatedAt.getTime()).toBeGreaterThanOrEqual(before.updatedAt.getTime());
  });

  test("keeps the prompts if it has none; a list without questions clears them", async () => {
    await kit.update({ prompts: "" });
    expect((await kit.row()).prompts).toHaveLength(1);
    await kit.update({ prompts: "[]" });
    expect((await kit.row()).prompts).toBeNull();
  });

  test("of two lessons with one number, the older comes first", async () => {
    await kit.update({ orderNum: "2" });
    const html = await kit.page(`/courses/${kit.course.slug}/learn`);
    expect(html.indexOf("Lesson 1.1")).toBeLessThan(html.indexOf("Lesson 1.2"));
  });

  test("to a module where the slug is taken is refused; progress moves along", async () => {
    const student = await createStudent();
    await kit.update({ slug: "same" }, kit.lesson(1, 0).id);
    await kit.update({ slug: "same" });
    const response = await kit.update({ moduleId: kit.moduleId(1) });
    expect(response.status).toBe(409);
    expect(await response.text()).toContain("same-2");
    expect((await kit.update({ moduleId: kit.moduleId(1), slug: "same-2" })).status).toBe(303);
    const html = await kit.page(`/courses/${kit.course.slug}/learn`, student);
    expect(readable(html)).toContain("33% Complete");
  });

  test("takes a form of 200 KB, in letters of three bytes", async () => {
    const content = "ありがとう。".repeat(35_000);
    expect((await kit.update({ content })).status).toBe(303);
    expect((await kit.row()).content).toBe(content);
  });

  test.each(["none", "../x", "%00", newId()])("is 404 for %j, as is GET", async (id) => {
    const multipart = lessonForm(kit.moduleId(), { revision: "1" });
    for (const form of [undefined, multipart]) {
      const asking = { as: kit.admin, multipart: form };
      expect((await kit.site.ask(`/admin/lessons/${id}`, asking)).status).toBe(404);
    }
  });

  test("is 404 for a deleted lesson, which stays as it was", async () => {
    await kit.remove();
    expect((await kit.update({ content: "Late words." })).status).toBe(404);
    expect((await kit.row()).content).toBe("Some *words*.");
  });

  test("by another admin who has signed in on the browser is 401", async () => {
    const other = await createPerson(kit.site.services, { role: "admin" });
    expect((await kit.update({ title: "Not mine", userId: other.id })).status).toBe(401);
    expect((await kit.row()).title).not.toBe("Not mine");
  });
});

describe("POST /admin/lessons/{id}, of a lesson that was changed since it was opened", () => {
  test("overwrites nothing: both versions come back, and saving again is a choice", async () => {
    await kit.update({ title: "Theirs", content: "Their words.", revision: "1" });
    const mine = { title: "Mine", content: "My words." };
    const response = await kit.update({ ...mine, revision: "1" });
    expect(response.status).toBe(409);
    const html = await response.text();
    const text = readable(html);
    expect(boxes(html)).toContain("My words.");
    for (const words of ["Their words.", "Changed elsewhere"]) expect(text).toContain(words);
    for (const name of ["Title", "Text"]) expect(html).toContain(`Take theirs: ${name}`);
    expect(html).not.toContain("Take theirs: Module");
    expect(await kit.row()).toMatchObject({ title: "Theirs", revision: 2 });
    expect(hidden(html, "revision")).toEqual(["2"]);
    expect((await kit.update({ ...mine, revision: "2" })).status).toBe(303);
    expect(await kit.row()).toMatchObject({ title: "Mine", revision: 3 });
  });

  test.each(["", "0", "x", "-1", "1e9", "99999999999"])(
    "is refused with revision %j as well",
    async (revision) => {
      await kit.update({ title: "Theirs" });
      expect((await kit.update({ title: "Mine", revision })).status).toBe(409);
    },
  );

  test("to exactly what was sent changes nothing and is no conflict", async () => {
    const form = { title: "Once", revision: "1" };
    for (const _ of [1, 2]) expect((await kit.update(form)).status).toBe(303);
    expect((await kit.row()).revision).toBe(2);
  });

  test("of many at once, exactly one wins", async () => {
    const titles = Array.from({ length: 6 }, (_, at) => `Title ${at}`);
    const answers = await Promise.all(titles.map((title) => kit.update({ title, revision: "1" })));
    expect(statuses(answers)).toEqual([303, 409, 409, 409, 409, 409]);
    const title = titles[answers.findIndex(({ status }) => status === 303)];
    expect(await kit.row()).toMatchObject({ title, revision: 2 });
  });

  test.each([
    { typed: "1", place: 7 },
    { typed: "3", place: 3 },
  ])("moved to place 7 from 1, with number $typed goes to $place", async ({ typed, place }) => {
    await kit.set({ orderNum: 7 });
    const form = { title: "Mine", orderNum: typed, orderBefore: "1", revision: "1" };
    expect((await kit.update(form)).status).toBe(303);
    expect(await kit.row()).toMatchObject({ title: "Mine", orderNum: place });
  });
});

describe("deleting a lesson", () => {
  test("asks first, with what goes and what stays", async () => {
    const student = await createStudent([{ question: "How was it?", answer: "nobody-elses" }]);
    const { id } = kit.lesson();
    const text = readable(await kit.page(`/admin/lessons?delete=${id}`));
    expect(text).toContain("Delete “Lesson 1.1”?");
    expect(text.replaceAll(/<\/?strong>/g, "")).toContain(
      "1 student has completed it. What they did stays stored: 1 journal entry.",
    );
    expect(text).toContain("30 days");
    expect(text).not.toContain("nobody-elses");
    for (const _ of [1, 2]) {
      const response = await kit.remove();
      expect(response.status).toBe(303);
      expect(toastOf(response)?.title).toBe("Lesson deleted successfully");
    }
    expect((await kit.row()).deletedAt).not.toBeNull();
    const [entry] = await openedJournal(kit.site.services, student.id);
    expect(entry?.journalAnswer).toContain("nobody-elses");
  });

  test("is asked by links that say so alone", async () => {
    const lists: [string, string][] = [
      ["/admin/lessons", kit.lesson().id],
      ["/admin", kit.course.id],
      ["/admin/modules", kit.moduleId()],
    ];
    for (const [list, asked] of lists) {
      const html = readable(await kit.page(`${list}?q=e&delete=${asked}`));
      expect(html).toContain('id="delete"');
      const links = [...html.matchAll(/href="([^"]*[?&]delete=[^"]*)"[^>]*aria-label="([^"]*)"/g)];
      const all = html.match(/href="[^"]*[?&]delete=/g) ?? [];
      expect([list, all.length]).toEqual([list, links.length]);
      for (const [, , label] of links) expect(label).toMatch(/^Delete /);
    }
  });

  test.each(["none", newId(), ""])("fails for %j with a toast", async (id) => {
    const response = await kit.remove(id);
    expect(response.status).toBe(303);
    expect(toastOf(response)).toMatchObject({
      title: "Error",
      description: "Failed to delete lesson",
    });
  });
});

test("GET /admin/lessons: without lessons, and where none is found, it says what to do next", async () => {
  const { write } = kit.site.services.db;
  expect(await kit.page("/admin/lessons?q=none-of-that")).toContain("No lesson like that");
  await write.updateTable("lessons").set({ deletedAt: new Date() }).execute();
  const html = await kit.page("/admin/lessons");
  expect(html).toContain("No lessons yet");
  expect(html).toContain("Write a lesson");
});
