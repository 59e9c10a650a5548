import type { Page } from "@playwright/test";
import { updateLesson } from "~/features/lesson-editor/lessons.server.ts";
import { createPerson } from "../support/people.ts";
import { refuseWrites } from "./support/faults.ts";
import {
  create,
  createCoach,
  createLesson,
  expectSavedAsDraft,
  field,
  offer,
  openAdmin,
  proceed,
  save,
  saveLesson,
  text,
} from "./support/lessons.ts";
import type { Watch } from "./support/page-watch.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { endSessions, takeOver } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const title = (page: Page) => field(page, "Title");
const offline = "Not saved: no connection; your words are on this device, for about a week";

test("lesson drafts: offered after a reload, in the list and after a save, until they are saved", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(
    /^answer 409: POST .*\/admin\/lessons/,
    /^answer 500: PUT \/admin\/lessons\/.*\/draft/,
  );
  const { path, moduleId, stored } = await createLesson(services);
  const page = await device({ as: await createCoach(services) });

  await test.step("a reload right after the last key is survived", async () => {
    await openAdmin(page, path);
    await text(page).fill("Typed, and gone at once.");
    await page.reload();
    await expect(offer(page)).toBeVisible();
    await look(page, "admin-lesson-draft-offer", { widths: [1280], night: true });
    await proceed(page).click();
    await expect(text(page)).toHaveValue("Typed, and gone at once.");
    await expect(offer(page)).toHaveCount(0);
    await saveLesson(page);
    await page.reload();
    await expect(text(page)).toHaveValue("Typed, and gone at once.");
    await expect(offer(page)).toHaveCount(0);
  });

  await test.step("a draft continued after a save does not overwrite what was saved", async () => {
    await hydrated(page);
    await text(page).fill("The older words.");
    await expectSavedAsDraft(page);
    await page.reload();
    await hydrated(page);
    await text(page).fill("The newer words.");
    await saveLesson(page);
    await proceed(page).click();
    await expect(text(page)).toHaveValue("The older words.");
    await save(page).click();
    await expect(page.getByRole("heading", { name: "Changed elsewhere" })).toBeVisible();
    await expect(text(page)).toHaveValue("The older words.");
    expect((await stored()).content).toBe("The newer words.");
    await saveLesson(page);
  });

  await test.step("a lesson that was never saved is continued from the list in one press", async () => {
    const begin = async () => {
      await openAdmin(page, "/admin/lessons/new");
      await title(page).fill("Half a lesson");
      await field(page, "Module").selectOption(moduleId);
      await text(page).fill("Its first words.");
      await expectSavedAsDraft(page);
    };
    const expectAll = async (words: string) => {
      await expect(text(page)).toHaveValue(words);
      await expect(title(page)).toHaveValue("Half a lesson");
      await expect(field(page, "Module")).toHaveValue(moduleId);
      await expect(offer(page)).toHaveCount(0);
    };
    await begin();
    await page.goto("/admin/lessons");
    await expect(page.getByText("Unfinished: “Half a lesson”, a new lesson in “")).toBeVisible();
    await look(page, "admin-lessons-unfinished", { widths: [1280], night: true });
    await proceed(page).click();
    await expectAll("Its first words.");
    await hydrated(page);
    await text(page).fill("Its first words, and more.");
    await expectSavedAsDraft(page);
    await page.reload();
    await expectAll("Its first words, and more.");
    await hydrated(page);
    await create(page).click();
    await expect(toast(page, "Lesson created successfully")).toBeVisible();
    await expectAll("Its first words, and more.");

    await begin();
    await page.reload();
    await page.getByRole("button", { name: /^Discard: .*\d:\d\d [AP]M, “Half a lesson”$/ }).click();
    await expect(offer(page)).toHaveCount(0);
    await page.goto("/admin/lessons");
    await expect(page.getByText("Unfinished:")).toHaveCount(0);
  });

  await test.step("text typed while a lesson is being created is offered at once", async () => {
    const held = Promise.withResolvers<void>();
    await page.route("**/admin/lessons/new.data*", async (route) => {
      if (route.request().method() === "POST") await held.promise;
      return route.continue();
    });
    await openAdmin(page, `/admin/lessons/new?module=${moduleId}`);
    await title(page).fill("Written in one go");
    await expect(field(page, "Slug")).toHaveValue("written-in-one-go");
    await text(page).fill("Before the press.");
    await create(page).click();
    await expect(page.getByRole("button", { name: "Saving..." })).toBeVisible();
    await text(page).fill("Before the press. And after it.");
    held.resolve();
    await expect(toast(page, "Lesson created successfully")).toBeVisible();
    await expect(offer(page)).toContainText("“Written in one go”");
    await expect(offer(page)).not.toContainText("saved elsewhere");
    await proceed(page).click();
    await expect(text(page)).toHaveValue("Before the press. And after it.");
    await saveLesson(page);
    await page.reload();
    await expect(text(page)).toHaveValue("Before the press. And after it.");
    await expect(offer(page)).toHaveCount(0);
  });

  await test.step("a toast stays while the list sends a draft and reloads", async () => {
    const lost = await createLesson(services, "A lesson to delete");
    const unfinished = page.getByRole("list", { name: "Unfinished" });
    const mend = await refuseWrites(services, "drafts");
    try {
      await openAdmin(page, path);
      const refused = page.waitForResponse(/\/draft$/);
      await text(page).fill("Words that only this device has.");
      await refused;
      await openAdmin(page, "/admin/lessons?q=to+delete");
      await page.getByRole("link", { name: "Delete A lesson to delete" }).click();
      await page.getByRole("button", { name: "Delete lesson" }).click();
      await expect(toast(page, "Lesson deleted successfully")).toBeVisible();
      expect((await lost.stored()).deletedAt).not.toBeNull();
      await expect(unfinished).toHaveCount(0);
    } finally {
      await mend();
    }
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await expect(unfinished).toBeVisible();
    await expect(toast(page, "Lesson deleted successfully")).toBeVisible();
  });
});

test("lesson drafts: offline, signed out and after a lost answer, nothing typed is lost", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/ERR_INTERNET_DISCONNECTED/);
  const { services } = site;
  const { id, path, stored } = await createLesson(services);
  const coach = await createCoach(services);
  const page = await device({ as: coach });

  await test.step("the page of another network is no answer", async () => {
    const portal = { contentType: "text/html", body: "<p>Sign in to this network</p>" };
    await openAdmin(page, path);
    await text(page).fill("At home.");
    await expectSavedAsDraft(page);
    await page.route("**/draft", (route) => route.fulfill(portal));
    await text(page).fill("In a hotel.");
    await expect(page.getByText(offline)).toBeVisible();
    await page.reload();
    await proceed(page).click();
    await expect(text(page)).toHaveValue("In a hotel.");
    await page.unroute("**/draft");
  });

  await test.step("offline it is saved on the device, and online it is saved", async () => {
    await page.context().setOffline(true);
    await text(page).fill("Written in a train.");
    await expect(page.getByText(offline)).toBeVisible();
    await save(page).click();
    await expect(page.getByText("The site cannot be reached just now.").first()).toBeVisible();
    await expect(text(page)).toHaveValue("Written in a train.");
    await look(page, "admin-lesson-offline", { widths: [1280], night: true });
    await page.context().setOffline(false);
    await expectSavedAsDraft(page);
    await saveLesson(page);
    expect((await stored()).content).toBe("Written in a train.");
  });

  await test.step("signed out, it waits for a sign-in", async () => {
    await endSessions(services, coach.id);
    await text(page).fill("Written while signed out.");
    await expect(page.getByText("Not saved: you have been signed out")).toBeVisible();
    await save(page).click();
    await expect(page.getByText("You have been signed out.").first()).toBeVisible();
    await expect(text(page)).toHaveValue("Written while signed out.");
    await look(page, "admin-lesson-signed-out", { widths: [360] });
    await takeOver(page, site, coach);
    await saveLesson(page);
    expect((await stored()).content).toBe("Written while signed out.");
  });

  await test.step("text typed after a save was broken off becomes a draft", async () => {
    await openAdmin(page, path);
    await text(page).fill("Sent.");
    await expectSavedAsDraft(page);
    await breakOff(page, watch);
    await text(page).fill("Sent, or not.");
    const drafts = async () => {
      const rows = await services.db.read
        .selectFrom("drafts")
        .select("content")
        .where("lessonId", "=", id)
        .where("discardedAt", "is", null)
        .execute();
      return rows.map(({ content }) => JSON.parse(content ?? "{}").content);
    };
    await expect.poll(drafts).toEqual(["Sent, or not."]);
    await expectSavedAsDraft(page);
  });
});

test("two versions of a lesson: both are shown, and another admin on the browser sees no draft", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 409: POST \/admin\/lessons\//);
  // Where the last save of a draft comes too late for its session.
  watch.allow(/^answer 401: PUT .*\/draft$/);
  const { services } = site;
  const { id, path, stored } = await createLesson(services);
  const [nora, vera] = [await createCoach(services), await createCoach(services)];
  const page = await device({ as: nora });

  await test.step("changed elsewhere: the author chooses for each field", async () => {
    await openAdmin(page, path);
    const { moduleId, slug, orderNum, dripDay, content } = await stored();
    const theirs = `${content}\n\nA paragraph of theirs.`;
    const other = { id, moduleId, slug, orderNum, dripDay, title: "Their title", content: theirs };
    await updateLesson(services, { ...other, revision: 1, prompts: "keep" });
    await title(page).fill("My title");
    await text(page).press("ControlOrMeta+End");
    await page.keyboard.type("\n\nA paragraph of mine.");
    await save(page).click();
    const versions = page.getByRole("region", { name: "Changed elsewhere" });
    await expect(versions).toContainText("Their title");
    await expect(versions).toContainText("A paragraph of theirs.");
    await expect(title(page)).toHaveValue("My title");
    await look(page, "admin-lesson-conflict", { widths: [320, 1280], night: true });
    expect((await stored()).title).toBe("Their title");
    const takeTheirs = page.getByRole("button", { name: "Take theirs: Text" });
    await takeTheirs.click();
    await expect(text(page)).toHaveValue(theirs);
    await page.getByRole("button", { name: "Keep mine: Text" }).click();
    await expect(text(page)).toHaveValue(/A paragraph of mine\.$/);
    await takeTheirs.click();
    await saveLesson(page);
    await expect(versions).toHaveCount(0);
    expect(await stored()).toMatchObject({ title: "My title", content: theirs });
  });

  await test.step("with a student signed in meanwhile, nothing is saved and all of it stays", async () => {
    await takeOver(page, site, await createPerson(services));
    await text(page).fill("Before somebody else came.");
    await save(page).click();
    await expect(toast(page, "Error")).toContainText("not signed in as an administrator here");
    await expect(text(page)).toHaveValue("Before somebody else came.");
    await takeOver(page, site, nora);
    await saveLesson(page);
    expect((await stored()).content).toBe("Before somebody else came.");
  });

  await test.step("a page reloaded for another admin has nothing of the draft", async () => {
    await openAdmin(page, path);
    await title(page).fill("Only I have thought this");
    await breakOff(page, watch, () => takeOver(page, site, vera));
    await expect(title(page)).toHaveValue("My title");
    await expect(offer(page)).toHaveCount(0);
  });

  await test.step("its author is offered it again", async () => {
    await takeOver(page, site, nora);
    await openAdmin(page, path);
    await expect(offer(page)).toBeVisible();
    await proceed(page).click();
    await expect(title(page)).toHaveValue("Only I have thought this");
  });
});

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
