import { calm, complete, heading, lessons, openPlayer } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent, letDaysPass } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const timezoneId = "Pacific/Auckland";
const dayMs = 24 * 3600 * 1000;
const moduleDone = "🎉 Module Complete!";

test("7 Days of Calm, day by day, to its end", async ({ site, device }) => {
  const student = await createStudent(site.services, { courses: ["seven-days-of-calm"] });
  const page = await device({ as: student, timezoneId });
  const locked = (title: string) => lessons(page).locator("[aria-disabled]", { hasText: title });
  const nextDay = async (days: number) => {
    await letDaysPass(site.services, student.id, days);
    await page.getByRole("link", { name: "My Courses" }).click();
    await page.getByRole("link", { name: "Continue Learning" }).click();
  };

  await page.goto("/my-courses");
  await page.getByRole("link", { name: "Start Course" }).click();
  await expect(heading(page)).toHaveText("Put your weight down");
  await expect(page.getByRole("heading", { name: "Audio Lesson" })).toBeVisible();
  const { createdAt } = await site.services.db.read
    .selectFrom("enrollments")
    .select("createdAt")
    .where("userId", "=", student.id)
    .executeTakeFirstOrThrow();
  const opens = (day: number) =>
    new Intl.DateTimeFormat("en-US", {
      timeZone: timezoneId,
      month: "short",
      day: "numeric",
    }).format(createdAt.getTime() + day * dayMs);
  await expect(locked("Something warm, sitting down")).toContainText(`Opens ${opens(1)}`);
  await expect(locked("Something warm, sitting down")).toContainText("Day 1");
  await expect(locked("One thing to steer by")).toContainText(`Opens ${opens(6)}`);
  await look(page, "calm-first-day");

  // The module has one lesson: it is the last.
  await complete(page, moduleDone);
  await expect(page.getByRole("button", { name: "Module Complete!" })).toBeDisabled();
  await expect(page.getByRole("link", { name: "Next Lesson" })).toHaveCount(0);
  await expect(page.getByText("14% Complete")).toBeVisible();

  await nextDay(1);
  await expect(heading(page)).toHaveText("Something warm, sitting down");
  await expect(
    lessons(page).getByRole("link", { name: /Put your weight down.*completed/ }),
  ).toBeVisible();
  await expect(locked("The hour when you wake")).toContainText("Day 2");
  await complete(page);
  // The next one is locked: she stays.
  await expect(heading(page)).toHaveText("Something warm, sitting down");
  await expect(page.getByRole("link", { name: "Next Lesson" })).toHaveCount(0);
  await look(page, "calm-second-day-done");

  await nextDay(2);
  await expect(heading(page)).toHaveText("The hour when you wake");
  await complete(page);
  await expect(heading(page)).toHaveText("When it finds you in public");
  await complete(page, moduleDone);

  await nextDay(3);
  await expect(lessons(page).locator("[aria-disabled]")).toHaveCount(0);
  await expect(heading(page)).toHaveText("Ten minutes of far away");
  await complete(page);
  await complete(page);
  await expect(heading(page)).toHaveText("One thing to steer by");
  await complete(page, moduleDone);
  await expect(page.getByText("100% Complete")).toBeVisible();
  await look(page, "calm-all-done", { night: true });

  // All done: the course opens at its beginning (spec 4, initial lesson).
  await openPlayer(page, calm);
  await expect(heading(page)).toHaveText("Put your weight down");
  await page.goto("/my-courses");
  await expect(page.getByText("100% Complete")).toBeVisible();
  const { count } = await site.services.db.read
    .selectFrom("moduleCompletionEmails")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("userId", "=", student.id)
    .executeTakeFirstOrThrow();
  expect(count).toBe(3);
  await expect(toast(page, moduleDone)).toHaveCount(0);
});
