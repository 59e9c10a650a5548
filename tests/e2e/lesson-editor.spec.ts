import { tabTo } from "./support/keyboard.ts";
import {
  create,
  createCoach,
  createLesson,
  expectSavedAsDraft,
  field,
  openAdmin,
  preview,
  save,
  saveLesson,
  text,
} from "./support/lessons.ts";
import { look } from "./support/screen.ts";
import { expect, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

test("lesson editor: a lesson is written by keyboard, and seen as a student sees it", async ({
  site,
  device,
}) => {
  const { moduleId } = await createLesson(site.services);
  const module = site.services.db.write.updateTable("modules").where("id", "=", moduleId);
  await module.set({ title: "Tides" }).execute();
  const page = await device({ as: await createCoach(site.services) });
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const type = (words: string) => page.keyboard.type(words);
  const reach = (name: string) => tabTo(page, page.getByRole("button", { name, exact: true }), 80);

  await test.step("the list leads to a new lesson", async () => {
    await openAdmin(page, "/admin");
    const tabs = page.getByRole("navigation", { name: "Admin" });
    await tabTo(page, tabs.getByRole("link", { name: "Lessons" }));
    await press("Enter");
    await expect(page.getByRole("heading", { name: "Lessons", level: 1 })).toBeFocused();
    await tabTo(page, page.getByRole("link", { name: "New lesson" }));
    await press("Enter");
    await expect(page.getByRole("heading", { name: "New lesson" })).toBeFocused();
  });

  await test.step("title and module give slug and order number", async () => {
    await tabTo(page, field(page, "Title"));
    await type("Weather of the day");
    await tabTo(page, field(page, "Module"));
    await type("Tides");
    await expect(field(page, "Slug")).toHaveValue("weather-of-the-day");
    await expect(field(page, "Order number")).toHaveValue("2");
  });

  await test.step("the toolbar and its keys format the text; undo and redo", async () => {
    await reach("Heading");
    await press("Enter");
    await type("Look up");
    await press("Enter", "Enter", "ControlOrMeta+b");
    await type("bold");
    await press("ControlOrMeta+b");
    await type(" and ");
    await press("ControlOrMeta+i");
    await type("soft");
    await press("ControlOrMeta+i");
    await type(" ");
    await press("ControlOrMeta+k");
    await type("a friend");
    await press("End");
    await expect(text(page)).toHaveValue("## Look up\n\n**bold** and *soft* [a friend](https://)");
    await press("ControlOrMeta+z");
    await expect(text(page)).not.toHaveValue(/a friend/);
    await press("ControlOrMeta+Shift+z", "ControlOrMeta+End", "Shift+Tab", "End", "ArrowLeft");
    await expect(page.getByRole("button", { name: "Numbered list" })).toBeFocused();
  });

  await test.step("prompts are added and put in order", async () => {
    await reach("Add a prompt");
    await press("Enter");
    await type("Second?");
    await reach("Add a prompt");
    await press("Enter");
    await type("First?");
    // Shown before the button is pressed, which by itself renders the preview again.
    await expect(preview(page)).toContainText("1. Second?2. First?");
    await reach("Move prompt 2 up");
    await press("Enter");
    await expect(field(page, "Question 1")).toHaveValue("First?");
    await expect(preview(page)).toContainText("1. First?2. Second?");
    await look(page, "admin-lesson-written", { widths: [1280], night: true });
  });

  await test.step("it is created, and shown as to a student", async () => {
    await reach("Create lesson");
    await press("Enter");
    await expect(toast(page, "Lesson created successfully")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Edit lesson" })).toBeFocused();
    await tabTo(page, page.getByRole("link", { name: "View as a student" }));
    await press("Enter");
    await expect(page.getByRole("heading", { name: "Weather of the day" })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Look up" })).toBeVisible();
    await expect(page.getByLabel("1. First?")).toBeVisible();
    await expect(page.getByLabel("2. Second?")).toBeVisible();
  });
});

test("lesson editor: what is refused stays typed; a lesson is saved and deleted", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/admin\/lessons\//);
  const title = "Footprints in the sand";
  const { path, moduleId, stored } = await createLesson(site.services, title);
  const { content } = await stored();
  const coach = await createCoach(site.services);
  const page = await device({ as: coach });

  await test.step("a text that cannot be shown is refused beside it", async () => {
    await openAdmin(page, path);
    const tooDeep = `Some words.\n\n${">".repeat(200)} a quote`;
    await text(page).fill(tooDeep);
    await expect(preview(page)).toContainText("quotes or other signs inside each other");
    await save(page).click();
    await expect(text(page)).toHaveAccessibleDescription(/quotes or other signs inside each other/);
    await expect(text(page)).toHaveValue(tooDeep);
    await expectSavedAsDraft(page);
    await look(page, "admin-lesson-refused", { widths: [1280], night: true });
    expect((await stored()).content).toBe(content);
  });

  await test.step("mended, it is saved, and saved again without leaving the page", async () => {
    await text(page).fill("# A heading\n\nSome **bold** words.");
    await expect(preview(page).getByRole("heading", { name: "A heading" })).toBeVisible();
    await field(page, "Title").fill(`${title} again`);
    await expect(preview(page)).toContainText(`${title} again`);
    await expectSavedAsDraft(page);
    await look(page, "admin-lesson-preview", { widths: [1280] });
    await saveLesson(page);
    expect(await stored()).toMatchObject({ title: `${title} again`, revision: 2 });
    await text(page).fill("And once more.");
    await saveLesson(page);
    expect((await stored()).revision).toBe(3);
    await page.reload();
    await expect(text(page)).toHaveValue("And once more.");
    await expect(page.getByText("You were writing this")).toHaveCount(0);
  });

  await test.step("prompts are edited as JSON; broken JSON is refused and stays", async () => {
    await openAdmin(page, path);
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
    await look(page, "admin-lesson-broken-json", { widths: [360] });
    await json.fill('[{"question": "Whole?"}]');
    await page.getByRole("button", { name: "Edit as a list" }).click();
    await expect(field(page, "Question 1")).toHaveValue("Whole?");
    await page.getByRole("button", { name: "Remove prompt 1" }).click();
    await saveLesson(page);
    expect((await stored()).prompts).toBeNull();
  });

  await test.step("it is deleted after a question, which Escape closes; back in the outline", async () => {
    await openAdmin(page, "/admin/lessons");
    await page.getByRole("searchbox", { name: "Search by title" }).fill("prints in");
    await expect(page.getByRole("row")).toHaveCount(2);
    await page.getByRole("link", { name: `${title} again`, exact: true }).click();
    const ask = page.getByRole("link", { name: "Delete", exact: true });
    const question = page.getByRole("dialog", { name: `Delete “${title} again”?` });
    await ask.click();
    await expect(question).toBeVisible();
    await look(page, "admin-lesson-delete", { widths: [1280], night: true });
    await page.keyboard.press("Escape");
    await expect(question).toBeHidden();
    await ask.click();
    await question.getByRole("button", { name: "Delete lesson" }).click();
    await expect(toast(page, "Lesson deleted successfully")).toBeVisible();
    await expect(page).toHaveURL(/\/admin\/courses\/[\w-]{36}$/);
    await openAdmin(page, "/admin/lessons?q=prints+in");
    await expect(page.getByText("No lesson like that")).toBeVisible();
    await look(page, "admin-lessons-none-found", { widths: [360] });
  });

  await test.step("typing stays fluid in a long text, and pressing twice creates one lesson", async () => {
    await openAdmin(page, `/admin/lessons/new?module=${moduleId}`);
    await field(page, "Title").fill("Once");
    await expect(field(page, "Slug")).toHaveValue("once");
    // Not of many lines: what stands for typing here is slow with them, in any field.
    const long = `${"A very long lesson. ".repeat(250)}\n\n`.repeat(40);
    await text(page).fill(long);
    const typedMs = await text(page).evaluate((element) => {
      (element as HTMLTextAreaElement).focus();
      const started = performance.now();
      for (let at = 0; at < 20; at += 1) document.execCommand("insertText", false, "x");
      return (performance.now() - started) / 20;
    });
    expect(typedMs).toBeLessThan(100);
    // The second press comes when the request has been sent, and React does not show it yet.
    await create(page).evaluate((button: HTMLElement) => {
      const { fetch } = window;
      window.fetch = (...request) => {
        window.fetch = fetch;
        const answer = fetch(...request);
        button.click();
        return answer;
      };
      button.click();
    });
    // Rendering it takes a busy machine a while.
    await expect(toast(page, "Lesson created successfully")).toBeVisible({ timeout: 60_000 });
    const created = await site.services.db.read
      .selectFrom("lessons")
      .select("content")
      .where("moduleId", "=", moduleId)
      .where("title", "=", "Once")
      .execute();
    expect(created.map(({ content }) => content.length)).toEqual([long.length + 20]);
  });
});
