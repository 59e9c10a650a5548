import type { Page } from "@playwright/test";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../support/courses.ts";
import { expectVisibleFocus } from "./support/keyboard.ts";
import { createCoach, field, openAdmin } from "./support/lessons.ts";
import { aLesson, mediaPart } from "./support/media.ts";
import { heading } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, press, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const question = (page: Page) => page.getByRole("dialog", { name: "Leave without saving?" });
const stay = (page: Page) => question(page).getByRole("button", { name: "Cancel" });
const leave = (page: Page) => question(page).getByRole("button", { name: "Leave without saving" });
const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name });

test("unsaved changes are not left without a question", async ({ site: { services }, device }) => {
  const coach = await createCoach(services);
  const page = await device({ as: coach });
  const title = field(page, "Title");
  const open = async () => {
    const { id } = await createCourse(services, [[]], { title: "Water" });
    await openAdmin(page, `/admin/courses/${id}`);
    await title.fill("Water and air");
    return `/admin/courses/${id}`;
  };

  await test.step("by keyboard: stay, Escape, leave", async () => {
    const address = await open();
    await tab(page, "Modules").focus();
    await page.keyboard.press("Enter");
    await expect(stay(page)).toBeFocused();
    await expectVisibleFocus(page);
    await look(page, "admin-leave-question", { night: true, widths: [320, 360, 1280] });
    await page.keyboard.press("Enter");
    await expect(question(page)).toHaveCount(0);
    await expect(tab(page, "Modules")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(stay(page)).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(question(page)).toHaveCount(0);
    await expect(page).toHaveURL(address);
    await expect(title).toHaveValue("Water and air");
    await page.keyboard.press("Enter");
    await expect(stay(page)).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(leave(page)).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(heading(page)).toHaveText("Modules");
    await expect(heading(page)).toBeFocused();
    await expect(question(page)).toHaveCount(0);
    await page.goto(address);
    await expect(title).toHaveValue("Water");
  });

  await test.step("by the browser's back button, and in the forms of what is new", async () => {
    await openAdmin(page, "/admin");
    await page.getByRole("link", { name: "New course" }).click();
    await expect(heading(page)).toHaveText("New course");
    await title.fill("Air");
    await page.goBack();
    await stay(page).click();
    await expect(question(page)).toHaveCount(0);
    // The browser has been there already, and is on its way back.
    await expect.poll(() => page.evaluate(() => location.pathname)).toBe("/admin/courses/new");
    await expect(title).toHaveValue("Air");
    await page.goBack();
    await leave(page).click();
    await expect(heading(page)).toHaveText("Overview");
    await expect(page).toHaveURL("/admin");
    await tab(page, "Modules").click();
    await page.getByRole("link", { name: "New module" }).click();
    await expect(heading(page)).toHaveText("New module");
    await title.fill("Week 1");
    await tab(page, "Lessons").click();
    await leave(page).click();
    await expect(heading(page)).toHaveText("Lessons");
  });

  await test.step("a copy waits until the original is saved or left", async () => {
    const address = await open();
    await page.getByRole("button", { name: "Duplicate" }).click();
    await stay(page).click();
    await expect(question(page)).toHaveCount(0);
    await expect(title).toHaveValue("Water and air");
    await page.getByRole("button", { name: "Duplicate" }).click();
    await leave(page).click();
    await expect(toast(page, "Course duplicated")).toBeVisible();
    await expect(page).not.toHaveURL(address);
    await expect(title).toHaveValue("Water (copy)");
  });

  await test.step("the browser asks before the tab leads elsewhere, as long as something is unsaved", async () => {
    const asked: string[] = [];
    const tabOf = await device({ as: coach });
    tabOf.on("dialog", async (dialog) => {
      asked.push(dialog.type());
      await dialog.dismiss();
    });
    const { id } = await createCourse(services, [[]], { title: "Water" });
    await openAdmin(tabOf, `/admin/courses/${id}`);
    await field(tabOf, "Title").fill("Water and air");
    await tabOf.getByRole("link", { name: "Its page" }).click({ noWaitAfter: true });
    await expect.poll(() => asked).toEqual(["beforeunload"]);
    await expect(field(tabOf, "Title")).toHaveValue("Water and air");
    await field(tabOf, "Title").fill("Water");
    await tabOf.getByRole("link", { name: "Its page" }).click();
    await expect(tabOf).not.toHaveURL(/\/admin\//);
    expect(asked).toEqual(["beforeunload"]);
  });

  await test.step("nothing is asked after a save, nor by the buttons that save, activate or delete", async () => {
    const name = `Air ${newId().slice(-6)}`;
    await openAdmin(page, "/admin/courses/new");
    await title.fill(name);
    await expect(field(page, "Slug")).toHaveValue(name.toLowerCase().replace(" ", "-"));
    await field(page, "Price").fill("12.5");
    await press(page, "Create course", "Course created successfully");
    await page.getByLabel("Description").fill("  For the first days. ");
    await page.getByRole("button", { name: `Activate ${name}` }).click();
    await expect(toast(page, "Course activated")).toBeVisible();
    await press(page, "Save course", "Course updated successfully");
    await expect(page.getByLabel("Description")).toHaveValue("For the first days.");
    await page.getByRole("link", { name: "Add module" }).click();
    await expect(heading(page)).toHaveText("New module");
    await title.fill("Week 1");
    await press(page, "Create module", "Module created successfully");
    await page.getByRole("link", { name: "Week 1", exact: true }).click();
    await expect(heading(page)).toHaveText("Week 1");
    await title.fill("Week one");
    await page.getByRole("link", { name: "Delete", exact: true }).click();
    await press(page, "Delete module", "Module deleted successfully");
    await expect(question(page)).toHaveCount(0);
  });

  for (const isFull of [false, true])
    await test.step(`a transcript that the device ${isFull ? "cannot store is saved first" : "stores is left without a question"}`, async () => {
      const lesson = await aLesson(services, { video: true });
      const desk = await device({ as: coach });
      if (isFull)
        await desk.addInitScript(() => {
          const { setItem } = Storage.prototype;
          Storage.prototype.setItem = function (...item) {
            if (this === localStorage) throw new DOMException("full", "QuotaExceededError");
            setItem.apply(this, item);
          };
        });
      await openAdmin(desk, lesson.path);
      const video = mediaPart(desk, "Video");
      await video.getByText("Write a transcript").click();
      const transcript = video.getByLabel("Transcript of the video");
      await transcript.fill("Sit down.");
      await tab(desk, "Courses").click();
      if (isFull) {
        await stay(desk).click();
        await video.getByRole("button", { name: "Save transcript" }).click();
        await expect(video.getByRole("heading", { name: "Transcript: 2 words" })).toBeVisible();
        await tab(desk, "Courses").click();
      }
      await expect(heading(desk)).toHaveText("Courses");
      await desk.goBack();
      await video
        .locator("details:has(textarea[name=text])")
        .last()
        .evaluate((details) => {
          (details as HTMLDetailsElement).open = true;
        });
      await expect(transcript).toHaveValue("Sit down.");
    });
});
