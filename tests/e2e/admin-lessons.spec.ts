import { updateLesson } from "~/features/lesson-editor/lessons.server.ts";
import { newId } from "~/platform/db/ids.ts";
import {
  create,
  createCoach,
  expectSavedAsDraft,
  field,
  openDesk,
  preview,
  sampleLesson,
  save,
  text,
} from "./support/lessons.ts";
import { look } from "./support/screen.ts";
import { expect, test, toast } from "./support/test.ts";

test("the list: sorted, searched, kept to a course, and what can be done with a lesson", async ({
  site,
  device,
}) => {
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, "/admin/lessons");
  await look(page, "admin-lessons-list", { widths: [320, 360, 1280], night: true });
  await page.getByRole("searchbox", { name: "Search by title" }).fill("keys in");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByRole("link", { name: "Delete Keys in the refrigerator" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete “Keys in the refrigerator”?" });
  await expect(dialog).toBeVisible();
  await look(page, "admin-lessons-delete", { night: true });
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await page.getByRole("link", { name: "Delete Keys in the refrigerator" }).click();
  await dialog.getByRole("button", { name: "Delete lesson" }).click();
  await expect(toast(page, "Lesson deleted successfully")).toBeVisible();
  await expect(page.getByText("No lesson like that")).toBeVisible();
  await look(page, "admin-lessons-none-found");
});

test("a site without lessons says what to do next", async ({ site, device }) => {
  await site.services.db.write.updateTable("lessons").set({ deletedAt: new Date() }).execute();
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, "/admin/lessons");
  await look(page, "admin-lessons-empty", { night: true });
  await page.getByRole("link", { name: "Write a lesson" }).click();
  await expect(page.getByRole("heading", { name: "New lesson" })).toBeVisible();
});

test("the lesson editor: a text that cannot be shown is refused beside it, and stays", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/admin\/lessons\//);
  const stored = await sampleLesson(site.services);
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, `/admin/lessons/${stored.id}`);
  const typed = `Some words.\n\n${">".repeat(200)} a quote`;
  await text(page).fill(typed);
  await expect(preview(page)).toContainText("quotes or other signs inside each other");
  await save(page).click();
  await expect(text(page)).toHaveAccessibleDescription(/quotes or other signs inside each other/);
  await expect(text(page)).toHaveValue(typed);
  await expectSavedAsDraft(page);
  await look(page, "admin-lesson-refused", { night: true });
  expect(await sampleLesson(site.services)).toMatchObject({ content: stored.content });
  await text(page).fill("Some words.");
  await save(page).click();
  await expect(toast(page, "Lesson updated successfully")).toBeVisible();
});

test("a lesson is edited and saved without leaving the page", async ({ site, device }) => {
  const { id } = await sampleLesson(site.services);
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, `/admin/lessons/${id}`);
  await look(page, "admin-lesson-edit", { widths: [320, 360, 1280], night: true });
  await text(page).fill("# A heading\n\nSome **bold** words.");
  await expect(preview(page).getByRole("heading", { name: "A heading" })).toBeVisible();
  await field(page, "Title").fill("Another title");
  await expect(preview(page)).toContainText("Another title");
  await expectSavedAsDraft(page);
  await look(page, "admin-lesson-preview");
  await save(page).click();
  await expect(toast(page, "Lesson updated successfully")).toBeVisible();
  expect(await sampleLesson(site.services)).toMatchObject({ id, title: "Another title" });
  await text(page).fill("And once more.");
  await save(page).click();
  await expect.poll(async () => (await sampleLesson(site.services)).revision).toBe(3);
  await page.reload();
  await expect(text(page)).toHaveValue("And once more.");
  await expect(page.getByText("You were writing this")).toHaveCount(0);
});

test("what is missing is said beside its field, and the words stay", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/admin\/lessons\/new/);
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, "/admin/lessons/new");
  await look(page, "admin-lesson-new", { widths: [320, 360, 1280], night: true });
  await text(page).fill("My words.");
  await create(page).click();
  await expect(toast(page, "Error")).toContainText("Title is required");
  await expect(field(page, "Title")).toBeFocused();
  await expect(text(page)).toHaveValue("My words.");
  await look(page, "admin-lesson-refused", { night: true });
});

test("changed elsewhere: both versions, and hers until she chooses", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 409: POST \/admin\/lessons\//);
  const lesson = await sampleLesson(site.services);
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, `/admin/lessons/${lesson.id}`);
  const content = `${lesson.content}\n\nA paragraph of theirs.`;
  const { moduleId, slug, orderNum, dripDay } = lesson;
  await updateLesson(site.services, {
    id: lesson.id,
    revision: 1,
    moduleId,
    slug,
    orderNum,
    dripDay,
    title: "Their title",
    content,
    prompts: "keep",
  });
  await field(page, "Title").fill("My title");
  await text(page).press("ControlOrMeta+End");
  await page.keyboard.type("\n\nA paragraph of mine.");
  await save(page).click();
  const versions = page.getByRole("region", { name: "Changed elsewhere" });
  await expect(versions).toBeVisible();
  await expect(versions).toContainText("Their title");
  await expect(versions).toContainText("A paragraph of theirs.");
  await expect(field(page, "Title")).toHaveValue("My title");
  await look(page, "admin-lesson-conflict", { widths: [320, 360, 1280], night: true });
  expect(await sampleLesson(site.services)).toMatchObject({ title: "Their title" });
  await page.getByRole("button", { name: "Take theirs: Text" }).click();
  await expect(text(page)).toHaveValue(content);
  await page.getByRole("button", { name: "Keep mine: Text" }).click();
  await expect(text(page)).toHaveValue(/A paragraph of mine\.$/);
  await page.getByRole("button", { name: "Take theirs: Text" }).click();
  await save(page).click();
  await expect(toast(page, "Lesson updated successfully")).toBeVisible();
  await expect(versions).toHaveCount(0);
  expect(await sampleLesson(site.services)).toMatchObject({ title: "My title", content });
});

test("without scripts a lesson is created", async ({ site, device }) => {
  const page = await device({ as: await createCoach(site.services), javaScriptEnabled: false });
  await page.goto("/admin/lessons");
  await page.getByRole("link", { name: "New lesson" }).click();
  await field(page, "Title").fill("Written by hand");
  await field(page, "Module").selectOption({ index: 1 });
  await field(page, "Slug").fill("written-by-hand");
  await text(page).fill("Some *words*.");
  await page.getByLabel("Prompts as JSON").fill('[{"question": "Why?"}]');
  await look(page, "admin-lesson-no-scripts", { axe: false });
  await create(page).click();
  await expect(toast(page, "Lesson created successfully")).toBeVisible();
  await page.goto(`/admin/lessons?q=written&x=${newId()}`);
  await page.getByRole("link", { name: "Delete Written by hand" }).click();
  await look(page, "admin-lesson-delete-no-scripts", { axe: false });
  await page.getByRole("button", { name: "Delete lesson" }).click();
  await expect(toast(page, "Lesson deleted successfully")).toBeVisible();
});

test("a save that fails on the server says so, and the words stay", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 500: POST \/admin\/lessons\//);
  const { schema } = site.services.db.write;
  const { id } = await sampleLesson(site.services);
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, `/admin/lessons/${id}`);
  await text(page).fill("Words that stay.");
  await schema.alterTable("lessons").renameTo("away").execute();
  await save(page).click();
  await expect(toast(page, "Error")).toContainText("Failed to update lesson");
  await schema.alterTable("away").renameTo("lessons").execute();
  await expect(text(page)).toHaveValue("Words that stay.");
  await save(page).click();
  await expect(toast(page, "Lesson updated successfully")).toBeVisible();
  expect(await sampleLesson(site.services)).toMatchObject({ content: "Words that stay." });
});
