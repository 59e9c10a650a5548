import type { Page } from "@playwright/test";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { createCourse } from "../support/courses.ts";
import { createPerson } from "../support/people.ts";
import { look } from "./support/screen.ts";
import type { RunningSite } from "./support/site.ts";
import { expect, test, toast } from "./support/test.ts";

const long = "Grief that comes back on an ordinary Tuesday, ".repeat(4).trim();
const coachOf = ({ services }: RunningSite) => createPerson(services, { role: "admin" });

async function fillCourse(page: Page, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(label, { exact: label === "Title" }).fill(value);
}

test("a course is made, filled in, shown, hidden, deleted and brought back", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/admin\/courses\/new/);
  const page = await device({ as: await coachOf(site) });
  await page.goto("/admin");
  await look(page, "admin-courses-list", { night: true, widths: [320, 360, 1280] });
  await page.getByRole("link", { name: "New course" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New course");
  await look(page, "admin-course-new", { night: true });

  await page.getByRole("button", { name: "Create course" }).click();
  await expect(page.getByLabel("Title")).toBeFocused();
  await expect(page.getByText("Title is required")).toBeVisible();
  await expect(page.getByText("Price is required")).toBeVisible();
  await look(page, "admin-course-new-refused");

  await page.getByLabel("Title").fill("First days & nights");
  await expect(page.getByLabel("Slug")).toHaveValue("first-days-and-nights");
  await page.getByLabel("Slug").fill("blue-dot-method");
  await expect(page.getByText("Another course has this address.")).toBeVisible();
  await look(page, "admin-course-slug-taken");
  await page.getByRole("button", { name: "Use “blue-dot-method-2”" }).click();
  await expect(page.getByLabel("Slug")).toHaveValue("blue-dot-method-2");
  await expect(page.getByText("This address is free.")).toBeVisible();
  await page.getByLabel("Slug").fill("first-days");
  await page.getByLabel("Price").fill("-3");
  await page.getByRole("button", { name: "Create course" }).click();
  await expect(page.getByText("A price cannot be below zero")).toBeVisible();
  await expect(page.getByLabel("Price")).toBeFocused();
  await expect(page.getByLabel("Title")).toHaveValue("First days & nights");
  await fillCourse(page, { Description: "For the first days.", Price: "$1,197.50" });
  await page.getByRole("button", { name: "Create course" }).click();
  await expect(toast(page, "Course created successfully")).toBeVisible();
  await expect(page.getByRole("heading", { name: "First days & nights" })).toBeVisible();
  await expect(page.getByLabel("Price")).toHaveValue("1197.50");
  await look(page, "admin-course-empty", { night: true, widths: [320, 360, 1280] });

  const letters = page.getByLabel("When a lesson opens");
  await expect(letters).toHaveValue("notice");
  await letters.selectOption("Send the lesson itself");
  await letters.scrollIntoViewIfNeeded();
  await look(page, "admin-course-letters", { night: true });
  await page.getByLabel("Title").fill("The first days");
  await page.getByRole("button", { name: "Save course" }).click();
  await expect(toast(page, "Course updated successfully")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("The first days");

  await page.getByRole("navigation", { name: "Admin" }).getByText("Courses").click();
  // The course's own page, where she still is for a moment, has a button of the same name.
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Courses");
  await page.getByRole("button", { name: "Activate The first days", exact: true }).click();
  await expect(toast(page, "Course activated")).toBeVisible();
  await page.getByRole("button", { name: "Deactivate The first days" }).click();
  await expect(toast(page, "Course deactivated")).toBeVisible();
  await expect(
    page.getByRole("row", { name: /The first days/ }).getByText("Inactive"),
  ).toBeVisible();
  await expect(page.getByRole("row", { name: /The first days/ })).toContainText("$1,197.50");

  await page.getByRole("link", { name: "Delete The first days" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("0 modules and 0 lessons are deleted too");
  await expect(dialog).toContainText("No student is affected.");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL("/admin");
  await page.getByRole("link", { name: "Delete The first days" }).click();
  await dialog.getByRole("button", { name: "Delete course" }).click();
  await expect(toast(page, "Course deleted successfully")).toBeVisible();
  await expect(page.getByText("The first days")).toHaveCount(0);

  await page.getByRole("link", { name: "Recently deleted" }).click();
  await look(page, "admin-deleted", { night: true });
  await page.getByRole("button", { name: "Restore The first days" }).click();
  await expect(toast(page, "Course restored")).toBeVisible();
  await expect(page.getByText("Nothing was deleted lately")).toBeVisible();
  await look(page, "admin-deleted-empty");
});

test("the question before deleting says what students have there", async ({ site, device }) => {
  const { services } = site;
  const course = await createCourse(services, [[{}, {}], [{}]], { title: long });
  for (const name of ["Ada", "Bea"]) {
    const { id: userId } = await createPerson(services, { name });
    await enroll(services, { userId, productId: course.id });
    const lessonId = course.modules[0]?.lessons[0]?.id ?? "";
    const answers = name === "Ada" ? [{ question: "How?", answer: "words of the journal" }] : [];
    await completeLesson(services, { userId, lessonId, answers, drafts: [] });
  }
  const page = await device({ as: await coachOf(site) });
  await page.goto(`/admin/courses/${course.id}`);
  await page.getByRole("link", { name: "Delete", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("2 modules and 3 lessons are deleted too");
  await expect(dialog).toContainText("2 students are enrolled");
  await expect(dialog).toContainText("2 completed lessons, 1 journal entry.");
  await expect(page.getByText("words of the journal")).toHaveCount(0);
  await look(page, "admin-course-delete", { night: true, widths: [320, 360, 1280] });
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();

  await page.goto(`/admin/modules?delete=${course.modules[0]?.id}`);
  await expect(dialog).toContainText("Its 2 lessons are deleted too");
  await expect(dialog).toContainText("Lesson 1.2");
  await look(page, "admin-module-delete");
  await dialog.getByRole("button", { name: "Delete module" }).click();
  await expect(toast(page, "Module deleted successfully")).toBeVisible();
});

test("modules: made for a course that is not active yet, changed, found", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/admin\/modules\/new/);
  const page = await device({ as: await coachOf(site) });
  const draft = await createCourse(site.services, [], { title: "A draft" });
  await site.services.db.write
    .updateTable("products")
    .set({ active: false })
    .where("id", "=", draft.id)
    .execute();
  await page.goto("/admin/modules");
  await look(page, "admin-modules-list", { night: true, widths: [320, 360, 1280] });
  await page.getByRole("link", { name: "New module" }).click();
  await expect(page.getByLabel("Course", { exact: true })).not.toContainText("A draft");
  await look(page, "admin-module-new");
  await page.getByRole("button", { name: "Create module" }).click();
  await expect(page.getByLabel("Course", { exact: true })).toBeFocused();
  await expect(page.getByText("Title is required")).toBeVisible();

  await page.goto(`/admin/courses/${draft.id}`);
  await page.getByRole("link", { name: "Add module" }).click();
  await expect(page.getByLabel("Course", { exact: true })).toHaveValue(draft.id);
  await expect(page.getByLabel("Order number")).toHaveValue("1");
  await page.getByLabel("Title").fill("Week 1: Where you are");
  await page.getByRole("button", { name: "Create module" }).click();
  await expect(toast(page, "Module created successfully")).toBeVisible();
  await page.getByRole("link", { name: "Week 1: Where you are", exact: true }).click();
  // The page of the course has a title as well.
  await expect(page).toHaveURL(/\/admin\/modules\/[\w-]{36}$/);
  await page.getByLabel("Title").fill("Week 1: Here");
  await page.getByRole("button", { name: "Save module" }).click();
  await expect(toast(page, "Module updated successfully")).toBeVisible();
  await look(page, "admin-module", { night: true, widths: [320, 360, 1280] });
  await page.goto("/admin/modules");
  await page.getByLabel("Search by title or course").fill("week 1: here");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("row")).toHaveCount(2);
  await page.getByLabel("Search by title or course").fill("%");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("Nothing found")).toBeVisible();
});

test("lists that cannot be loaded say so", async ({ site, device }) => {
  const page = await device({ as: await coachOf(site) });
  await site.services.db.write.schema.alterTable("modules").renameTo("away").execute();
  await page.goto("/admin");
  await expect(toast(page, "Error")).toContainText("Failed to load courses");
  await page.goto("/admin/modules");
  await expect(toast(page, "Error")).toContainText("Failed to load modules");
  await look(page, "admin-modules-failed");
  await site.services.db.write.schema.alterTable("away").renameTo("modules").execute();
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page.getByRole("table")).toBeVisible();
});

test("an empty desk says what to do next", async ({ site, device }) => {
  await site.services.db.write
    .updateTable("products")
    .set({ deletedAt: new Date(0) })
    .execute();
  const page = await device({ as: await coachOf(site) });
  await page.goto("/admin");
  await expect(page.getByText("No courses yet")).toBeVisible();
  await look(page, "admin-courses-empty", { night: true });
  await page.goto("/admin/modules");
  await expect(page.getByText("No modules yet")).toBeVisible();
  await look(page, "admin-modules-empty");
});

test("without scripts", async ({ site, device, watch }) => {
  watch.expect(/^answer 409: POST \/admin\/courses\/new$/);
  const page = await device({ as: await coachOf(site), javaScriptEnabled: false });
  await page.goto("/admin/courses/new");
  await fillCourse(page, { Title: "Plain", Slug: "blue-dot-method", Price: "12" });
  await page.getByRole("button", { name: "Create course" }).click();
  await expect(page.getByText("“blue-dot-method-2” is free.")).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Plain");
  await page.getByLabel("Slug").fill("plain");
  await page.getByRole("button", { name: "Create course" }).click();
  await expect(toast(page, "Course created successfully")).toBeVisible();
  await page.getByRole("button", { name: "Activate Plain" }).click();
  await expect(toast(page, "Course activated")).toBeVisible();
  await page.goto("/admin");
  await page.getByRole("link", { name: "Delete Plain" }).click();
  await look(page, "admin-course-delete-plain", { axe: false });
  await page.getByRole("button", { name: "Delete course" }).click();
  await expect(toast(page, "Course deleted successfully")).toBeVisible();
});
