import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../support/courses.ts";
import { createPerson } from "../support/people.ts";
import { create, createCoach, field, text } from "./support/lessons.ts";
import { heading } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, phone, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const plain = { axe: false };

test("the admin area without scripts, on a phone", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(
    /^answer 409: POST \/admin\/courses\/new$/,
    /^answer 400: POST \/admin\/enrollments\/new$/,
  );
  const coach = await createCoach(services);
  const page = await device({ as: coach, viewport: phone, javaScriptEnabled: false });
  const mine = newId().slice(-6);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const said = (message: string) => expect(toast(page, message)).toBeVisible();

  await test.step("a course: a taken slug is refused; created, activated, deleted", async () => {
    const title = `Plain ${mine}`;
    await page.goto("/admin/courses/new");
    await field(page, "Title").fill(title);
    await field(page, "Slug").fill("blue-dot-method");
    await field(page, "Price").fill("12");
    await press("Create course");
    await expect(page.getByText("“blue-dot-method-2” is free.")).toBeVisible();
    await expect(field(page, "Title")).toHaveValue(title);
    await field(page, "Slug").fill(`plain-${mine}`);
    await press("Create course");
    await said("Course created successfully");
    await press(`Activate ${title}`);
    await said("Course activated");
    await page.goto("/admin");
    await page.getByRole("link", { name: title, exact: true }).click();
    await page.getByRole("link", { name: "Delete", exact: true }).click();
    await look(page, "admin-course-delete-plain", plain);
    await press("Delete course");
    await said("Course deleted successfully");
  });

  await test.step("its order: an arrow, and 'Move'", async () => {
    const lessons = ["Water", "Air"].map((title) => ({ title }));
    const course = await createCourse(services, [lessons, [{ title: "Fire" }], []]);
    await page.goto(`/admin/courses/${course.id}`);
    await press("Move Water down");
    await said("“Water” is 2 of 2 in “Module 1”.");
    await page.getByLabel("Move Fire to another module").click();
    const open = page.locator("details[open]");
    await open.locator("select").selectOption({ label: "Module 3" });
    await look(page, "admin-outline-plain", plain);
    await open.getByRole("button", { name: "Move" }).click();
    await said("“Fire” is 1 of 1 in “Module 3”.");
  });

  await test.step("a lesson is created and deleted", async () => {
    const { modules } = await createCourse(services, [[]]);
    await page.goto("/admin/lessons");
    await page.getByRole("link", { name: "New lesson" }).click();
    await field(page, "Title").fill(`By hand ${mine}`);
    await field(page, "Module").selectOption(modules[0]?.id ?? "");
    await field(page, "Slug").fill("by-hand");
    await text(page).fill("Some *words*.");
    await page.getByLabel("Prompts as JSON").fill('[{"question": "Why?"}]');
    await look(page, "admin-lesson-plain", plain);
    await create(page).click();
    await said("Lesson created successfully");
    await page.goto(`/admin/lessons?q=${mine}`);
    await page.getByRole("link", { name: `By hand ${mine}` }).click();
    await page.getByRole("link", { name: "Delete", exact: true }).click();
    await look(page, "admin-lesson-delete-plain", plain);
    await press("Delete lesson");
    await said("Lesson deleted successfully");
  });

  await test.step("an enrollment by email address is refused, created, found and removed", async () => {
    const { email, name } = await createPerson(services, { name: `Adelheid ${mine}` });
    await page.goto("/admin/enrollments/new");
    await press("Enroll");
    await said("Error");
    await field(page, "Course").selectOption("The Blue Dot Method");
    await page.getByRole("textbox", { name: "Student" }).fill(email);
    await look(page, "enrollment-new-plain", plain);
    await press("Enroll");
    await said("Enrollment created successfully");
    await page.getByRole("searchbox").fill(name);
    await press("Search");
    await page.getByRole("link", { name: `Open the enrollment of ${name}` }).click();
    await press("Remove this enrollment");
    await press("Remove the enrollment");
    await said("Enrollment removed successfully");
  });

  await test.step("a student is found, with every course", async () => {
    const student = await createStudent(services, { days: 9 });
    await page.goto("/admin/students");
    await page.getByRole("searchbox").fill(student.email);
    await press("Search");
    await page.getByRole("link", { name: student.name }).click();
    await expect(heading(page)).toHaveText(student.name);
    await expect(page.getByText(/^Open$/).first()).toBeVisible();
  });
});
