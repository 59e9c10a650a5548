import { createCourse } from "../support/courses.ts";
import { createCoach } from "./support/lessons.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, test, toast } from "./support/test.ts";
import { refuseWrites, takeAway } from "./support/trouble.ts";

/** Lists that cannot be read: where, what they say, and the status that goes with it. */
const lists = [
  { path: "/admin", says: "Failed to load courses", table: "products", name: "courses" },
  { path: "/admin/lessons", says: "Failed to load lessons", table: "lessons", name: "lessons" },
  { path: "/admin/students", says: "Failed to load students", table: "products", name: "students" },
  {
    path: "/admin/courses/deleted",
    says: "Failed to load what was deleted",
    table: "modules",
    name: "deleted",
  },
] as const;

for (const { path, says, table, name } of lists)
  test(`a list that cannot be loaded says so, with a way to try again: ${name}`, async ({
    site,
    device,
  }) => {
    const page = await device({ as: await createCoach(site.services) });
    const putBack = await takeAway(site.services, table);
    await page.goto(path);
    await expect(toast(page, "Error")).toContainText(says);
    await look(page, `admin-${name}-failed`, { night: true, widths: [320, 360, 1280] });
    await putBack();
    await page.getByRole("link", { name: "Try again" }).click();
    await expect(page.getByRole("main").getByText(says)).toHaveCount(0);
    await expect(page).toHaveURL(path);
  });

test("a course that cannot be saved, shown or deleted says so, and the words stay", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 500: POST \/admin\/courses\//);
  const { services } = site;
  const { id } = await createCourse(services, [[{}]], { title: "Water" });
  const page = await device({ as: await createCoach(services) });
  await page.goto(`/admin/courses/${id}`);
  await hydrated(page);
  const mend = await refuseWrites(services, "products");
  const form = page.getByRole("main");
  await form.getByLabel("Title").fill("Water and air");
  await form.getByLabel("Description").fill("Words that took an evening.");
  await page.getByRole("button", { name: "Save course" }).click();
  await expect(toast(page, "Error")).toContainText("Failed to update course");
  await expect(form.getByLabel("Title")).toHaveValue("Water and air");
  await expect(form.getByLabel("Description")).toHaveValue("Words that took an evening.");
  await look(page, "admin-course-not-saved");
  await mend();
  await page.getByRole("button", { name: "Save course" }).click();
  await expect(toast(page, "Course updated successfully")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Water and air");

  await page.goto("/admin");
  await hydrated(page);
  const mendAgain = await refuseWrites(services, "products");
  await page.getByRole("button", { name: "Deactivate Water and air" }).click();
  await expect(toast(page, "Error")).toContainText("Failed to update course");
  await page.getByRole("link", { name: "Delete Water and air" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete course" }).click();
  await expect(toast(page, "Failed to delete course")).toBeVisible();
  await mendAgain();
  await page.reload();
  await expect(page.getByRole("row", { name: /Water and air/ }).getByText("Active")).toBeVisible();
});

test("a module and a lesson that cannot be deleted say so, and are still there", async ({
  site,
  device,
}) => {
  const { services } = site;
  await createCourse(services, [[{ title: "Air", slug: "air" }]], { title: "Elements" });
  const page = await device({ as: await createCoach(services) });
  const mendModules = await refuseWrites(services, "modules");
  await page.goto("/admin/modules?q=Elements");
  await hydrated(page);
  await page.getByRole("link", { name: "Delete Module 1" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete module" }).click();
  await expect(toast(page, "Error")).toContainText("Failed to delete module");
  await expect(page.getByRole("row", { name: /Module 1/ })).toBeVisible();
  await mendModules();

  const mendLessons = await refuseWrites(services, "lessons");
  await page.goto("/admin/lessons?q=Air");
  await hydrated(page);
  await page.getByRole("link", { name: "Delete Air" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Delete lesson" }).click();
  await expect(toast(page, "Error")).toContainText("Failed to delete lesson");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("row", { name: /Air/ })).toHaveCount(1);
  await look(page, "admin-lesson-not-deleted");
  await mendLessons();
  await page.getByRole("link", { name: "Delete Air" }).click();
  await dialog.getByRole("button", { name: "Delete lesson" }).click();
  await expect(toast(page, "Lesson deleted successfully")).toBeVisible();
});

for (const { path, name, what } of [
  { path: "/admin?q=Elements", name: "Delete Elements", what: "course" },
  { path: "/admin/modules?q=Elements", name: "Delete Module 1", what: "module" },
  { path: "/admin/lessons?q=Air", name: "Delete Air", what: "lesson" },
])
  test(`asked again before the answer to 'not now' has come, the question stands there: ${what}`, async ({
    site,
    device,
  }) => {
    await createCourse(site.services, [[{ title: "Air", slug: "air" }]], { title: "Elements" });
    const page = await device({ as: await createCoach(site.services) });
    await page.goto(path);
    await hydrated(page);
    await page.getByRole("link", { name }).click();
    const dialog = page.getByRole("dialog", { name: name.replace(/Delete (.*)/, "Delete “$1”?") });
    await expect(dialog).toBeVisible();
    // The answer stands for as long as the coach needs to ask again.
    const held = Promise.withResolvers<void>();
    await page.route(/\.data\?(?!.*delete=)/, async (route) => {
      await held.promise;
      await route.continue().catch(() => {});
    });
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await page.getByRole("link", { name }).click();
    await expect(dialog).toBeVisible();
    held.resolve();
    await dialog.getByRole("button", { name: `Delete ${what}` }).click();
    const title = `${what[0]?.toUpperCase()}${what.slice(1)} deleted successfully`;
    await expect(toast(page, title)).toBeVisible();
    await expect(dialog).toHaveCount(0);
  });
