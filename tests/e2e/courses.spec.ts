import { createCourse } from "../support/courses.ts";
import { firstLesson, heading } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

test("a visitor finds a course and is asked to sign in first", async ({ site, device }) => {
  const { slug } = await createCourse(site.services, [[{}]], { title: "A quiet week" });
  const page = await device();
  await page.goto("/");
  await page.getByRole("link", { name: "Explore Courses" }).click();
  await expect(page).toHaveTitle("Courses | Blue Dot");
  for (const title of await page.getByRole("main").getByRole("heading", { level: 2 }).all()) {
    const below = await title.evaluate(
      ({ scrollHeight, clientHeight }) => scrollHeight - clientHeight,
    );
    expect(below, "pixels of a title that its box cuts off").toBe(0);
  }
  const link = page.getByRole("link", { name: "Learn more about A quiet week" });
  // The list may come from memory, which is a second behind.
  await expect(async () => {
    await page.reload();
    await expect(link).toBeVisible({ timeout: 500 });
  }).toPass();
  await link.click();
  await expect(page).toHaveTitle("A quiet week | Blue Dot");
  await page.getByRole("button", { name: "Enroll Now" }).click();
  await expect(page).toHaveURL(`/auth?redirect=/courses/${slug}`);
  await expect(toast(page, "Please sign in to enroll in this course")).toBeVisible();
  await look(page, "auth-after-enroll");
});

test("somebody who is not enrolled learns how enrolling works; who is, goes on", async ({
  site,
  device,
}) => {
  const { slug } = await createCourse(site.services, [[{}]], { title: "A quiet month" });
  const student = await createStudent(site.services, { courses: ["seven-days-of-calm"] });
  const page = await device({ as: student });
  await page.goto(`/courses/${slug}`);
  await page.getByRole("button", { name: "Enroll Now" }).click();
  await expect(toast(page, "Enrollment")).toContainText(
    "Payment integration is coming soon. For demo, enrollment can be done via an admin panel.",
  );
  await expect(page).toHaveURL(`/courses/${slug}`);
  await look(page, "course-enrollment-toast");

  await page.goto(`/courses/${slug}/learn`);
  await expect(page).toHaveURL(`/courses/${slug}`);
  await expect(toast(page, "Not enrolled")).toContainText("Please enroll in this course first");
  await expect(toast(page, "Not enrolled")).toHaveRole("alert");
  await look(page, "course-not-enrolled-toast");

  await page.goto("/courses/no-such-course/learn");
  await expect(page).toHaveURL("/courses");
  await expect(toast(page, "Course not found")).toBeVisible();

  await page.goto("/courses/seven-days-of-calm");
  await expect(page.getByText("Already Enrolled")).toBeVisible();
  await page.getByRole("link", { name: "Continue Learning" }).first().click();
  await expect(page).toHaveURL("/courses/seven-days-of-calm/learn");
  await expect(heading(page)).toHaveText("Put your weight down");
});

test("the player asks a visitor to sign in, and brings her back to her lesson", async ({
  device,
}) => {
  const page = await device();
  await page.goto("/courses/blue-dot-method/learn?lesson=toast-counts");
  await expect(page.getByRole("heading", { name: "Welcome Back" })).toBeVisible();
  const redirect = new URL(page.url()).searchParams.get("redirect");
  expect(redirect).toBe("/courses/blue-dot-method/learn?lesson=toast-counts");
});

test("unknown addresses say so and lead on", async ({ site, device, watch }) => {
  watch.expect(/^answer 404: GET \/courses\/no-such-course$/, /^answer 404: GET \/nowhere$/);
  const page = await device();
  for (const address of ["/courses/no-such-course", "/nowhere"]) {
    await page.goto(address);
    await expect(page.getByText("404")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Page Not Found" })).toBeVisible();
    await expect(
      page.getByText("The page you're looking for doesn't exist or has been moved."),
    ).toBeVisible();
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
  }
  await look(page, "not-found", { night: true });
  await page.getByRole("link", { name: "View Courses" }).click();
  await expect(page).toHaveURL("/courses");

  const student = await device({ as: await createStudent(site.services) });
  await student.goto("/nowhere");
  await look(student, "not-found-signed-in");
  await student.getByRole("link", { name: "Go Home" }).click();
  await expect(student).toHaveURL("/");
  await student.goto("/courses/blue-dot-method/learn");
  await expect(heading(student)).toHaveText(firstLesson);
});
