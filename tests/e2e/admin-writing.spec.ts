import type { Page } from "@playwright/test";
import {
  create,
  createCoach,
  field,
  openDesk,
  preview,
  sampleLesson,
  save,
  text,
} from "./support/lessons.ts";
import { look } from "./support/screen.ts";
import { expect, test, toast } from "./support/test.ts";

/** Tab until something with this name has the focus. */
async function tabTo(page: Page, name: string) {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press("Tab");
    const isThere = await page.evaluate((wanted) => {
      const element = document.activeElement as HTMLElement & { labels?: NodeListOf<HTMLElement> };
      const label = element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent;
      // A button that works says so in a second label.
      return label?.trim().replace(/Saving\.\.\.$/, "") === wanted;
    }, name);
    if (isThere) return;
  }
  throw new Error(`Tab never came to ${name}`);
}

test("a whole lesson is written with the keyboard alone, and seen as a student sees it", async ({
  site,
  device,
}) => {
  const page = await device({ as: await createCoach(site.services) });
  const keys = page.keyboard;
  await openDesk(page, "/admin");
  await tabTo(page, "Lessons");
  await keys.press("Enter");
  await expect(page.getByRole("heading", { name: "Lessons", level: 1 })).toBeFocused();
  await tabTo(page, "New lesson");
  await keys.press("Enter");
  await expect(page.getByRole("heading", { name: "New lesson" })).toBeFocused();
  await tabTo(page, "Title");
  await keys.type("Weather of the day");
  await tabTo(page, "Module");
  await keys.type("Week 2");
  await expect(field(page, "Slug")).toHaveValue("weather-of-the-day");
  await expect(field(page, "Order number")).toHaveValue("5");
  await tabTo(page, "Heading");
  await keys.press("Enter");
  await keys.type("Look up");
  await keys.press("Enter");
  await keys.press("Enter");
  await keys.press("ControlOrMeta+b");
  await keys.type("bold");
  await keys.press("ControlOrMeta+b");
  await keys.type(" and ");
  await keys.press("ControlOrMeta+i");
  await keys.type("soft");
  await keys.press("ControlOrMeta+i");
  await keys.type(" ");
  await keys.press("ControlOrMeta+k");
  await keys.type("a friend");
  await keys.press("End");
  await expect(text(page)).toHaveValue("## Look up\n\n**bold** and *soft* [a friend](https://)");
  await keys.press("ControlOrMeta+z");
  await expect(text(page)).not.toHaveValue(/a friend/);
  await keys.press("ControlOrMeta+Shift+z");
  await keys.press("ControlOrMeta+End");
  await keys.press("Shift+Tab");
  await keys.press("End");
  await keys.press("ArrowLeft");
  await expect(page.getByRole("button", { name: "Numbered list" })).toBeFocused();
  await tabTo(page, "Add a prompt");
  await keys.press("Enter");
  await keys.type("Second?");
  await tabTo(page, "Add a prompt");
  await keys.press("Enter");
  await keys.type("First?");
  await tabTo(page, "Move prompt 2 up");
  await keys.press("Enter");
  await expect(field(page, "Question 1")).toHaveValue("First?");
  await expect(preview(page)).toContainText("1. First?");
  await look(page, "admin-lesson-written", { night: true });
  await tabTo(page, "Create lesson");
  await keys.press("Enter");
  await expect(toast(page, "Lesson created successfully")).toBeVisible();
  await tabTo(page, "View as a student");
  await keys.press("Enter");
  await expect(page.getByRole("heading", { name: "Weather of the day" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Look up" })).toBeVisible();
  await expect(page.getByLabel("1. First?")).toBeVisible();
  await expect(page.getByLabel("2. Second?")).toBeVisible();
});

test("broken JSON is told in the words of the specification, and kept", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/admin\/lessons\//);
  const { id } = await sampleLesson(site.services);
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, `/admin/lessons/${id}`);
  await page.getByRole("button", { name: "Edit as JSON" }).click();
  const json = field(page, "Prompts as JSON");
  await expect(json).toHaveValue(/Where are you tonight/);
  await json.fill('[{"question": "Half');
  await page.getByRole("button", { name: "Edit as a list" }).click();
  await expect(page.getByText("Invalid JSON format for prompts")).toBeVisible();
  await save(page).click();
  await expect(toast(page, "Error")).toContainText("Invalid JSON format for prompts");
  await expect(json).toBeFocused();
  await expect(json).toHaveValue('[{"question": "Half');
  await look(page, "admin-lesson-broken-json", { night: true });
  await json.fill('[{"question": "Whole?"}]');
  await page.getByRole("button", { name: "Edit as a list" }).click();
  await expect(field(page, "Question 1")).toHaveValue("Whole?");
  await page.getByRole("button", { name: "Remove prompt 1" }).click();
  await save(page).click();
  await expect(toast(page, "Lesson updated successfully")).toBeVisible();
  expect((await sampleLesson(site.services)).prompts).toBeNull();
});

test("pressed twice, a new lesson is created once; a long text stays fluid", async ({
  site,
  device,
}) => {
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, "/admin/lessons/new");
  await field(page, "Title").fill("Once");
  await field(page, "Module").selectOption({ index: 1 });
  await expect(field(page, "Slug")).toHaveValue("once");
  // Not of many lines: what stands for typing here is slow with them, in any field.
  const long = `${"A very long lesson. ".repeat(250)}\n\n`.repeat(40);
  await text(page).fill(long);
  const typedMs = await text(page).evaluate(async (element) => {
    const area = element as HTMLTextAreaElement;
    area.focus();
    const started = performance.now();
    for (let letter = 0; letter < 20; letter += 1) document.execCommand("insertText", false, "x");
    return (performance.now() - started) / 20;
  });
  expect(typedMs).toBeLessThan(100);
  await create(page).dblclick();
  // Rendering it takes a busy machine a while.
  await expect(toast(page, "Lesson created successfully")).toBeVisible({ timeout: 60_000 });
  const stored = await site.services.db.read
    .selectFrom("lessons")
    .select("content")
    .where("title", "=", "Once")
    .execute();
  expect(stored.map(({ content }) => content.length)).toEqual([long.length + 20]);
});
