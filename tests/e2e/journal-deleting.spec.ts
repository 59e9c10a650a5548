import { write } from "./support/journal.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const journal = "/my-courses/journal";

test("deleting asks first, and names what goes", async ({ site, device }) => {
  const student = await createStudent(site.services);
  await write(site.services, student.id, [["One.", "Two."], ["Three."]]);
  const page = await device({ as: student });
  await page.goto(journal);
  await hydrated(page);
  await page
    .getByRole("link", { name: /^Delete ?:/ })
    .first()
    .click();
  const question = page.getByRole("dialog");
  await expect(question.getByText("It cannot be brought back.")).toBeVisible();
  await look(page, "journal-delete", { night: true });
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await expect(page.getByText("One.")).toBeVisible();
  await page
    .getByRole("link", { name: /^Delete ?:/ })
    .first()
    .click();
  await question.getByRole("button", { name: "Delete it" }).click();
  await expect(toast(page, "Deleted.")).toBeVisible();
  await expect(page.getByText("One.")).toHaveCount(0);
  await expect(page.getByText("Two.")).toBeVisible();
  await page.getByRole("link", { name: "Delete everything I have written" }).click();
  await expect(question.getByText("2 lessons")).toBeVisible();
  await look(page, "journal-delete-all");
  await question.getByRole("button", { name: "Delete everything" }).click();
  await expect(page.getByText("Nothing written yet")).toBeVisible();
  await look(page, "journal-empty", { night: true });
});

test("what could not be deleted is told in the question, and asked again", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/answer 500|ERR_INTERNET_DISCONNECTED/);
  const student = await createStudent(site.services);
  await write(site.services, student.id, [["One."]]);
  const page = await device({ as: student });
  await page.goto(journal);
  await hydrated(page);
  await page.getByRole("link", { name: /^Delete ?:/ }).click();
  const question = page.getByRole("dialog");
  await page.context().setOffline(true);
  await question.getByRole("button", { name: "Delete it" }).click();
  await expect(question.getByRole("alert")).toContainText("The site cannot be reached just now.");
  await look(page, "journal-delete-offline", { night: true });
  await page.context().setOffline(false);
  await page.route(/journal\.data/, (route) => route.fulfill({ status: 500, body: "" }), {
    times: 1,
  });
  await question.getByRole("button", { name: "Delete it" }).click();
  await expect(question.getByRole("alert")).toContainText("Something went wrong here");
  await question.getByRole("button", { name: "Delete it" }).click();
  await expect(toast(page, "Deleted.")).toBeVisible();
  await expect(page.getByText("One.")).toHaveCount(0);
});
