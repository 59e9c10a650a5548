import type { Page } from "@playwright/test";
import { createCourse } from "../support/courses.ts";
import { createCoach, openDesk } from "./support/lessons.ts";
import { expect, test, toast } from "./support/test.ts";

const main = (page: Page) => page.getByRole("main");
const title = (page: Page) => main(page).getByLabel("Title");
const save = (page: Page) => page.getByRole("button", { name: /^Save (course|module)$/ });
const order = (page: Page) =>
  page.locator(".course-outline > li").getByRole("link", { name: /^Module \d$/ });

/** Presses the arrow of the first of two modules, and waits until the new order is stored and shown. */
async function moveFirstModuleDown(page: Page) {
  await page.getByRole("button", { name: "Move Module 1 down" }).click();
  await expect(page.getByText("“Module 1” is 2 of 2 modules.")).toBeVisible();
  await expect(order(page)).toHaveText(["Module 2", "Module 1"]);
}

test("a course's words stay while its modules are ordered and it is shown, and are saved after it", async ({
  site,
  device,
}) => {
  const { services } = site;
  const { id } = await createCourse(services, [[], []], { title: "Water" });
  const page = await device({ as: await createCoach(services) });
  await openDesk(page, `/admin/courses/${id}`);
  await title(page).fill("Water and air");
  await main(page).getByLabel("Description").fill("Words that took an evening.");
  await moveFirstModuleDown(page);
  await page.getByRole("button", { name: "Deactivate Water" }).click();
  await expect(toast(page, "Course deactivated")).toBeVisible();
  await expect(page.getByRole("button", { name: "Activate Water", exact: true })).toBeVisible();
  await expect(title(page)).toHaveValue("Water and air");
  await save(page).click();
  await expect(toast(page, "Course updated successfully")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Water and air");
  await expect(main(page).getByLabel("Description")).toHaveValue("Words that took an evening.");
  await title(page).fill("Water, air, fire");
  await save(page).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Water, air, fire");
});

test("a course saved in another tab is not overwritten after an arrow was pressed here", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 409: POST .*\/admin\/courses/);
  const { services } = site;
  const { id } = await createCourse(services, [[], []], { title: "Water" });
  const page = await device({ as: await createCoach(services) });
  await openDesk(page, `/admin/courses/${id}`);
  const other = await page.context().newPage();
  await openDesk(other, `/admin/courses/${id}`);
  await title(page).fill("Water and air");
  await title(other).fill("Water and fire");
  await save(other).click();
  await expect(toast(other, "Course updated successfully")).toBeVisible();

  await moveFirstModuleDown(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Water and fire");
  await expect(title(page)).toHaveValue("Water and air");
  await save(page).click();
  await expect(page.getByText("This course was changed elsewhere")).toBeVisible();
  await expect(page.locator(".their-version")).toHaveText("TitleWater and fire");
  await expect(title(page)).toHaveValue("Water and air");

  // Showing it to nobody is no answer to the question, which stays with both versions.
  await page.getByRole("button", { name: /^Deactivate/ }).click();
  await expect(toast(page, "Course deactivated")).toBeVisible();
  await expect(page.locator(".their-version")).toHaveText("TitleWater and fire");
  await expect(title(page)).toHaveValue("Water and air");
  await save(page).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Water and air");
  await expect(page.getByText("This course was changed elsewhere")).toHaveCount(0);
});

for (const [what, path] of [
  ["course", "courses"],
  ["module", "modules"],
] as const)
  test(`a ${what}'s words stay when it is not deleted after all`, async ({
    site,
    device,
    watch,
  }) => {
    watch.expect(new RegExp(`^answer 409: POST .*/admin/${path}/`));
    const { services } = site;
    const course = await createCourse(services, [[]], { title: "Water" });
    const id = what === "course" ? course.id : (course.modules[0]?.id ?? "");
    const page = await device({ as: await createCoach(services) });
    await openDesk(page, `/admin/${path}/${id}`);
    await title(page).fill("Mine");
    await services.db.write
      .updateTable(what === "course" ? "products" : "modules")
      .set({ title: "Theirs", revision: 2 })
      .where("id", "=", id)
      .execute();
    await page.getByRole("link", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("link", { name: "Cancel" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Theirs");
    await expect(title(page)).toHaveValue("Mine");
    await save(page).click();
    await expect(page.locator(".their-version")).toContainText("Theirs");
    await expect(title(page)).toHaveValue("Mine");
  });

test("a module's words stay when its place changes behind them, and its new place stays too", async ({
  site,
  device,
}) => {
  const { services } = site;
  const course = await createCourse(services, [[], []], { title: "Water" });
  const id = course.modules[0]?.id ?? "";
  const page = await device({ as: await createCoach(services) });
  await openDesk(page, `/admin/modules/${id}`);
  const other = await page.context().newPage();
  await openDesk(other, `/admin/courses/${course.id}`);
  await title(page).fill("Mine");
  await moveFirstModuleDown(other);

  await page.getByRole("link", { name: "Delete", exact: true }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(title(page)).toHaveValue("Mine");
  await save(page).click();
  await expect(toast(page, "Module updated successfully")).toBeVisible();
  await expect(title(page)).toHaveValue("Mine");
  await expect(main(page).getByLabel("Order number")).toHaveValue("2");
});

test("what is typed while a course is being saved stays, and is saved next", async ({
  site,
  device,
}) => {
  const { services } = site;
  const { id } = await createCourse(services, [], { title: "Water" });
  const page = await device({ as: await createCoach(services) });
  await openDesk(page, `/admin/courses/${id}`);
  const held = Promise.withResolvers<void>();
  await page.route("**/admin/courses/*.data*", async (route) => {
    if (route.request().method() === "POST") await held.promise;
    await route.continue();
  });
  await title(page).fill("  Water and air ");
  await save(page).click();
  await expect(page.getByRole("button", { name: "Saving..." })).toBeVisible();
  await main(page).getByLabel("Description").fill("Typed meanwhile.");
  held.resolve();
  await expect(toast(page, "Course updated successfully")).toBeVisible();
  await expect(title(page)).toHaveValue("Water and air");
  await expect(main(page).getByLabel("Description")).toHaveValue("Typed meanwhile.");
  await save(page).click();
  const stored = () =>
    services.db.read
      .selectFrom("products")
      .select(["title", "description"])
      .where("id", "=", id)
      .executeTakeFirst();
  await expect.poll(stored).toEqual({ title: "Water and air", description: "Typed meanwhile." });
});

test("without scripts, a refused form does not renew what it started from", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST .*\/admin\/courses/, /^answer 409: POST .*\/admin\/courses/);
  const { services } = site;
  const { id } = await createCourse(services, [], { title: "Water" });
  const page = await device({ as: await createCoach(services), javaScriptEnabled: false });
  await page.goto(`/admin/courses/${id}`);
  await title(page).fill("Mine");
  await main(page).getByLabel("Price").fill("");
  await services.db.write
    .updateTable("products")
    .set({ title: "Theirs", revision: 2 })
    .where("id", "=", id)
    .execute();
  await save(page).click();
  await expect(page.getByText("Price is required")).toBeVisible();
  await main(page).getByLabel("Price").fill("5");
  await save(page).click();
  await expect(page.locator(".their-version")).toContainText("TitleTheirs");
  await expect(title(page)).toHaveValue("Mine");
  await save(page).click();
  await expect(toast(page, "Course updated successfully")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Mine");
});
