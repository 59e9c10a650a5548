import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { write } from "./support/journal.ts";
import { hydrated } from "./support/player.ts";
import { look, screensFolder } from "./support/screen.ts";
import { createStudent, endSessions, leaveDraft } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

const journal = "/my-courses/journal";
const long =
  "I went down to the river again this morning. The light was flat and the water was high, and I stood where we used to stand. I did not cry this time. I told him about the dog, and about your letter, and that the roof is mended.\n\nThen I walked home the long way.";

const box = (page: Page) => page.locator("textarea[name=answer]");
const change = (page: Page) => page.getByRole("link", { name: /^Change/ });
const words = (page: Page) => page.locator(".book-words");

test("an answer is changed in its place, and kept while she types", async ({ site, device }) => {
  const { services } = site;
  const student = await createStudent(services);
  await write(services, student.id, [[long, "The second answer."], ["In the next lesson."]]);
  await leaveDraft(services, student.id, "you-are-allowed-to-be-bad-at-this", "Begun, not sent.");
  const page = await device({ as: student });
  await page.goto("/my-courses");
  await look(page, "journal-my-courses", { night: true });
  await page.getByRole("link", { name: "My journal" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("My journal");
  await hydrated(page);
  await look(page, "journal", { night: true });
  await change(page).nth(1).click();
  await expect(box(page)).toBeFocused();
  await expect(box(page)).toHaveValue("The second answer.");
  await box(page).fill("Changed in its place.");
  await expect(page.getByText("What you wrote is saved as a draft.")).toBeVisible();
  await look(page, "journal-changing", { night: true });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(toast(page, "Your answer is saved.")).toBeVisible();
  await expect(words(page).nth(1)).toHaveText("Changed in its place.");
  await expect(page.getByText("not saved")).toHaveCount(0);
  await page.reload();
  await expect(words(page).nth(1)).toHaveText("Changed in its place.");
});

test("what was typed in a lesson that is finished elsewhere is kept with a press", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services);
  await leaveDraft(site.services, student.id, "the-point-the-needle-rests-on", long);
  await write(site.services, student.id, [[]]);
  const page = await device({ as: student });
  await page.goto(journal);
  await hydrated(page);
  await expect(page.getByText(/^Written on .* and not saved$/)).toBeVisible();
  await look(page, "journal-not-saved", { night: true });
  await page.getByRole("button", { name: /^Keep this in my journal/ }).click();
  await expect(toast(page, "Your answer is saved.")).toBeVisible();
  await expect(page.getByText("and not saved")).toHaveCount(0);
  await expect(words(page).first()).toHaveText(long);
  await look(page, "journal-now-kept", { night: true });
});

test("two tabs: the second is shown the other version, and keeps its own words", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 409: POST \/my-courses\/journal\.data/);
  const student = await createStudent(site.services);
  await write(site.services, student.id, [["As it was."]]);
  const one = await device({ as: student });
  const two = await one.context().newPage();
  for (const page of [one, two]) {
    await page.goto(journal);
    await hydrated(page);
    await change(page).click();
  }
  await box(one).fill("From the first tab.");
  await one.getByRole("button", { name: "Save" }).click();
  await expect(words(one)).toHaveText("From the first tab.");
  await box(two).fill("From the second tab.");
  await two.getByRole("button", { name: "Save" }).click();
  await expect(two.getByText("Nothing has been overwritten.")).toBeVisible();
  await expect(two.getByText("From the first tab.")).toBeVisible();
  await expect(box(two)).toHaveValue("From the second tab.");
  await look(two, "journal-two-versions", { night: true });
  await two.getByRole("button", { name: "Keep both, one after the other" }).click();
  await expect(words(two)).toHaveText("From the first tab.\n\nFrom the second tab.");
});

test("signed out meanwhile, and without a connection: the words stay in the box", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/401|Failed to load resource|ERR_INTERNET_DISCONNECTED|journal\.data/);
  const student = await createStudent(site.services);
  await write(site.services, student.id, [["As it was."]]);
  const page = await device({ as: student });
  await page.goto(journal);
  await hydrated(page);
  await change(page).click();
  await box(page).fill("Typed for an hour.");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("The site cannot be reached just now.").first()).toBeVisible();
  await expect(box(page)).toHaveValue("Typed for an hour.");
  await page.context().setOffline(false);
  await endSessions(site.services, student.id);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("You have been signed out.").first()).toBeVisible();
  await expect(box(page)).toHaveValue("Typed for an hour.");
});

test("without scripts everything works as well", async ({ site, device }) => {
  const student = await createStudent(site.services);
  await write(site.services, student.id, [["One.", "Two."]]);
  const page = await device({ as: student, javaScriptEnabled: false });
  await page.goto(journal);
  await change(page).first().click();
  await expect(box(page)).toHaveValue("One.");
  await box(page).fill("One, changed.");
  await look(page, "journal-no-scripts", { axe: false });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(words(page).first()).toHaveText("One, changed.");
  await page
    .getByRole("link", { name: /^Delete ?:/ })
    .last()
    .click();
  await page.getByRole("button", { name: "Delete it" }).click();
  await expect(page.getByText("Two.")).toHaveCount(0);
  await expect(page.getByText("One, changed.")).toBeVisible();
});

test("both files are given to the browser", async ({ site, device }) => {
  const student = await createStudent(site.services);
  await write(site.services, student.id, [["*One*, and more."]]);
  const page = await device({ as: student });
  await page.goto(journal);
  await hydrated(page);
  const [markdown] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download as Markdown" }).click(),
  ]);
  expect(markdown.suggestedFilename()).toBe("my-journal.md");
  expect(readFileSync(await markdown.path(), "utf8")).toContain("\\*One\\*, and more.");
  const [everything] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download everything" }).click(),
  ]);
  expect(everything.suggestedFilename()).toMatch(/^everything-about-me-\d{4}-\d\d-\d\d\.zip$/);
  expect(
    readFileSync(await everything.path())
      .subarray(0, 2)
      .toString(),
  ).toBe("PK");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("My journal");
});

test("printed, it is a book: a title page, no word of the interface, always light", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services);
  const chapter = Array.from({ length: 6 }, () => long).join("\n\n");
  await write(site.services, student.id, [[chapter, chapter], ["Short."], [chapter, long], [long]]);
  const page = await device({ as: student, colorScheme: "dark" });
  await page.goto(journal);
  await page.getByRole("link", { name: "Print it as a book" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("My journal");
  await look(page, "journal-book", { night: true });
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute("data-printed", "");
  });
  await page.getByRole("button", { name: "Print" }).click();
  await expect(page.locator("body[data-printed]")).toHaveCount(1);

  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  await expect(page.getByRole("link", { name: "My journal" })).toBeHidden();
  await expect(page.getByText(student.name, { exact: true })).toBeVisible();
  const ink = await words(page)
    .first()
    .evaluate((element) => getComputedStyle(element).color);
  expect(ink).toBe("rgb(31, 42, 53)");
  const pdf = await page.pdf({ preferCSSPageSize: true });
  writeFileSync(path.join(screensFolder, "journal-book.pdf"), pdf);
  const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
  expect(pages).toBeGreaterThan(4);

  await page.goto(journal);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  for (const hidden of [/^Change/, /^Delete/, /^Open the lesson/, "Download as Markdown"])
    await expect(page.getByRole("link", { name: hidden }).first()).toBeHidden();
  await expect(page.getByRole("button", { name: "Download everything" })).toBeHidden();
  await expect(words(page).first()).toBeVisible();
});
