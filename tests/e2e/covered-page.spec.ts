import { write } from "./support/journal.ts";
import { hydrated } from "./support/player.ts";
import { createStudent, takeOver } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test("a covered page is not printed, searched, selected or read aloud, nor named by its tab", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services);
  const answer = "I talk to him when I drive.";
  await write(site.services, student.id, [[answer]]);
  const page = await device({ as: student });
  await page.goto("/my-courses");
  await hydrated(page);
  const tab = await page.context().newPage();
  await tab.goto("/my-courses/journal");
  await hydrated(tab);
  const selected = () =>
    tab.evaluate(() => {
      getSelection()?.selectAllChildren(document.body);
      return String(getSelection());
    });
  expect(await selected()).toContain(answer);
  const change = tab.getByRole("link", { name: /^Change/ }).first();
  await change.focus();
  const title = await tab.title();

  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/");
  await expect(tab.getByRole("dialog", { name: "You are signed out" })).toBeVisible();
  for (const media of ["print", "screen"] as const) {
    await tab.emulateMedia({ media });
    await expect(tab.getByText("What you typed here is still here.")).toBeVisible();
    await expect(tab.getByText(answer)).toBeHidden();
    expect(await selected(), media).not.toContain(answer);
    expect(await tab.locator("body").ariaSnapshot(), media).not.toContain(answer);
  }
  await tab.emulateMedia({ media: null });
  const sheets = (await tab.pdf()).toString("latin1").match(/\/Type \/Page\b/g);
  expect(sheets).toHaveLength(1);
  await expect(tab).toHaveTitle("You are signed out | Blue Dot");

  await takeOver(page, site, student);
  await page.goto("/my-courses");
  await expect(tab.getByText(answer)).toBeVisible();
  await expect(change).toBeFocused();
  await expect(tab).toHaveTitle(title);
});
