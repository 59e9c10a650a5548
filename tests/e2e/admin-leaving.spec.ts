import type { Page } from "@playwright/test";
import { createCourse } from "../support/courses.ts";
import { expectVisibleFocus } from "./support/keyboard.ts";
import { createCoach, openDesk } from "./support/lessons.ts";
import { mediaPart } from "./support/media.ts";
import { look } from "./support/screen.ts";
import { expect, test, toast } from "./support/test.ts";

const question = (page: Page) => page.getByRole("dialog", { name: "Leave without saving?" });
const stay = (page: Page) => question(page).getByRole("button", { name: "Stay" });
const leave = (page: Page) => question(page).getByRole("button", { name: "Leave without saving" });
const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name });
const title = (page: Page) => page.getByRole("main").getByLabel("Title");

test("a course with unsaved words is not left without a question, with the keyboard alone", async ({
  site,
  device,
}) => {
  const { id } = await createCourse(site.services, [[]], { title: "Water" });
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, `/admin/courses/${id}`);
  await title(page).fill("Water and air");
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
  await expect(page).toHaveURL(`/admin/courses/${id}`);
  await expect(title(page)).toHaveValue("Water and air");

  await page.keyboard.press("Enter");
  await expect(stay(page)).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(leave(page)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Modules" })).toBeFocused();
  await expect(question(page)).toHaveCount(0);
  await page.goto(`/admin/courses/${id}`);
  await expect(title(page)).toHaveValue("Water");
});

test("the way back of the browser asks as well, and so does what is new", async ({
  site,
  device,
}) => {
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, "/admin");
  await page.getByRole("link", { name: "New course" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New course");
  await title(page).fill("Air");
  await page.goBack();
  await stay(page).click();
  await expect(question(page)).toHaveCount(0);
  // The browser has been there already, and is on its way back.
  await expect.poll(() => page.evaluate(() => location.pathname)).toBe("/admin/courses/new");
  await expect(title(page)).toHaveValue("Air");
  await page.goBack();
  await leave(page).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Courses");
  await expect(page).toHaveURL("/admin");

  await tab(page, "Modules").click();
  await page.getByRole("link", { name: "New module" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New module");
  await title(page).fill("Week 1");
  await tab(page, "Lessons").click();
  await leave(page).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Lessons");
});

test("the browser asks before the tab is closed or leads elsewhere, as long as something is unsaved", async ({
  site,
  device,
}) => {
  const { id } = await createCourse(site.services, [[]], { title: "Water" });
  const page = await device({ as: await createCoach(site.services) });
  const asked: string[] = [];
  page.on("dialog", async (dialog) => {
    asked.push(dialog.type());
    await dialog.dismiss();
  });
  await openDesk(page, `/admin/courses/${id}`);
  await title(page).fill("Water and air");
  await page.getByRole("link", { name: "Its page" }).click({ noWaitAfter: true });
  await expect.poll(() => asked).toEqual(["beforeunload"]);
  await expect(title(page)).toHaveValue("Water and air");
  await title(page).fill("Water");
  await page.getByRole("link", { name: "Its page" }).click();
  await expect(page).not.toHaveURL(/\/admin\//);
  expect(asked).toEqual(["beforeunload"]);
});

test("nothing is asked after a save, nor by the buttons that keep or save the words", async ({
  site,
  device,
}) => {
  const { services } = site;
  const page = await device({ as: await createCoach(services) });
  await openDesk(page, "/admin/courses/new");
  await title(page).fill("Air");
  await expect(page.getByLabel("Slug")).toHaveValue("air");
  await page.getByLabel("Price").fill("12.5");
  await page.getByRole("button", { name: "Create course" }).click();
  await expect(toast(page, "Course created successfully")).toBeVisible();
  await page.getByLabel("Description").fill("  For the first days. ");
  await page.getByRole("button", { name: "Activate Air" }).click();
  await expect(toast(page, "Course activated")).toBeVisible();
  await page.getByRole("button", { name: "Save course" }).click();
  await expect(toast(page, "Course updated successfully")).toBeVisible();
  await expect(page.getByLabel("Description")).toHaveValue("For the first days.");
  await page.getByRole("link", { name: "Add module" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New module");
  await title(page).fill("Week 1");
  await page.getByRole("button", { name: "Create module" }).click();
  await expect(toast(page, "Module created successfully")).toBeVisible();
  await page.getByRole("link", { name: "Week 1", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Week 1");
  await title(page).fill("Week one");
  await page.getByRole("link", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete module" }).click();
  await expect(toast(page, "Module deleted successfully")).toBeVisible();
  await expect(question(page)).toHaveCount(0);
});

test("a copy is not made before the words of its original are saved or given up", async ({
  site,
  device,
}) => {
  const { id } = await createCourse(site.services, [[]], { title: "Water" });
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, `/admin/courses/${id}`);
  await title(page).fill("Water and air");
  await page.getByRole("button", { name: "Duplicate" }).click();
  await stay(page).click();
  await expect(question(page)).toHaveCount(0);
  await expect(title(page)).toHaveValue("Water and air");
  await page.getByRole("button", { name: "Duplicate" }).click();
  await leave(page).click();
  await expect(toast(page, "Course duplicated")).toBeVisible();
  await expect(page).not.toHaveURL(`/admin/courses/${id}`);
  await expect(title(page)).toHaveValue(/Water/);
  await expect(title(page)).not.toHaveValue("Water and air");
});

const vtt = "WEBVTT\n\n00:00.000 --> 00:00.500\nGood morning.\n";

test("pasted captions stay when others are removed, and are not left without a question", async ({
  site,
  device,
}) => {
  const { id } = await site.services.db.write
    .updateTable("lessons")
    .set({ videoCaptions: vtt })
    .where("muxPlaybackId", "is not", null)
    .returning("id")
    .executeTakeFirstOrThrow();
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, `/admin/lessons/${id}`);
  const video = mediaPart(page, "Video");
  await video.getByText("Replace them").click();
  const pasted = video.getByLabel("Or paste the captions here");
  await pasted.fill(vtt);
  await video.getByRole("button", { name: "Remove", exact: true }).last().click();
  await page.getByRole("button", { name: "Remove the captions" }).click();
  await expect(video.getByRole("heading", { name: "No captions yet" })).toBeVisible();
  await expect(pasted).toHaveValue(vtt);
  await tab(page, "Courses").click();
  await stay(page).click();
  await video.getByRole("button", { name: "Save captions" }).click();
  await expect(video.getByRole("heading", { name: "Captions: 1 line" })).toBeVisible();
  await tab(page, "Courses").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Courses");
});

for (const keeps of [true, false])
  test(`a transcript ${keeps ? "that the device keeps is left without a question" : "that the device cannot keep is not"}`, async ({
    site,
    device,
  }) => {
    const { id } = await site.services.db.read
      .selectFrom("lessons")
      .select("id")
      .where("muxPlaybackId", "is not", null)
      .executeTakeFirstOrThrow();
    const page = await device({ as: await createCoach(site.services) });
    if (!keeps)
      await page.addInitScript(() => {
        const { setItem } = Storage.prototype;
        Storage.prototype.setItem = function (...item) {
          if (this === localStorage) throw new DOMException("full", "QuotaExceededError");
          setItem.apply(this, item);
        };
      });
    await openDesk(page, `/admin/lessons/${id}`);
    const video = mediaPart(page, "Video");
    await video.getByText("Write a transcript").click();
    const transcript = video.getByLabel("Transcript of the video");
    await transcript.fill("Sit down.");
    await tab(page, "Courses").click();
    if (!keeps) {
      await stay(page).click();
      await video.getByRole("button", { name: "Save transcript" }).click();
      await expect(video.getByRole("heading", { name: "Transcript: 2 words" })).toBeVisible();
      await tab(page, "Courses").click();
    }
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Courses");
    await page.goBack();
    await video
      .locator("details:has(textarea[name=text])")
      .last()
      .evaluate((details) => {
        (details as HTMLDetailsElement).open = true;
      });
    await expect(transcript).toHaveValue("Sit down.");
  });
