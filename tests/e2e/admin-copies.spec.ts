import { createCourse } from "../support/courses.ts";
import { createCoach } from "./support/lessons.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, test, toast } from "./support/test.ts";

test("a course is duplicated by hand, and the copy is a course of its own", async ({
  site,
  device,
}) => {
  const { services } = site;
  const course = await createCourse(
    services,
    [
      [
        { title: "Water", slug: "water" },
        { title: "Air", slug: "air" },
      ],
      [{ title: "Fire", slug: "fire" }],
    ],
    { title: "Elements", slug: "elements" },
  );
  const page = await device({ as: await createCoach(services) });
  await page.goto(`/admin/courses/${course.id}`);
  await hydrated(page);
  await page.getByRole("button", { name: "Duplicate" }).click();
  await expect(toast(page, "Course duplicated")).toContainText(
    "This is the copy. It is inactive and has no students.",
  );
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Elements (copy)");
  await expect(page).not.toHaveURL(new RegExp(course.id));
  await expect(page.getByLabel("Title")).toHaveValue("Elements (copy)");
  await expect(page.getByLabel("Slug")).toHaveValue("elements-copy");
  await expect(page.getByLabel("Price")).toHaveValue("197.00");
  await expect(page.getByText(/^Inactive: only you/)).toBeVisible();
  const outline = page.getByRole("region", { name: "Modules and lessons" });
  for (const title of ["Module 1", "Module 2", "Water", "Air", "Fire"])
    await expect(outline.getByRole("link", { name: title, exact: true })).toBeVisible();
  await look(page, "admin-course-copy", { night: true });

  // What is written in the copy leaves the first one alone.
  await outline.getByRole("link", { name: "Water", exact: true }).click();
  await expect(page).toHaveURL(/\/admin\/lessons\/[\w-]{36}$/);
  await page.getByLabel("Title", { exact: true }).fill("Ice");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(toast(page, "Lesson updated successfully")).toBeVisible();
  await page.goto("/admin");
  await expect(
    page.getByRole("row", { name: /Elements \(copy\)/ }).getByText("Inactive"),
  ).toBeVisible();
  await page.goto(`/admin/courses/${course.id}`);
  await expect(outline.getByRole("link", { name: "Water", exact: true })).toBeVisible();
  await expect(outline.getByText("Ice")).toHaveCount(0);
});
