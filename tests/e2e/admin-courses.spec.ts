import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../support/courses.ts";
import { createCoach, field, openAdmin } from "./support/lessons.ts";
import { heading } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, phone, press, test, toast } from "./support/test.ts";

const wide = { night: true, widths: [320, 360, 1280] };

test.use({ siteKind: "shared" });

test("a course from creation to restore, with a module, a copy and the student's view", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/admin\/(courses|modules)\/new/);
  const page = await device({ as: await createCoach(services) });
  const mine = newId().slice(-6);
  const title = `The first days ${mine}`;
  const slug = `the-first-days-${mine}`;
  const tab = (name: string) =>
    page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name });
  const asksToDelete = page.getByRole("link", { name: `Delete ${title}`, exact: true });
  const row = page.getByRole("row").filter({ has: asksToDelete });
  const create = page.getByRole("button", { name: "Create course" });

  await test.step("four tabs with addresses of their own keep the document, and focus the heading", async () => {
    await openAdmin(page, "/admin");
    await page.evaluate(() => document.documentElement.setAttribute("data-same", "yes"));
    await expect(tab("Overview")).toHaveAttribute("aria-current", "page");
    for (const name of ["Modules", "Lessons", "Enrollments"]) {
      await tab(name).click();
      await expect(page).toHaveURL(`/admin/${name.toLowerCase()}`);
      await expect(heading(page)).toHaveText(name);
      await expect(heading(page)).toBeFocused();
      await expect(tab(name)).toHaveAttribute("aria-current", "page");
      await expect(page).toHaveTitle(new RegExp(`^${name} \\|`));
    }
    await page.goBack();
    await expect(heading(page)).toHaveText("Lessons");
    expect(await page.evaluate(() => document.documentElement.dataset.same)).toBe("yes");
  });

  await test.step("on a phone the places are one menu, which closes behind a choice", async () => {
    const desk = page.viewportSize();
    await page.setViewportSize(phone);
    await expect(tab("Modules")).toBeHidden();
    await page.getByRole("button", { name: "Menu" }).click();
    await look(page, "admin-menu", { night: true, widths: [360] });
    await tab("Modules").click();
    await expect(heading(page)).toBeFocused();
    await expect(tab("Modules")).toBeHidden();
    if (desk) await page.setViewportSize(desk);
  });

  await test.step("a new course: what is missing has the focus, the slug follows the title", async () => {
    await tab("Courses").click();
    await page.getByRole("link", { name: "New course" }).click();
    await expect(heading(page)).toHaveText("New course");
    await create.click();
    await expect(field(page, "Title")).toBeFocused();
    await expect(page.getByText("Title is required")).toBeVisible();
    await expect(page.getByText("Price is required")).toBeVisible();
    await look(page, "admin-course-new-refused", { night: true });
    await field(page, "Title").fill(`${title} & nights`);
    await expect(field(page, "Slug")).toHaveValue(`${slug}-and-nights`);
    await field(page, "Slug").fill("blue-dot-method");
    await expect(page.getByText("Another course has this address.")).toBeVisible();
    await look(page, "admin-course-slug-taken");
    await page.getByRole("button", { name: "Use “blue-dot-method-2”" }).click();
    await expect(field(page, "Slug")).toHaveValue("blue-dot-method-2");
    await expect(page.getByText("This address is free.")).toBeVisible();
    await field(page, "Slug").fill(slug);
    await field(page, "Price").fill("-3");
    await create.click();
    await expect(page.getByText("A price cannot be below zero")).toBeVisible();
    await expect(field(page, "Price")).toBeFocused();
    await expect(field(page, "Price")).toHaveValue("-3");
    await expect(field(page, "Title")).toHaveValue(`${title} & nights`);
    await page.getByLabel("Description").fill("For the first days.");
    await field(page, "Price").fill("$1,197.50");
    await create.click();
    await expect(toast(page, "Course created successfully")).toBeVisible();
    await expect(heading(page)).toHaveText(`${title} & nights`);
    await expect(field(page, "Price")).toHaveValue("1197.50");
    await look(page, "admin-course-empty", wide);
  });

  await test.step("it is changed in its place", async () => {
    const emails = page.getByLabel("When a lesson opens");
    await expect(emails).toHaveValue("notice");
    await emails.selectOption("Send the lesson itself");
    await field(page, "Title").fill(title);
    await press(page, "Save course", "Course updated successfully");
    await expect(heading(page)).toHaveText(title);
  });

  await test.step("a module of it, although it is inactive: refused, created, renamed", async () => {
    await page.getByRole("link", { name: "Add module" }).click();
    await expect(heading(page)).toHaveText("New module");
    await expect(field(page, "Course").locator("option:checked")).toHaveText(`${title} (inactive)`);
    await expect(field(page, "Order number")).toHaveValue("1");
    await field(page, "Order number").fill("1.5");
    await page.getByRole("button", { name: "Create module" }).click();
    await expect(field(page, "Title")).toBeFocused();
    await expect(field(page, "Title")).toHaveAccessibleDescription(/Title is required/);
    await expect(field(page, "Order number")).toHaveAccessibleDescription(/is a whole number/);
    await look(page, "admin-module-refused", wide);
    await field(page, "Title").fill("Week 1: Where you are");
    await field(page, "Order number").fill("1");
    await press(page, "Create module", "Module created successfully");
    await page.getByRole("link", { name: "Week 1: Where you are", exact: true }).click();
    await expect(heading(page)).toHaveText("Week 1: Where you are");
    await field(page, "Title").fill("Week 1: Here");
    await press(page, "Save module", "Module updated successfully");
    await expect(heading(page)).toHaveText("Week 1: Here");
    await tab("Modules").click();
    await page.getByLabel("Search by title or course").fill(title.toLowerCase());
    await expect(page.getByRole("rowheader")).toHaveText(["Week 1: Here"]);
    await page.getByRole("link", { name: title, exact: true }).click();
  });

  await test.step("a copy is a course of its own", async () => {
    await page.getByRole("button", { name: "Duplicate" }).click();
    await expect(toast(page, "Course duplicated")).toContainText(
      "This is the copy. It is inactive and has no students.",
    );
    await expect(heading(page)).toHaveText(`${title} (copy)`);
    await expect(field(page, "Title")).toHaveValue(`${title} (copy)`);
    await expect(field(page, "Slug")).toHaveValue(`${slug}-copy`);
    await expect(field(page, "Price")).toHaveValue("1197.50");
    await expect(page.getByText(/^Inactive: visitors find no page/)).toBeVisible();
    await expect(page.getByRole("link", { name: "Week 1: Here", exact: true })).toBeVisible();
  });

  await test.step("it is shown and hidden from the list", async () => {
    await tab("Courses").click();
    await expect(heading(page)).toHaveText("Courses");
    await page.getByRole("button", { name: `Activate ${title}`, exact: true }).click();
    await expect(toast(page, "Course activated")).toBeVisible();
    await page.getByRole("button", { name: `Deactivate ${title}`, exact: true }).click();
    await expect(toast(page, "Course deactivated")).toBeVisible();
    await expect(row.getByText("Inactive")).toBeVisible();
    await expect(row).toContainText("$1,197.50");
  });

  await test.step("it is deleted after a question, and restored", async () => {
    const dialog = page.getByRole("dialog");
    await asksToDelete.click();
    await expect(dialog).toContainText("1 module and 0 lessons are deleted too");
    await expect(dialog).toContainText("No student is affected.");
    await look(page, "admin-course-delete", wide);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL("/admin/courses");
    await asksToDelete.click();
    await dialog.getByRole("button", { name: "Delete course" }).click();
    await expect(toast(page, "Course deleted successfully")).toBeVisible();
    await expect(asksToDelete).toHaveCount(0);
    await page.getByRole("link", { name: "Recently deleted" }).click();
    await page.getByRole("button", { name: `Restore ${title}` }).click();
    await expect(toast(page, "Course restored")).toBeVisible();
    await expect(page.getByRole("button", { name: `Restore ${title}` })).toHaveCount(0);
  });

  await test.step("a course is seen as a student sees it, with nothing recorded", async () => {
    const lessons = ["Air", "Stone"].map((name) => ({ title: name, slug: name.toLowerCase() }));
    const other = await createCourse(services, [lessons], { title: `Elements ${mine}` });
    await page.goto("/my-courses");
    await page.getByRole("link", { name: "Admin" }).click();
    await page.getByRole("link", { name: `Elements ${mine}`, exact: true }).click();
    await page.getByRole("link", { name: "View Air as a student" }).click();
    await expect(heading(page)).toHaveText("Air");
    const banner = page.getByRole("complementary", { name: "Preview" });
    await expect(banner).toContainText("Nothing is recorded.");
    await look(page, "view-as-student", wide);
    await page.getByRole("link", { name: "Next Lesson" }).click();
    await expect(heading(page)).toHaveText("Stone");
    await expect(page).toHaveURL(/view=student/);
    await page.getByRole("link", { name: "Back to the course" }).click();
    await expect(page).toHaveURL(`/admin/courses/${other.id}`);
  });
});
