import type { Page } from "@playwright/test";
import { takePhotograph } from "../support/photographs.ts";
import {
  box,
  firstLesson,
  heading,
  openHydrated,
  openPlayer,
  secondLesson,
} from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent, draftsOf } from "./support/students.ts";
import { expect, phone, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const journal = "/my-courses/journal";
const field = (page: Page) => page.getByLabel("Add a photograph of a handwritten page");
const pictures = (page: Page) => page.getByRole("img", { name: /^Photograph of a handwritten/ });
const waits = (page: Page) =>
  page.getByText(/^The site cannot be reached just now\. Your photograph is not saved yet/);

async function choose(page: Page, name: string) {
  const buffer = Buffer.from(await (await takePhotograph()).arrayBuffer());
  await field(page).setInputFiles({ name, mimeType: "image/jpeg", buffer });
}

/** Also that they are there: a broken picture has no size of its own. */
async function expectPictures(page: Page, count: number) {
  await expect(pictures(page)).toHaveCount(count);
  for (const picture of await pictures(page).all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect(picture).toHaveJSProperty("naturalWidth", 900);
  }
}

test("a photograph beside an answer, on a phone, also through a tunnel", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/ERR_INTERNET_DISCONNECTED/);
  const student = await createStudent(services);
  const page = await device({ as: student, viewport: phone });
  const context = page.context();

  await test.step("chosen offline, before anything of it was loaded: both stay, and are saved later", async () => {
    await openPlayer(page);
    await context.setOffline(true);
    await box(page, 1).fill("The rest is on paper.");
    await choose(page, "one.jpg");
    await expect(waits(page)).toBeVisible();
    await look(page, "photograph-offline-first", { widths: [360], night: true });
    await context.setOffline(false);
    await expectPictures(page, 1);
    await expect(page.getByText("Your photograph is saved. Only you can see it.")).toBeVisible();
    await expect(box(page, 1)).toHaveValue("The rest is on paper.");
  });

  await test.step("a second one offline waits in the page, and is sent when the line is back", async () => {
    await context.setOffline(true);
    await box(page, 1).fill("The rest is on two sheets of paper.");
    await choose(page, "two.jpg");
    await expect(waits(page)).toBeVisible();
    await expect(page.getByRole("button", { name: "Try again now" })).toBeVisible();
    await look(page, "photograph-offline", { widths: [360] });
    await context.setOffline(false);
    await expectPictures(page, 2);
    await expect(waits(page)).toHaveCount(0);
    await expect
      .poll(() => draftsOf(services, student.id))
      .toEqual([expect.stringContaining("two sheets of paper.")]);
    await look(page, "photograph-player", { night: true });
  });

  await test.step("the journal and the book show them; the field for one more is folded", async () => {
    await openHydrated(page, journal);
    await expectPictures(page, 2);
    await expect(field(page)).toBeHidden();
    await look(page, "photograph-journal", { night: true });
    await page.locator("summary", { hasText: "Add a photograph" }).click();
    await look(page, "photograph-journal-field", { widths: [360], night: true });
    await choose(page, "three.jpg");
    await expectPictures(page, 3);
    await page.goto(`${journal}/book`);
    await expectPictures(page, 3);
    await look(page, "photograph-book", { night: true });
  });

  await test.step("they are deleted after a question, in the journal and in the lesson", async () => {
    await openHydrated(page, journal);
    // One that is deleted while it is on its way is answered with 404.
    await expectPictures(page, 3);
    await page
      .getByRole("link", { name: /^Delete ?: Photograph/ })
      .first()
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete it" }).click();
    await expectPictures(page, 2);
    await openPlayer(page);
    await expectPictures(page, 2);
    for (const left of [1, 0]) {
      await page.locator(".photograph-delete > summary").first().click();
      await page.getByRole("button", { name: "Yes, delete it" }).first().click();
      await expectPictures(page, left);
    }
    await expect(page.getByText("The photograph is deleted.")).toBeVisible();
  });
});

test("what waits for its turn is sent when the lesson is completed meanwhile", async ({
  site: { services },
  device,
}) => {
  const student = await createStudent(services);
  const page = await device({ as: student });
  await openPlayer(page);
  const sending = Promise.withResolvers<void>();
  await page.route("**/journal/picture/*", async (route) => {
    await sending.promise;
    await route.continue();
  });
  await box(page, 1).fill("Two sheets of paper.");
  await choose(page, "one.jpg");
  await expect(page.getByText("Your photograph is being saved…")).toBeVisible();
  await choose(page, "two.jpg");
  await page.getByRole("button", { name: "Mark as Complete" }).click();
  await expect(page.getByRole("button", { name: "Mark as Complete" })).toHaveCount(0);
  sending.resolve();
  const stored = services.db.read.selectFrom("journalPictures").select("id");
  const own = stored.where("userId", "=", student.id).where("storedAt", "is not", null);
  await expect.poll(async () => (await own.execute()).length).toBe(2);
});

test("what cannot be sent yet outlives its lesson, and the browser asks before it is gone", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^failed: POST .*\/journal\/picture\/.* net::ERR_FAILED$/);
  const page = await device({ as: await createStudent(services), viewport: phone });
  await openPlayer(page);
  await page.route("**/journal/picture/*", (route) => route.abort());
  await choose(page, "one.jpg");
  await expect(waits(page)).toBeVisible();

  await test.step("it waits when the lesson is opened again", async () => {
    await page.getByRole("link", { name: "Next Lesson" }).click();
    await expect(heading(page)).toHaveText(secondLesson);
    await expect(waits(page)).toHaveCount(0);
    await page.getByRole("link", { name: "Previous" }).click();
    await expect(heading(page)).toHaveText(firstLesson);
    await expect(waits(page)).toBeVisible();
  });

  await test.step("a link that leads out of the page is not followed without a question", async () => {
    const asked = page.waitForEvent("dialog");
    const press = page.getByRole("link", { name: "My Courses" }).click({ noWaitAfter: true });
    const dialog = await asked;
    expect(dialog.type()).toBe("beforeunload");
    await dialog.dismiss();
    await press;
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again now" }).click();
    await expectPictures(page, 1);
  });
});

test("without scripts, by the file field", async ({ site: { services }, device, watch }) => {
  watch.expect(/^answer 400: POST .*\/learn/);
  const student = await createStudent(services);
  const page = await device({ as: student, javaScriptEnabled: false, viewport: phone });
  const save = page.getByRole("button", { name: "Save this photograph" });
  await page.goto("/courses/blue-dot-method/learn");
  await box(page, 1).fill("Typed beside it.");
  await save.click();
  await expect(page.getByText(/^There is no photograph in what was sent/)).toBeInViewport();
  await choose(page, "one.jpg");
  await save.click();
  await expect(toast(page, "Your photograph is saved.")).toBeVisible();
  await expectPictures(page, 1);
  await expect(box(page, 1)).toHaveValue("Typed beside it.");
  await look(page, "photograph-no-scripts", { widths: [360], axe: false });
  await page.emulateMedia({ media: "print" });
  await expect(pictures(page).first()).toBeVisible();
  await expect(page.locator(".photograph-delete")).toBeHidden();
  await page.emulateMedia({ media: null });

  await page.goto(journal);
  await page.locator("summary", { hasText: "Add a photograph" }).click();
  await choose(page, "two.jpg");
  await save.click();
  await expectPictures(page, 2);
  await page
    .getByRole("link", { name: /^Delete ?: Photograph/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Delete it" }).click();
  await expectPictures(page, 1);
  await page.goto("/courses/blue-dot-method/learn");
  await expectPictures(page, 1);
  await page.locator(".photograph-delete > summary").click();
  await page.getByRole("button", { name: "Yes, delete it" }).click();
  await expectPictures(page, 0);
  await expect(box(page, 1)).toHaveValue("Typed beside it.");
});
