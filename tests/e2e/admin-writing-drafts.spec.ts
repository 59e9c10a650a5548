import type { Page } from "@playwright/test";
import { cookieOf } from "../support/people.ts";
import {
  createCoach,
  expectSavedAsDraft,
  field,
  offer,
  openDesk,
  sampleLesson,
  save,
  text,
} from "./support/lessons.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { endSessions } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

const continued = (page: Page) => page.getByRole("link", { name: "Continue", exact: true });
test("what was typed survives a reload in the very last moment", async ({ site, device }) => {
  const { id } = await sampleLesson(site.services);
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, `/admin/lessons/${id}`);
  await text(page).fill("Typed, and gone at once.");
  await page.reload();
  await expect(offer(page)).toBeVisible();
  await look(page, "admin-lesson-draft-offer", { night: true });
  await continued(page).click();
  await expect(text(page)).toHaveValue("Typed, and gone at once.");
  await expect(offer(page)).toHaveCount(0);
  await save(page).click();
  await expect(toast(page, "Lesson updated successfully")).toBeVisible();
  await page.reload();
  await expect(text(page)).toHaveValue("Typed, and gone at once.");
  await expect(offer(page)).toHaveCount(0);
});

test("a lesson that was never saved is found again in the list; a draft can be discarded", async ({
  site,
  device,
}) => {
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, "/admin/lessons/new");
  await field(page, "Title").fill("Half a lesson");
  await text(page).fill("Its first words.");
  await expectSavedAsDraft(page);
  await page.goto("/admin/lessons");
  await expect(page.getByText("Unfinished: “Half a lesson”, a new lesson")).toBeVisible();
  await look(page, "admin-lessons-unfinished", { night: true });
  await continued(page).click();
  await expect(offer(page)).toBeVisible();
  await field(page, "Title").fill("Typed before the press");
  await expectSavedAsDraft(page);
  await continued(page).click();
  await expect(text(page)).toHaveValue("Its first words.");
  await page.reload();
  const discards = page.getByRole("button", { name: "Discard" });
  await expect(discards.first()).toBeVisible();
  while ((await discards.count()) > 0) {
    const before = await discards.count();
    await discards.first().click();
    await expect(discards).toHaveCount(before - 1);
  }
  await page.goto("/admin/lessons");
  await expect(page.getByText("Unfinished:")).toHaveCount(0);
});

test("a draft that goes on after a save does not take the place of what was saved", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 409: POST .*\/admin\/lessons/);
  const { id } = await sampleLesson(site.services);
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, `/admin/lessons/${id}`);
  await text(page).fill("The older words.");
  await expectSavedAsDraft(page);
  await page.reload();
  await hydrated(page);
  await text(page).fill("The newer words.");
  await save(page).click();
  await expect(toast(page, "Lesson updated successfully")).toBeVisible();
  await continued(page).click();
  await expect(text(page)).toHaveValue("The older words.");
  await save(page).click();
  await expect(page.getByRole("heading", { name: "Changed elsewhere" })).toBeVisible();
  await expect(text(page)).toHaveValue("The older words.");
  expect((await sampleLesson(site.services)).content).toBe("The newer words.");
});

test("without a connection nothing is lost, and saving goes on when it is back", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/ERR_INTERNET_DISCONNECTED/);
  const { id } = await sampleLesson(site.services);
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, `/admin/lessons/${id}`);
  await page.context().setOffline(true);
  await text(page).fill("Written in a train.");
  await expect(
    page.getByText("Not saved: no connection; your words are kept on this device"),
  ).toBeVisible();
  await save(page).click();
  await expect(page.getByText("The site cannot be reached just now.").first()).toBeVisible();
  await expect(text(page)).toHaveValue("Written in a train.");
  await look(page, "admin-lesson-offline", { night: true });
  await page.context().setOffline(false);
  await expectSavedAsDraft(page);
  await save(page).click();
  await expect(toast(page, "Lesson updated successfully")).toBeVisible();
  expect((await sampleLesson(site.services)).content).toBe("Written in a train.");
});

test("signed out meanwhile: the words wait until she has signed in elsewhere", async ({
  site,
  device,
}) => {
  const coach = await createCoach(site.services);
  const { id } = await sampleLesson(site.services);
  const page = await device({ as: coach });
  await openDesk(page, `/admin/lessons/${id}`);
  await endSessions(site.services, coach.id);
  await text(page).fill("Written while signed out.");
  await expect(page.getByText("Not saved: you have been signed out")).toBeVisible();
  await save(page).click();
  await expect(page.getByText("You have been signed out.").first()).toBeVisible();
  await expect(text(page)).toHaveValue("Written while signed out.");
  await look(page, "admin-lesson-signed-out");
  const [name = "", value = ""] = (await cookieOf(site.services, coach.id)).split("=");
  await page.context().addCookies([{ name, value, url: site.url }]);
  await save(page).click();
  await expect(toast(page, "Lesson updated successfully")).toBeVisible();
  expect((await sampleLesson(site.services)).content).toBe("Written while signed out.");
});
