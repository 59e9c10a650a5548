import { createCourse } from "../support/courses.ts";
import {
  createCoach,
  createLesson,
  expectSavedAsDraft,
  field,
  preview,
} from "./support/lessons.ts";
import { openEarly } from "./support/player.ts";
import { expect, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

test("admin forms: text typed before the scripts have loaded stays", async ({
  site: { services },
  device,
}) => {
  const lesson = await createLesson(services);
  const course = await createCourse(services, [[]], { title: "Water" });
  const page = await device({ as: await createCoach(services) });
  const slug = page.getByLabel("Slug");

  await test.step("a lesson: it is previewed and saved as a draft", async () => {
    const load = await openEarly(page, lesson.path);
    const typed: Record<string, string> = {
      Title: "Typed early",
      Text: "Some words.\n\nTyped on the train.",
      "Question 1": "A first question?",
      "Question 2": "Another question?",
    };
    for (const [name, value] of Object.entries(typed)) await field(page, name).fill(value);
    const moduleId = course.modules[0]?.id ?? "";
    await field(page, "Module").selectOption(moduleId);
    await load();
    await expectSavedAsDraft(page);
    for (const words of ["Typed on the train.", "A first question?", "Another question?"])
      await expect(preview(page)).toContainText(words);
    for (const [name, value] of Object.entries({ ...typed, Module: moduleId }))
      await expect(field(page, name)).toHaveValue(value);
    const drafts = async () => {
      const rows = await services.db.read
        .selectFrom("drafts")
        .select("content")
        .where("lessonId", "=", lesson.id)
        .execute();
      return rows.map(({ content }) => JSON.parse(content ?? "{}"));
    };
    const fields = { title: typed.Title, content: typed.Text, moduleId };
    const prompts = expect.stringContaining("Another question?");
    await expect.poll(drafts).toEqual([expect.objectContaining({ ...fields, prompts })]);
  });

  await test.step("a key that is pressed while React takes over goes where the cursor is", async () => {
    const load = await openEarly(page, lesson.path);
    const text = field(page, "Text");
    await text.fill("One two");
    await text.press("ArrowLeft");
    await load();
    await page.keyboard.type("o");
    await expect(text).toHaveValue("One twoo");
    expect(await text.evaluate((box) => (box as HTMLTextAreaElement).selectionStart)).toBe(7);
  });

  await test.step("a course: its slug is checked as if it were typed now", async () => {
    const load = await openEarly(page, `/admin/courses/${course.id}`);
    await field(page, "Title").fill("Water and air");
    await page.getByLabel("Description").fill("As it is.");
    await slug.fill("blue-dot-method");
    await load();
    await expect(page.getByText("Another course has this address.")).toBeVisible();
    await expect(field(page, "Title")).toHaveValue("Water and air");
    await expect(page.getByLabel("Description")).toHaveValue("As it is.");
  });

  await test.step("a module is saved with it", async () => {
    // Not on the page that still has unsaved changes.
    const other = await page.context().newPage();
    const load = await openEarly(other, `/admin/modules/${lesson.moduleId}`);
    const courses = field(other, "Course");
    await courses.selectOption(course.id);
    await other.getByLabel("Order number").fill("7");
    await load();
    await other.getByRole("button", { name: "Save module" }).click();
    await expect(toast(other, "Module updated successfully")).toBeVisible();
    await expect(courses).toHaveValue(course.id);
    await expect(other.getByLabel("Order number")).toHaveValue("7");
  });

  await test.step("a new course: the slug follows the title", async () => {
    const other = await page.context().newPage();
    const load = await openEarly(other, "/admin/courses/new");
    await field(other, "Title").fill("First days");
    await other.getByLabel("Price").fill("12");
    await load();
    await expect(other.getByLabel("Slug")).toHaveValue("first-days");
    await expect(field(other, "Title")).toHaveValue("First days");
    await expect(other.getByLabel("Price")).toHaveValue("12");
  });
});
