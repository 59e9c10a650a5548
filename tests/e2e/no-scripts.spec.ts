import { createCourse } from "../support/courses.ts";
import { box, firstLesson, heading, lessons, secondLesson } from "./support/player.ts";
import { look } from "./support/screen.ts";
import {
  createStudent,
  draftsOf,
  endSessions,
  givePassword,
  journalsOf,
  leaveDraft,
} from "./support/students.ts";
import { expect, phone, test, toast } from "./support/test.ts";

const password = "Quiet Morning 1";
const plain = { axe: false };

test("the whole job works without scripts, on a phone", async ({ site, device }) => {
  const student = await createStudent(site.services);
  const { slug } = await createCourse(site.services, [[{}]], { title: "A plain course" });
  await givePassword(site.services, student.id, password);
  await leaveDraft(site.services, student.id, "the-point-the-needle-rests-on", "From last week.");
  const page = await device({ javaScriptEnabled: false, viewport: phone });

  await page.goto("/auth?redirect=/courses");
  await page.getByLabel("Email", { exact: true }).fill(student.email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL("/courses");
  await expect(toast(page, "Welcome back!")).toBeVisible();
  await look(page, "plain-courses", plain);

  await page.getByRole("link", { name: /Learn more about A plain course/ }).click();
  await expect(page).toHaveURL(`/courses/${slug}`);
  await page.getByRole("button", { name: "Enroll Now" }).click();
  await expect(toast(page, "Enrollment")).toContainText("Payment integration is coming soon");
  await page.getByRole("button", { name: "Menu" }).click();
  await look(page, "plain-menu", { ...plain, widths: [360] });
  await page.getByRole("link", { name: "My Courses" }).click();
  await page.getByRole("link", { name: /^Start Course/ }).click();

  await expect(heading(page)).toHaveText(firstLesson);
  await page.getByRole("link", { name: "Restore it?" }).click();
  await expect(box(page, 1)).toHaveValue("From last week.");
  await look(page, "plain-restored", plain);
  await box(page, 1).fill("From last week, and today.");
  await page.getByRole("button", { name: "Mark as Complete" }).click();
  await expect(toast(page, "Lesson completed!")).toBeVisible();
  await expect(heading(page)).toHaveText(secondLesson);
  expect(await draftsOf(site.services, student.id)).toEqual([]);

  await page.getByRole("button", { name: "Lessons" }).click();
  await expect(lessons(page)).toBeVisible();
  await look(page, "plain-drawer", { ...plain, widths: [360] });
  await lessons(page).getByRole("link", { name: firstLesson }).click();
  await expect(page.getByText("From last week, and today.")).toBeVisible();
  await expect(lessons(page)).toBeHidden();
  await look(page, "plain-completed", plain);
});

test("without scripts, a session that ended gives the words back, to be sent again", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 401: POST .*\/learn/);
  const student = await createStudent(site.services);
  await givePassword(site.services, student.id, password);
  const page = await device({ as: student, javaScriptEnabled: false });
  await page.goto("/courses/blue-dot-method");
  await expect(page.getByText("Already Enrolled")).toBeVisible();
  await page.getByRole("link", { name: "Continue Learning" }).first().click();
  await box(page, 1).fill("Line one,\nline two </textarea><script>alert(1)</script>");
  await endSessions(site.services, student.id);
  await page.getByRole("button", { name: "Mark as Complete" }).click();
  await expect(heading(page)).toHaveText("You have been signed out");
  await look(page, "plain-signed-out", plain);

  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Sign in again in a new tab" }).click();
  const tab = await opened;
  await tab.getByLabel("Email", { exact: true }).fill(student.email);
  await tab.getByLabel("Password", { exact: true }).fill(password);
  await tab.getByRole("button", { name: "Sign In" }).click();
  await expect(tab).toHaveURL("/my-courses");
  await tab.close();

  await page.getByRole("button", { name: "I am signed in: save it now" }).click();
  await expect(heading(page)).toHaveText(secondLesson);
  const [journal] = await journalsOf(site.services, student.id);
  expect(journal).toContain("\nLine one,\nline two </textarea><script>alert(1)</script>");
});
