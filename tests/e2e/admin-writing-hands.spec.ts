import type { Page } from "@playwright/test";
import { createPerson } from "../support/people.ts";
import {
  createCoach,
  draftLine,
  expectSavedAsDraft,
  field,
  offer,
  openDesk,
  sampleLesson,
  save,
  text,
} from "./support/lessons.ts";
import { takeOver } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";
import type { Watch } from "./support/watch.ts";

/**
 * Presses 'Save', gets no answer, and breaks it off with the skip link: then React Router loads the
 * page anew. `meanwhile` happens before that.
 */
async function breakOff(page: Page, watch: Watch, meanwhile: () => Promise<void> = async () => {}) {
  watch.expect(
    /^failed: POST .*\/admin\/lessons\/.*\.data/,
    // The skip link is the browser's, not the router's.
    /^console warning: You are trying to use a blocker on a POP navigation/,
  );
  const never = new Promise<void>(() => {});
  await page.route("**/admin/lessons/*.data*", (route) =>
    route.request().method() === "POST" ? never : route.continue(),
  );
  await save(page).click();
  await expect(page.getByRole("button", { name: "Saving..." })).toBeVisible();
  await meanwhile();
  await page.getByRole("link", { name: /^Skip to/ }).focus();
  await page.keyboard.press("Enter");
  await expect(save(page)).toBeVisible();
}

test("a lesson that is loaded anew for another administrator has none of the words before her", async ({
  site,
  device,
  watch,
}) => {
  // Where the last save of her words comes too late for her session.
  watch.allow(/^answer 401: PUT .*\/draft$/);
  const { services } = site;
  const { id, title } = await sampleLesson(services);
  const [nora, vera] = [await createCoach(services), await createCoach(services)];
  const page = await device({ as: nora });
  await openDesk(page, `/admin/lessons/${id}`);
  await field(page, "Title").fill("Only I have thought this");
  await breakOff(page, watch, () => takeOver(page, site, vera));
  await expect(field(page, "Title")).toHaveValue(title);

  // Hers have waited on the device.
  await takeOver(page, site, nora);
  await openDesk(page, `/admin/lessons/${id}`);
  await expect(offer(page)).toBeVisible();
  await page.getByRole("link", { name: "Continue", exact: true }).click();
  await expect(field(page, "Title")).toHaveValue("Only I have thought this");
});

test("a lesson stays where it is although somebody else is signed in by now", async ({
  site,
  device,
}) => {
  const { services } = site;
  const { id } = await sampleLesson(services);
  const coach = await createCoach(services);
  const page = await device({ as: coach });
  await openDesk(page, `/admin/lessons/${id}`);
  await takeOver(page, site, await createPerson(services));
  await text(page).fill("Before somebody else came.");
  await save(page).click();
  await expect(toast(page, "Error")).toContainText("not signed in as an administrator here");
  await expect(text(page)).toHaveValue("Before somebody else came.");
  await takeOver(page, site, coach);
  await save(page).click();
  await expect(toast(page, "Lesson updated successfully")).toBeVisible();
  expect(await sampleLesson(services)).toMatchObject({ content: "Before somebody else came." });
});

test("words typed after something else has broken off their saving become a draft", async ({
  site,
  device,
  watch,
}) => {
  const { services } = site;
  const { id } = await sampleLesson(services);
  const page = await device({ as: await createCoach(services) });
  await openDesk(page, `/admin/lessons/${id}`);
  await text(page).fill("Sent.");
  await expectSavedAsDraft(page);
  await breakOff(page, watch);
  await text(page).fill("Sent, or not.");
  const kept = async () => {
    const rows = await services.db.read
      .selectFrom("drafts")
      .select("content")
      .where("discardedAt", "is", null)
      .execute();
    return rows.map(({ content }) => JSON.parse(content ?? "{}").content);
  };
  await expect.poll(kept).toEqual(["Sent, or not."]);
  await expect(draftLine(page)).toBeVisible();
});
