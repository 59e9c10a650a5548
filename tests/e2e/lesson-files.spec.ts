import { readFileSync } from "node:fs";
import { documents } from "../support/documents.ts";
import { listFile, readerOf } from "../support/lesson-files.ts";
import { createCoach } from "./support/lessons.ts";
import { aLesson, fileNamed, openLesson, test } from "./support/media.ts";
import { look } from "./support/screen.ts";
import { expect } from "./support/test.ts";

test.use({ siteKind: "shared" });

const { pdf = Buffer.alloc(0), docx = pdf } = documents;

test("a lesson's files are added, ordered and renamed, and a student downloads one on a phone", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 40[09]: /);
  const coach = await createCoach(site.services);
  const lesson = await aLesson(site.services);
  const page = await device({ as: coach });
  await openLesson(page, site.url + lesson.path);
  const files = page.getByRole("region", { name: "Files to download" });
  const titles = () =>
    files
      .getByLabel("Title")
      .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));

  await test.step("several at once, and one that is not what its name says", async () => {
    await files
      .getByLabel("Add files")
      .setInputFiles([
        fileNamed("Workbook.pdf", pdf),
        fileNamed("Letter to write.docx", docx),
        fileNamed("page.pdf", "<!doctype html><script>xss()</script>"),
        fileNamed("page.html", "<!doctype html>"),
      ]);
    await expect(files.getByText("page.pdf was not taken")).toBeVisible();
    await expect(files.getByText("page.html: This file cannot be added.")).toBeVisible();
    await expect(files.getByLabel("Title")).toHaveCount(2);
    await look(page, "lesson-files", { widths: [360, 1280] });
    await files.getByRole("button", { name: "Dismiss" }).click();
    await expect(files.getByText("page.pdf was not taken")).toBeHidden();
    await files
      .getByLabel("Add files")
      .setInputFiles(fileNamed("Pictures.zip", documents.zip ?? pdf));
    await expect(files.getByLabel("Title")).toHaveCount(3);
  });

  await test.step("renamed, and moved by button and mouse; it lasts", async () => {
    const [first = ""] = (await titles()).filter((title) => title !== "Workbook");
    await files.getByRole("button", { name: "Move Pictures up" }).click();
    await expect(files.getByText("“Pictures” is now 2 of 3.")).toBeAttached();
    await files
      .locator("li", { has: page.getByRole("button", { name: "Move Workbook up" }) })
      .locator(".lesson-file-handle")
      .dragTo(files.locator("li").last());
    await expect(files.getByText("“Workbook” is now 3 of 3.")).toBeAttached();
    const title = files.getByLabel("Title").last();
    await title.fill("Trost für jede Woche");
    await title.press("Enter");
    await expect(files.getByText("Title saved.")).toBeAttached();
    const expected = await titles();
    expect(expected.at(-1)).toBe("Trost für jede Woche");
    expect(expected).toContain(first);
    await page.reload();
    expect(await titles()).toEqual(expected);
  });

  await test.step("a title that another admin has changed meanwhile is not overwritten", async () => {
    const title = files.getByLabel("Title").last();
    await title.fill("For each week");
    await site.services.db.write
      .updateTable("lessonFiles")
      .set({ title: "From elsewhere" })
      .where("title", "=", "Trost für jede Woche")
      .execute();
    await title.press("Enter");
    await expect(
      files.getByText("Somebody else has named this file “From elsewhere”"),
    ).toBeVisible();
    await title.press("Enter");
    await expect(files.getByText("Title saved.")).toBeAttached();
  });

  const reader = await readerOf({ ...site, ask: fetch }, lesson.id);
  await test.step("a student on a phone finds them, and saves one under its title", async () => {
    const phone = await device({ as: reader.student });
    await phone.setViewportSize({ width: 360, height: 740 });
    await phone.goto(`${site.url}/courses/${reader.course.slug}/learn?lesson=${reader.course.key}`);
    const downloads = phone.getByRole("region", { name: "Downloads" });
    await expect(downloads.getByRole("listitem")).toHaveCount(3);
    await look(phone, "lesson-downloads", { widths: [360, 1280] });
    const saved = phone.waitForEvent("download");
    await downloads.getByRole("link", { name: "For each week" }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe("For each week.pdf");
    expect(readFileSync(await download.path())).toEqual(pdf);
    await expect(downloads).toBeVisible();
  });

  await test.step("one that was removed meanwhile is a page that leads back", async () => {
    watch.expect(/^answer 404: GET .*\/learn\/file\?/);
    const gone = await listFile(site.services, lesson.id, { title: "Gone soon" });
    const phone = await device({ as: reader.student });
    await phone.goto(`${site.url}/courses/${reader.course.slug}/learn?lesson=${reader.course.key}`);
    await site.services.db.write.deleteFrom("lessonFiles").where("id", "=", gone).execute();
    await phone.getByRole("link", { name: "Gone soon" }).click();
    await expect(phone.getByRole("heading", { level: 1 })).toHaveText(
      "This file is no longer there",
    );
    await look(phone, "download-gone", { widths: [360] });
    await phone.getByRole("link", { name: "Back to the lesson" }).click();
    await expect(phone.getByRole("region", { name: "Downloads" })).toBeVisible();
  });
});
