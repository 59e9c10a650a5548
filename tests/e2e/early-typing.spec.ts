import type { Page } from "@playwright/test";
import { createCourse } from "../support/courses.ts";
import {
  createCoach,
  expectSavedAsDraft,
  field,
  preview,
  sampleLesson,
} from "./support/lessons.ts";
import { mediaPart } from "./support/media.ts";
import { blueDot, box, hydrated, keptLine, openPlayer } from "./support/player.ts";
import { createStudent, draftsOf } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

/** Opens a page whose scripts are still on their way. @returns what lets them come, and waits for React */
async function openEarly(page: Page, path: string): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>();
  await page.route(/\/assets\/entry\.client-.*\.js$/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  return async () => {
    gate.resolve();
    await hydrated(page);
  };
}

test("a lesson: what is typed before React comes stays, is seen in the preview and kept as a draft", async ({
  site,
  device,
}) => {
  const { id, content } = await sampleLesson(site.services);
  const page = await device({ as: await createCoach(site.services) });
  const comes = await openEarly(page, `/admin/lessons/${id}`);
  const words = `${content}\n\nTyped on the train.`;
  await field(page, "Title").fill("Typed early");
  await field(page, "Text").fill(words);
  await field(page, "Question 1").fill("A first question?");
  await field(page, "Question 2").fill("Another question?");
  const modules = field(page, "Module");
  await modules.selectOption({ index: 2 });
  const module = await modules.inputValue();
  await comes();
  await expectSavedAsDraft(page);
  await expect(preview(page)).toContainText("Typed on the train.");
  await expect(preview(page)).toContainText("A first question?");
  await expect(preview(page)).toContainText("Another question?");
  await expect(field(page, "Title")).toHaveValue("Typed early");
  await expect(field(page, "Text")).toHaveValue(words);
  await expect(field(page, "Question 1")).toHaveValue("A first question?");
  await expect(field(page, "Question 2")).toHaveValue("Another question?");
  await expect(modules).toHaveValue(module);
  const drafts = async () => {
    const rows = await site.services.db.read.selectFrom("drafts").select("content").execute();
    return rows.map(({ content }) => ({ fields: JSON.parse(content ?? "{}") }));
  };
  const prompts = expect.stringContaining("Another question?");
  await expect.poll(drafts).toEqual([
    {
      fields: expect.objectContaining({
        title: "Typed early",
        content: words,
        moduleId: module,
        prompts,
      }),
    },
  ]);
});

test("a letter that is typed while React takes the page over joins the others", async ({
  site,
  device,
}) => {
  const { id, content } = await sampleLesson(site.services);
  const page = await device({ as: await createCoach(site.services) });
  const comes = await openEarly(page, `/admin/lessons/${id}`);
  const text = field(page, "Text");
  await text.fill("One two");
  await text.press("ArrowLeft");
  await comes();
  await page.keyboard.type("o");
  await expect(text).toHaveValue("One twoo");
  expect(content).not.toBe("One twoo");
  expect(await text.evaluate((box) => (box as HTMLTextAreaElement).selectionStart)).toBe(7);
});

test("a course and a module: what is typed before React comes stays", async ({ site, device }) => {
  const { services } = site;
  const course = await createCourse(services, [[]], { title: "Water" });
  await services.db.write
    .updateTable("products")
    .set({ description: "As it was." })
    .where("id", "=", course.id)
    .execute();
  const page = await device({ as: await createCoach(services) });
  const showsCourse = await openEarly(page, `/admin/courses/${course.id}`);
  await field(page, "Title").fill("Water and air");
  await page.getByLabel("Description").fill("As it is.");
  await page.getByLabel("Slug").fill("blue-dot-method");
  await showsCourse();
  // It is checked, as if it had been typed now.
  await expect(page.getByText("Another course has this address.")).toBeVisible();
  await expect(field(page, "Title")).toHaveValue("Water and air");
  await expect(page.getByLabel("Description")).toHaveValue("As it is.");

  const other = await page.context().newPage();
  const showsModule = await openEarly(other, `/admin/modules/${course.modules[0]?.id}`);
  const courses = field(other, "Course");
  await courses.selectOption({ index: 1 });
  const chosen = await courses.inputValue();
  expect(chosen).not.toBe(course.id);
  await other.getByLabel("Order number").fill("7");
  await showsModule();
  await other.getByRole("button", { name: "Save module" }).click();
  await expect(toast(other, "Module updated successfully")).toBeVisible();
  await expect(courses).toHaveValue(chosen);
  await expect(other.getByLabel("Order number")).toHaveValue("7");
});

test("a new course: the slug follows a title that was typed before React came", async ({
  site,
  device,
}) => {
  const page = await device({ as: await createCoach(site.services) });
  const comes = await openEarly(page, "/admin/courses/new");
  await field(page, "Title").fill("First days");
  await page.getByLabel("Price").fill("12");
  await comes();
  await expect(page.getByLabel("Slug")).toHaveValue("first-days");
  await expect(field(page, "Title")).toHaveValue("First days");
  await expect(page.getByLabel("Price")).toHaveValue("12");
});

test("a transcript: what is typed before React comes stays, and is kept on the device", async ({
  site,
  device,
}) => {
  const { id } = await site.services.db.write
    .updateTable("lessons")
    .set({ videoTranscript: "As it was." })
    .where("muxPlaybackId", "is not", null)
    .returning("id")
    .executeTakeFirstOrThrow();
  const page = await device({ as: await createCoach(site.services) });
  const comes = await openEarly(page, `/admin/lessons/${id}`);
  const video = mediaPart(page, "Video");
  await video.getByText("Read or change it").click();
  const transcript = video.getByLabel("Transcript of the video");
  await transcript.fill("As it is said.");
  await comes();
  await expect(transcript).toHaveValue("As it is said.");
  await page.unrouteAll();
  await page.reload();
  await expect(video.getByText("Your unsaved text was restored.")).toBeVisible();
  await expect(transcript).toHaveValue("As it is said.");
});

test("a journal that goes on in an older draft: what is typed before React comes joins it", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  await openPlayer(page);
  await box(page, 1).fill("Older words.");
  await expect(page.getByText(keptLine)).toBeVisible();
  await page.reload();
  const href = (await page.getByRole("link", { name: "Restore it?" }).getAttribute("href")) ?? "";
  const comes = await openEarly(page, new URL(href, new URL(blueDot, site.url)).href);
  await expect(box(page, 1)).toHaveValue("Older words.");
  await box(page, 1).fill("Older words. And new ones.");
  await comes();
  await expect(page.getByText(keptLine)).toBeVisible();
  await expect(box(page, 1)).toHaveValue("Older words. And new ones.");
  await expect
    .poll(() => draftsOf(site.services, student.id))
    .toEqual(["Older words. And new ones.|"]);
});
