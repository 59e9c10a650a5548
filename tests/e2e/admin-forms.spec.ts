import type { Page } from "@playwright/test";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { createCourse } from "../support/courses.ts";
import { createPerson } from "../support/people.ts";
import { create, createCoach, field, openAdmin } from "./support/lessons.ts";
import { heading } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { endSessions, takeOver } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const title = (page: Page) => field(page, "Title");
const save = (page: Page) => page.getByRole("button", { name: /^Save (course|module)$/ });
const createsCourse = (page: Page) => page.getByRole("button", { name: "Create course" });
const saved = (page: Page, message: string) => expect(toast(page, message)).toBeVisible();
const theirs = (page: Page) => page.locator(".their-version");

/** A course of two modules, and the addresses of its page and of its first module's. */
async function waterCourse(services: Services) {
  const course = await createCourse(services, [[], []], { title: "Water" });
  const moduleId = course.modules[0]?.id ?? "";
  const pages = { course: `/admin/courses/${course.id}`, module: `/admin/modules/${moduleId}` };
  /** As another admin changes it. */
  const change = async (what: "course" | "module", values: { title: string }) => {
    const write = services.db.write.updateTable(what === "course" ? "products" : "modules");
    const id = what === "course" ? course.id : moduleId;
    await write
      .set({ ...values, revision: 2 })
      .where("id", "=", id)
      .execute();
  };
  return { id: course.id, pages, change };
}

/** Presses the arrow of the first of two modules; waits until the new order is stored and shown. */
async function moveFirstModuleDown(page: Page) {
  await page.getByRole("button", { name: "Move Module 1 down" }).click();
  await expect(page.getByText("“Module 1” is 2 of 2 modules.")).toBeVisible();
  await expect(
    page.locator(".course-outline > li").getByRole("link", { name: /^Module \d$/ }),
  ).toHaveText(["Module 2", "Module 1"]);
}

async function cancelDelete(page: Page) {
  await page.getByRole("link", { name: "Delete", exact: true }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
}

test("forms of a course and a module stay through other changes, and show both versions", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^answer 409: POST .*\/admin\/(courses|modules)/);
  const page = await device({ as: await createCoach(services) });

  await test.step("unsaved text stays while modules are ordered and the course is shown", async () => {
    const { pages } = await waterCourse(services);
    await openAdmin(page, pages.course);
    await title(page).fill("Water and air");
    await page.getByLabel("Description").fill("Words that took an evening.");
    await moveFirstModuleDown(page);
    await page.getByRole("button", { name: "Deactivate Water" }).click();
    await saved(page, "Course deactivated");
    await expect(page.getByRole("button", { name: "Activate Water", exact: true })).toBeVisible();
    await expect(title(page)).toHaveValue("Water and air");
    await save(page).click();
    await saved(page, "Course updated successfully");
    await expect(heading(page)).toHaveText("Water and air");
    await expect(page.getByLabel("Description")).toHaveValue("Words that took an evening.");
    await title(page).fill("Water, air, fire");
    await save(page).click();
    await expect(heading(page)).toHaveText("Water, air, fire");
  });

  await test.step("a course that another tab has saved shows both versions, also after other presses", async () => {
    const { pages } = await waterCourse(services);
    await openAdmin(page, pages.course);
    const other = await page.context().newPage();
    await openAdmin(other, pages.course);
    await title(page).fill("Water and air");
    await title(other).fill("Water and fire");
    await save(other).click();
    await saved(other, "Course updated successfully");
    await other.close();
    await moveFirstModuleDown(page);
    await expect(heading(page)).toHaveText("Water and fire");
    await expect(title(page)).toHaveValue("Water and air");
    await save(page).click();
    await expect(page.getByText("This course was changed elsewhere")).toBeVisible();
    await expect(theirs(page)).toHaveText("TitleWater and fire");
    await expect(title(page)).toHaveValue("Water and air");
    await look(page, "admin-course-changed");
    await page.getByRole("button", { name: /^Deactivate/ }).click();
    await saved(page, "Course deactivated");
    await expect(theirs(page)).toHaveText("TitleWater and fire");
    await expect(title(page)).toHaveValue("Water and air");
    await save(page).click();
    await expect(heading(page)).toHaveText("Water and air");
    await expect(page.getByText("This course was changed elsewhere")).toHaveCount(0);
  });

  for (const choice of ["mine", "the stored one"])
    await test.step(`a module that was changed elsewhere: ${choice} is taken`, async () => {
      const { pages, change } = await waterCourse(services);
      await openAdmin(page, pages.module);
      await title(page).fill("Mine");
      await change("module", { title: "Theirs" });
      await save(page).click();
      await expect(page.getByText("This module was changed elsewhere")).toBeVisible();
      await expect(theirs(page)).toContainText("TitleTheirs");
      await expect(title(page)).toHaveValue("Mine");
      if (choice === "mine") {
        await look(page, "admin-module-changed", { night: true, widths: [320, 360, 1280] });
        await save(page).click();
        await saved(page, "Module updated successfully");
        return expect(heading(page)).toHaveText("Mine");
      }
      await page.getByRole("link", { name: "take the stored one" }).click();
      await expect(heading(page)).toHaveText("Theirs");
      await expect(title(page)).toHaveValue("Theirs");
      await expect(page.getByText("changed elsewhere")).toHaveCount(0);
      await title(page).fill("Both");
      await save(page).click();
      await expect(heading(page)).toHaveText("Both");
    });

  for (const what of ["course", "module"] as const)
    await test.step(`unsaved text of a ${what} stays when deleting is canceled`, async () => {
      const { pages, change } = await waterCourse(services);
      await openAdmin(page, pages[what]);
      await title(page).fill("Mine");
      await change(what, { title: "Theirs" });
      await cancelDelete(page);
      await expect(heading(page)).toHaveText("Theirs");
      await expect(title(page)).toHaveValue("Mine");
      await save(page).click();
      await expect(theirs(page)).toContainText("Theirs");
      await expect(title(page)).toHaveValue("Mine");
    });

  await test.step("unsaved text of a module stays when its place changes, and the new place too", async () => {
    const { pages } = await waterCourse(services);
    await openAdmin(page, pages.module);
    const other = await page.context().newPage();
    await openAdmin(other, pages.course);
    await title(page).fill("Mine");
    await moveFirstModuleDown(other);
    await other.close();
    await cancelDelete(page);
    await expect(title(page)).toHaveValue("Mine");
    await save(page).click();
    await saved(page, "Module updated successfully");
    await expect(title(page)).toHaveValue("Mine");
    await expect(field(page, "Order number")).toHaveValue("2");
  });
});

// It takes tables away, so it has the site to itself.
test.describe("with a site of its own", () => {
  test.use({ siteKind: "own" });
  test("forms stay offline, through faults and sign-out", async ({ site, device, watch }) => {
    watch.expect(/^failed: POST/, /^answer 500: POST/);
    const { services } = site;
    const coach = await createCoach(services);
    const page = await device({ as: coach });
    const error = toast(page, "Error");
    const rename = (from: string, to: string) =>
      services.db.write.schema.alterTable(from).renameTo(to).execute();
    const fillNew = async () => {
      await openAdmin(page, "/admin/courses/new");
      await title(page).fill("First days");
      await field(page, "Slug").fill(`first-${newId()}`);
      await field(page, "Price").fill("1");
      await expect(page.getByText("This address is free.")).toBeVisible();
    };

    await test.step("offline", async () => {
      await fillNew();
      await page.context().setOffline(true);
      await createsCourse(page).click();
      await expect(error).toContainText("cannot be reached");
      await page.context().setOffline(false);
      await createsCourse(page).click();
      await saved(page, "Course created successfully");
      await expect(heading(page)).toHaveText("First days");
    });

    await test.step("a fault of the site is not taken for a lost connection", async () => {
      await fillNew();
      // No session can be read: this fails before any form is.
      await rename("sessions", "away");
      await createsCourse(page).click();
      await expect(error).toContainText("Something went wrong on the site");
      await rename("away", "sessions");
      await createsCourse(page).click();
      await saved(page, "Course created successfully");
    });

    await test.step("a course that cannot be written says so", async () => {
      const { pages } = await waterCourse(services);
      await openAdmin(page, pages.course);
      await title(page).fill("Water and air");
      await rename("auditEntries", "away");
      await save(page).click();
      await expect(error).toContainText("Failed to update course");
      await expect(title(page)).toHaveValue("Water and air");
      await look(page, "admin-course-not-saved", { night: true });
      await rename("away", "auditEntries");
      await save(page).click();
      await saved(page, "Course updated successfully");
      await expect(heading(page)).toHaveText("Water and air");
    });

    const lesson = { title: `Air ${newId().slice(-6)}` };
    const asksToDelete = page.getByRole("link", { name: `Delete ${lesson.title}` });
    const dialog = page.getByRole("dialog", { name: `Delete “${lesson.title}”?` });
    const confirm = dialog.getByRole("button", { name: "Delete lesson" });

    await test.step("a deletion that is refused closes the question, and the row stays", async () => {
      await createCourse(services, [[lesson]]);
      await openAdmin(page, `/admin/lessons?q=${encodeURIComponent(lesson.title)}`);
      await rename("auditEntries", "away");
      await asksToDelete.click();
      await confirm.click();
      await expect(error).toContainText("Failed to delete lesson");
      await expect(dialog).toHaveCount(0);
      await expect(asksToDelete).toBeVisible();
      await rename("away", "auditEntries");
    });

    await test.step("the question is asked again before the answer to Escape has come", async () => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      await asksToDelete.click();
      await expect(dialog).toBeVisible();
      await page.route(/\.data\?(?!.*delete=)/, async (route) => {
        await released;
        await route.continue().catch(() => {});
      });
      await page.keyboard.press("Escape");
      await expect(dialog).toBeHidden();
      await asksToDelete.click();
      await expect(dialog).toBeVisible();
      release();
      await confirm.click();
      await saved(page, "Lesson deleted successfully");
      await expect(dialog).toHaveCount(0);
      await page.unrouteAll({ behavior: "ignoreErrors" });
    });

    await test.step("another user signs in on this browser", async () => {
      const { pages } = await waterCourse(services);
      await openAdmin(page, pages.course);
      await title(page).fill("Water and air");
      await takeOver(page, site, await createPerson(services));
      await save(page).click();
      await expect(error).toContainText("not signed in as an administrator here");
      await expect(page).toHaveURL(pages.course);
      await expect(title(page)).toHaveValue("Water and air");
      await takeOver(page, site, coach);
      await save(page).click();
      await saved(page, "Course updated successfully");
      await expect(heading(page)).toHaveText("Water and air");
    });

    await test.step("signed out meanwhile", async () => {
      await fillNew();
      await endSessions(services, coach.id);
      await createsCourse(page).click();
      await expect(error).toContainText("You have been signed out");
      await expect(title(page)).toHaveValue("First days");
    });
  });
});

/** Holds requests to such an address until the answer is let go. @returns lets them go */
async function hold(page: Page, address: string, method: "GET" | "POST") {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.route(address, async (route) => {
    if (route.request().method() === method) await promise;
    // The page asks about each title, and gives up what it asked before.
    await route.continue().catch(() => {});
  });
  return resolve;
}

test("forms stay through slow answers, and a new slug is waited for", async ({
  site: { services },
  device,
  watch,
}) => {
  const page = await device({ as: await createCoach(services) });
  const mine = newId().slice(-6);
  const slugs = "**/admin/slug?*";

  await test.step("text that is typed while a course is saved stays, and is saved next", async () => {
    const { id, pages } = await waterCourse(services);
    await openAdmin(page, pages.course);
    const release = await hold(page, "**/admin/courses/*.data*", "POST");
    await title(page).fill("  Water and air ");
    await save(page).click();
    await expect(page.getByRole("button", { name: "Saving..." })).toBeVisible();
    await page.getByLabel("Description").fill("Typed meanwhile.");
    release();
    await saved(page, "Course updated successfully");
    await expect(title(page)).toHaveValue("Water and air");
    await expect(page.getByLabel("Description")).toHaveValue("Typed meanwhile.");
    await save(page).click();
    const stored = services.db.read.selectFrom("products").select(["title", "description"]);
    await expect
      .poll(() => stored.where("id", "=", id).executeTakeFirst())
      .toEqual({ title: "Water and air", description: "Typed meanwhile." });
  });

  await test.step("saved before the slug is proposed, it takes the whole title's", async () => {
    await openAdmin(page, "/admin/courses/new");
    const release = await hold(page, slugs, "GET");
    const asked = page.waitForRequest(/\/admin\/slug\?.*title=Letters$/);
    await title(page).fill("Letters");
    await asked;
    await field(page, "Price").fill("0");
    await title(page).fill(`Letters to ${mine}`);
    await createsCourse(page).click();
    await createsCourse(page).click();
    release();
    await saved(page, "Course created successfully");
    await expect(field(page, "Slug")).toHaveValue(`letters-to-${mine}`);
    const rows = services.db.read.selectFrom("products").select("slug");
    expect(await rows.where("title", "=", `Letters to ${mine}`).execute()).toHaveLength(1);
  });

  for (const what of ["course", "module"] as const)
    await test.step(`while a ${what} is created, nothing can be typed that would be lost`, async () => {
      const isCourse = what === "course";
      const of = isCourse ? "" : `?course=${(await waterCourse(services)).id}`;
      await openAdmin(page, `/admin/${what}s/new${of}`);
      await title(page).fill(`Numbers ${mine}`);
      if (isCourse) await field(page, "Price").fill("0");
      if (isCourse) await expect(field(page, "Slug")).toHaveValue(`numbers-${mine}`);
      const release = await hold(page, "**/new.data*", "POST");
      await page.getByRole("button", { name: `Create ${what}` }).click();
      await expect(page.getByRole("button", { name: "Saving..." })).toBeVisible();
      const boxes = isCourse
        ? ["Title", "Slug", "Description", "Price"]
        : ["Title", "Order number"];
      for (const name of boxes) await expect(page.getByLabel(name)).not.toBeEditable();
      release();
      await saved(page, `${isCourse ? "Course" : "Module"} created successfully`);
    });

  await test.step("an answer about the slug moves nothing away under a press", async () => {
    await openAdmin(page, "/admin/courses/new");
    await title(page).fill(`Days ${mine}`);
    await field(page, "Price").fill("0");
    await expect(field(page, "Slug")).toHaveValue(`days-${mine}`);
    const release = await hold(page, slugs, "GET");
    const asked = page.waitForRequest(/\/admin\/slug\?.*slug=the-days/);
    await field(page, "Slug").fill(`the-days-${mine}`);
    await asked;
    await createsCourse(page).hover();
    await page.mouse.down();
    release();
    await expect(page.getByText("This address is free.")).toBeVisible();
    await page.mouse.up();
    await saved(page, "Course created successfully");
  });

  await test.step("a lesson waits as well", async () => {
    const { modules } = await createCourse(services, [[]]);
    await openAdmin(page, "/admin/lessons/new");
    const release = await hold(page, slugs, "GET");
    await field(page, "Module").selectOption(modules[0]?.id ?? "");
    const asked = page.waitForRequest(slugs);
    await title(page).fill(`Dear ${mine}`);
    await asked;
    await create(page).click();
    release();
    await saved(page, "Lesson created successfully");
    await expect(field(page, "Slug")).toHaveValue(`dear-${mine}`);
  });

  await test.step("without any answer about the slug, what is missing is said", async () => {
    watch.expect(/^failed: GET \/admin\/slug/, /^answer 400: POST \/admin\/courses\/new/);
    await openAdmin(page, "/admin/courses/new");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.route(slugs, (route) => route.abort("connectionreset"));
    await title(page).fill("Letters");
    await field(page, "Price").fill("0");
    await createsCourse(page).click();
    await expect(page.getByText("Give it an address, for example from its title")).toBeVisible();
    await expect(title(page)).toHaveValue("Letters");
  });
});
