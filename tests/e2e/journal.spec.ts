import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { write } from "./support/journal.ts";
import { hydrated, openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent, endSessions, leaveDraft } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const journal = "/my-courses/journal";
const long =
  "I went down to the river again this morning. The light was flat and the water was high, and I stood where we used to stand. I did not cry this time. I told him about the dog, and about your letter, and that the roof is mended.\n\nThen I walked home the long way.";

const box = (page: Page) => page.locator("textarea[name=answer]");
const change = (page: Page) => page.getByRole("link", { name: /^Change/ });
const answers = (page: Page) => page.locator(".book-words");
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();
const deleteFirst = (page: Page) =>
  page
    .getByRole("link", { name: /^Delete ?:/ })
    .first()
    .click();

async function openJournal(page: Page) {
  await openHydrated(page, journal);
}

test("an answer is changed in its place, in two tabs and offline", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^answer 409: POST/, /^answer 401: POST/, /ERR_INTERNET_DISCONNECTED/);
  watch.allow(/^answer 401: PUT/);
  const student = await createStudent(services);
  await leaveDraft(services, student.id, "the-point-the-needle-rests-on", long);
  await write(services, student.id, [[], [long, "The second answer."]]);
  const page = await device({ as: student });

  await test.step("a draft of a completed lesson becomes its answer", async () => {
    await page.goto("/my-courses");
    await page.getByRole("link", { name: "My journal" }).click();
    await hydrated(page);
    await expect(page.getByText(/^Written on .* and not saved$/)).toBeVisible();
    await look(page, "journal", { night: true });
    await page.getByRole("button", { name: /^Keep this in my journal/ }).click();
    await expect(toast(page, "Your answer is saved.")).toBeVisible();
    await expect(page.getByText("and not saved")).toHaveCount(0);
    await expect(answers(page).first()).toHaveText(long);
  });

  await test.step("typed text is autosaved, and stands in its place when it is saved", async () => {
    await change(page).nth(2).click();
    await expect(box(page)).toBeFocused();
    await expect(box(page)).toHaveValue("The second answer.");
    await box(page).fill("Changed in its place.");
    await expect(page.getByText("What you wrote is saved as a draft.")).toBeVisible();
    await look(page, "journal-changing", { night: true });
    await save(page);
    await expect(answers(page).nth(2)).toHaveText("Changed in its place.");
    await expect(page.getByText("not saved")).toHaveCount(0);
  });

  await test.step("a second tab is shown the other version, and both can be saved", async () => {
    const other = await page.context().newPage();
    await openJournal(other);
    for (const tab of [page, other]) await change(tab).nth(2).click();
    await box(page).fill("From the first tab.");
    await save(page);
    await expect(answers(page).nth(2)).toHaveText("From the first tab.");
    await box(other).fill("From the second tab.");
    await save(other);
    await expect(other.getByText("Nothing has been overwritten.")).toBeVisible();
    await expect(other.getByText("From the first tab.")).toBeVisible();
    await expect(box(other)).toHaveValue("From the second tab.");
    await look(other, "journal-two-versions", { night: true });
    await other.getByRole("button", { name: "Keep both, one after the other" }).click();
    await expect(answers(other).nth(2)).toHaveText("From the first tab.\n\nFrom the second tab.");
    await other.close();
  });

  await test.step("offline and signed out, the text stays in the box", async () => {
    await openJournal(page);
    await change(page).nth(2).click();
    await box(page).fill("Typed for an hour.");
    await page.context().setOffline(true);
    await save(page);
    await expect(page.getByText("The site cannot be reached just now.").first()).toBeVisible();
    await expect(box(page)).toHaveValue("Typed for an hour.");
    await page.context().setOffline(false);
    await endSessions(services, student.id);
    await save(page);
    await expect(page.getByText("You have been signed out.").first()).toBeVisible();
    await expect(box(page)).toHaveValue("Typed for an hour.");
  });
});

test("entries are deleted after a question, also without scripts", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/answer 500/, /ERR_INTERNET_DISCONNECTED/);
  const student = await createStudent(services);
  await write(services, student.id, [
    ["One.", "Two."],
    ["Three.", "Four."],
  ]);

  await test.step("without scripts: an answer is changed, another deleted", async () => {
    const plain = await device({ as: student, javaScriptEnabled: false });
    await plain.goto(journal);
    await change(plain).first().click();
    await expect(box(plain)).toHaveValue("One.");
    await box(plain).fill("One, changed.");
    await look(plain, "journal-no-scripts", { axe: false });
    await save(plain);
    await expect(answers(plain).first()).toHaveText("One, changed.");
    await deleteFirst(plain);
    await plain.getByRole("button", { name: "Delete it" }).click();
    await expect(plain.getByText("One, changed.")).toHaveCount(0);
    await expect(plain.getByText("Two.")).toBeVisible();
  });

  const page = await device({ as: student });
  const question = page.getByRole("dialog");

  await test.step("the question is closed by Escape, and nothing is deleted", async () => {
    await openJournal(page);
    await deleteFirst(page);
    await expect(question.getByText("It cannot be brought back.")).toBeVisible();
    await look(page, "journal-delete", { night: true });
    await page.keyboard.press("Escape");
    await expect(question).toHaveCount(0);
    await expect(page.getByText("Two.")).toBeVisible();
  });

  await test.step("offline and after an error, the question says so and can be answered again", async () => {
    await deleteFirst(page);
    const confirm = question.getByRole("button", { name: "Delete it" });
    await page.context().setOffline(true);
    await confirm.click();
    await expect(question.getByRole("alert")).toContainText("The site cannot be reached just now.");
    await page.context().setOffline(false);
    await page.route(/journal\.data/, (route) => route.fulfill({ status: 500, body: "" }), {
      times: 1,
    });
    await confirm.click();
    await expect(question.getByRole("alert")).toContainText("Something went wrong here");
    await confirm.click();
    await expect(toast(page, "Deleted.")).toBeVisible();
    await expect(page.getByText("Two.")).toHaveCount(0);
    await expect(page.getByText("Three.")).toBeVisible();
  });

  await test.step("everything is deleted after it was counted", async () => {
    await page.getByRole("link", { name: "Delete everything I have written" }).click();
    await expect(question.getByText("1 lesson")).toBeVisible();
    await question.getByRole("button", { name: "Delete everything" }).click();
    await expect(page.getByText("Nothing written yet")).toBeVisible();
    await look(page, "journal-empty", { night: true });
  });
});

test("the journal as files and as a printed book", async ({ site: { services }, device }) => {
  const student = await createStudent(services);
  const chapter = Array.from({ length: 6 }, () => long).join("\n\n");
  await write(services, student.id, [[`*One*. ${chapter}`, chapter], ["Short."], [chapter, long]]);
  const page = await device({ as: student, colorScheme: "dark" });

  await test.step("both files are downloaded", async () => {
    await openJournal(page);
    const [markdown] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download as Markdown" }).click(),
    ]);
    expect(markdown.suggestedFilename()).toBe("my-journal.md");
    expect(readFileSync(await markdown.path(), "utf8")).toContain("\\*One\\*. I went");
    const [everything] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download everything" }).click(),
    ]);
    expect(everything.suggestedFilename()).toMatch(/^everything-about-me-\d{4}-\d\d-\d\d\.zip$/);
    expect(readFileSync(await everything.path()).toString("latin1", 0, 2)).toBe("PK");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("My journal");
  });

  await test.step("the journal page prints without its buttons and links", async () => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    for (const hidden of [/^Change/, /^Delete/, /^Open the lesson/, "Download as Markdown"])
      await expect(page.getByRole("link", { name: hidden }).first()).toBeHidden();
    await expect(page.getByRole("button", { name: "Download everything" })).toBeHidden();
    await expect(answers(page).first()).toBeVisible();
    await page.emulateMedia({ media: "screen", colorScheme: "dark" });
  });

  await test.step("the book opens the print dialog", async () => {
    await page.getByRole("link", { name: "Print it as a book" }).click();
    await look(page, "journal-book", { night: true });
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute("data-printed", "");
    });
    await page.getByRole("button", { name: "Print" }).click();
    await expect(page.locator("body[data-printed]")).toHaveCount(1);
  });

  await test.step("printed, it has a title page, pages, dark ink, and nothing of the interface", async () => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
    await expect(page.getByRole("link", { name: "My journal" })).toBeHidden();
    await expect(page.getByText(student.name, { exact: true })).toBeVisible();
    await expect(answers(page).first()).toHaveCSS("color", "rgb(31, 42, 53)");
    const pdf = await page.pdf({ preferCSSPageSize: true });
    const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
    expect(pages).toBeGreaterThan(3);
  });
});
