import { tabTo } from "./support/keyboard.ts";
import { box, firstLesson, heading, hydrated, lessons, secondLesson } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent, journalsOf } from "./support/students.ts";
import { expect, phone, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

test("from the course list to a completed lesson with the keyboard alone, on a phone", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services);
  const page = await device({ as: student, viewport: phone });
  await page.goto("/courses");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await look(page, "keyboard-skip-link", { widths: [360] });
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("link", { name: "Learn more about The Blue Dot Method" }));
  await page.keyboard.press("Enter");
  const enter = page.getByRole("link", { name: "Continue Learning" }).first();
  await expect(enter).toBeVisible();
  await hydrated(page);
  await tabTo(page, enter);
  await page.keyboard.press("Enter");

  await expect(heading(page)).toHaveText(firstLesson);
  await hydrated(page);
  const drawer = page.getByRole("button", { name: "Lessons" });
  await tabTo(page, drawer);
  await page.keyboard.press("Enter");
  await expect(lessons(page)).toBeVisible();
  await look(page, "drawer", { widths: [360], night: true });
  await page.keyboard.press("Escape");
  await expect(lessons(page)).toBeHidden();
  await expect(drawer).toBeFocused();
  await page.keyboard.press("Enter");
  await tabTo(page, lessons(page).getByRole("link", { name: secondLesson }));
  await page.keyboard.press("Enter");

  await expect(heading(page)).toHaveText(secondLesson);
  await expect(lessons(page)).toBeHidden();
  await expect(heading(page)).toBeFocused();
  await tabTo(page, box(page, 1));
  await page.keyboard.type("Half a second, at the door.");
  await look(page, "keyboard-box-focused", { widths: [360] });
  await tabTo(page, page.getByRole("button", { name: "Mark as Complete" }));
  await page.keyboard.press("Enter");
  await expect(toast(page, "Lesson completed!")).toBeVisible();
  await expect(heading(page)).toHaveText("You are allowed to be bad at this");
  await expect(heading(page)).toBeFocused();
  const [journal] = await journalsOf(site.services, student.id);
  expect(journal).toContain("Half a second, at the door.");
});

test("completing the last lesson of a module leaves focus at the heading", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services, { courses: ["seven-days-of-calm"] });
  const page = await device({ as: student });
  await page.goto("/courses/seven-days-of-calm/learn");
  await hydrated(page);
  const button = page.getByRole("button", { name: "Complete Module" });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Module Complete!" })).toBeDisabled();
  await expect(heading(page)).toBeFocused();
});
