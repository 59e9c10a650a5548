import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { createCourse } from "../support/courses.ts";
import { createCoach } from "./support/lessons.ts";
import { linkInMail } from "./support/mail.ts";
import { aLesson, chooser, mediaPart, openLesson, shortFilm } from "./support/media.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";
import { refuseWrites } from "./support/trouble.ts";

const setCourse = (
  { db }: Services,
  slug: string,
  values: { active?: boolean; deletedAt?: Date | null },
) => db.write.updateTable("products").set(values).where("slug", "=", slug).execute();

test("a module and a lesson are brought back; what fails is said", async ({ site, device }) => {
  const { services } = site;
  const course = await createCourse(
    services,
    [[{ title: "Air", slug: "air" }], [{ title: "Fire", slug: "fire" }]],
    { title: "Elements" },
  );
  const [first, second] = course.modules;
  const deletedAt = services.clock.now();
  const gone = { deletedAt };
  const { write } = services.db;
  await write
    .updateTable("lessons")
    .set(gone)
    .where("id", "=", first?.lessons[0]?.id ?? "")
    .execute();
  await write
    .updateTable("modules")
    .set(gone)
    .where("id", "=", second?.id ?? "")
    .execute();
  // Her slug is taken by the time she comes back.
  await services.db.write
    .updateTable("lessons")
    .set({ slug: "air", moduleId: first?.id ?? "" })
    .where("id", "=", second?.lessons[0]?.id ?? "")
    .execute();
  const page = await device({ as: await createCoach(services) });
  await page.goto("/admin/courses/deleted");
  await hydrated(page);
  const mend = await refuseWrites(services, "modules");
  await page.getByRole("button", { name: "Restore Module 2" }).click();
  await expect(toast(page, "Error")).toContainText("Failed to restore it");
  await mend();
  await page.getByRole("button", { name: "Restore Module 2" }).click();
  await expect(toast(page, "Module restored")).toBeVisible();
  await page.getByRole("button", { name: "Restore Air" }).click();
  await expect(toast(page, "Lesson restored")).toContainText(
    "Its slug was taken meanwhile. It is now “air-2”.",
  );
  await expect(page.getByText("Nothing was deleted lately")).toBeVisible();
});

test("an enrollment that cannot be removed says so, and stays", async ({ site, device, watch }) => {
  watch.expect(/^answer 400: POST \/admin\/enrollments\//);
  const { services } = site;
  await createStudent(services);
  const page = await device({ as: await createCoach(services) });
  await page.goto("/admin/enrollments");
  await hydrated(page);
  await page.getByRole("link", { name: /^Open the enrollment of Ada/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Ada" })).toBeVisible();
  const mend = await refuseWrites(services, "enrollments");
  const remove = async () => {
    await page.getByRole("button", { name: "Remove this enrollment" }).click();
    const dialog = page.getByRole("dialog", { name: "Remove this enrollment?" });
    await dialog.getByRole("button", { name: "Remove the enrollment" }).click();
  };
  await remove();
  await expect(toast(page, "Error")).toContainText("Failed to remove enrollment");
  await look(page, "enrollment-not-removed");
  await mend();
  await page.reload();
  await hydrated(page);
  await remove();
  await expect(toast(page, "Enrollment removed successfully")).toBeVisible();
});

test("a course that was deactivated meanwhile is not chosen, nor is anybody invited to it", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(
    /^answer 400: POST \/admin\/enrollments\/new/,
    /^answer 400: POST \/admin\/enrollments\/invite/,
  );
  const { services } = site;
  const { email } = await createStudent(services, { courses: [] });
  const page = await device({ as: await createCoach(services) });
  await page.goto("/admin/enrollments/new");
  await hydrated(page);
  await page.getByLabel("Course").selectOption("The Blue Dot Method");
  await page.getByRole("combobox", { name: "Student" }).fill(email);
  await setCourse(services, "blue-dot-method", { active: false });
  await page.getByRole("button", { name: "Enroll" }).click();
  await expect(toast(page, "Error")).toContainText("Only active courses can be chosen");
  await expect(page.getByRole("combobox", { name: "Student" })).toHaveValue(email);

  await setCourse(services, "blue-dot-method", { active: true });
  await page.goto("/admin/enrollments/invite?email=ruth@example.com");
  await hydrated(page);
  await page.getByLabel("Course").selectOption("The Blue Dot Method");
  await setCourse(services, "blue-dot-method", { active: false });
  await page.getByRole("button", { name: "Send the invitation" }).click();
  await expect(toast(page, "Error")).toContainText("Only active courses can be chosen");
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue("ruth@example.com");
});

test("what is wrong with a price is said beside it", async ({ site, device, watch }) => {
  watch.expect(/^answer 400: POST \/admin\/courses\/new/);
  const page = await device({ as: await createCoach(site.services) });
  await page.goto("/admin/courses/new");
  await hydrated(page);
  await page.getByLabel("Title").fill("Elements");
  await expect(page.getByLabel("Slug")).toHaveValue("elements");
  const price = page.getByLabel("Price");
  for (const [typed, fieldError] of [
    ["", "Price is required; write 0 if the course is free"],
    ["a lot", "Write the price as a number, like 197 or 197.50"],
    ["-3", "A price cannot be below zero"],
    ["197.505", "A price has two decimals at most, like 197.50"],
    ["1000000", "The highest price is $999,999.99"],
  ] as const) {
    await price.fill(typed);
    await page.getByRole("button", { name: "Create course" }).click();
    await expect(page.getByText(fieldError, { exact: true })).toBeVisible();
    await expect(price).toBeFocused();
    await expect(price).toHaveValue(typed);
    await expect(page.getByLabel("Title")).toHaveValue("Elements");
  }
  await price.fill("0");
  await page.getByRole("button", { name: "Create course" }).click();
  await expect(toast(page, "Course created successfully")).toBeVisible();
});

test("a full disk is told in the panel, and gone on from once there is room", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 507: POST \/uploads$/);
  const { services } = site;
  const lesson = await aLesson(services);
  const coach = await createCoach(services);
  // Somebody has announced more than any disk holds: as good as full.
  const announced = {
    id: newId(),
    bucket: "course-videos" as const,
    key: `${lesson.moduleId}/1-all-there-is.mp4`,
    fileName: "all-there-is.mp4",
    size: 9e15,
    lessonId: newId(),
    userId: coach.id,
    createdAt: services.clock.now(),
  };
  await services.db.write.insertInto("uploads").values(announced).execute();
  const page = await device({ as: coach });
  await openLesson(page, lesson.path);
  const video = mediaPart(page, "Video");
  await chooser(page, "Video").setInputFiles(shortFilm());
  await expect(video.getByText("film.mp4 was not taken")).toBeVisible();
  await expect(video.getByText(/^The disk of the site is full\./)).toBeVisible();
  await look(page, "media-disk-full", { widths: [360] });
  await services.db.write.deleteFrom("uploads").where("id", "=", announced.id).execute();
  await chooser(page, "Video").setInputFiles(shortFilm());
  await expect(video.getByText("film.mp4", { exact: true })).toBeVisible();
  await expect(video.getByText("was not taken")).toHaveCount(0);
});

test("an invitation to a course that is closed, or gone, says what that means", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 409: GET \/invitation/, /^answer 410: GET \/invitation/);
  const { services } = site;
  const address = "ruth@example.com";
  const desk = await device({ as: await createCoach(services) });
  await desk.goto(`/admin/enrollments/invite?email=${address}`);
  await hydrated(desk);
  await desk.getByLabel("Course").selectOption("The Blue Dot Method");
  await desk.getByRole("button", { name: "Send the invitation" }).click();
  await expect(toast(desk, "Invitation sent")).toBeVisible();
  const link = await linkInMail(site.dataDir, address, "/invitation");
  const page = await device();
  const heading = page.getByRole("heading", { level: 1 });

  await setCourse(services, "blue-dot-method", { active: false });
  await page.goto(link);
  await expect(heading).toHaveText("This course is closed at the moment");
  await expect(page.getByText(/^Your invitation stays valid\./)).toBeVisible();
  await look(page, "invitation-closed");
  await setCourse(services, "blue-dot-method", { active: true });
  await page.reload();
  await expect(heading).toHaveText("You are invited");

  await setCourse(services, "blue-dot-method", { deletedAt: services.clock.now() });
  await page.goto(link);
  await expect(heading).toHaveText("This course is not offered any more");
  await look(page, "invitation-gone");
});
