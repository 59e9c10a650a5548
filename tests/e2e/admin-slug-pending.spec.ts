import type { Page } from "@playwright/test";
import { createCourse } from "../support/courses.ts";
import { create, createCoach, field, openDesk } from "./support/lessons.ts";
import { expect, test, toast } from "./support/test.ts";

/** The answers about slugs stand still until the test lets them go. @returns what lets them go */
async function holdSlugs(page: Page) {
  const held = Promise.withResolvers<void>();
  await page.route("**/admin/slug?*", async (route) => {
    await held.promise;
    // The page asks again for each title, and gives up what it asked before.
    await route.continue().catch(() => {});
  });
  return held.resolve;
}

test("saved before the address is proposed: it waits, and takes the whole title's", async ({
  site,
  device,
}) => {
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, "/admin/courses/new");
  const release = await holdSlugs(page);
  const asked = page.waitForRequest(/\/admin\/slug\?.*title=Letters$/);
  await field(page, "Title").fill("Letters");
  await asked;
  await field(page, "Price").fill("0");
  await field(page, "Title").fill("Letters to him");
  const button = page.getByRole("button", { name: "Create course" });
  await button.click();
  await button.click();
  release();
  await expect(toast(page, "Course created successfully")).toBeVisible();
  await expect(field(page, "Slug")).toHaveValue("letters-to-him");
  const rows = await site.services.db.read
    .selectFrom("products")
    .select("slug")
    .where("title", "=", "Letters to him")
    .execute();
  expect(rows).toEqual([{ slug: "letters-to-him" }]);
});

test("an answer about the address moves nothing away under a press", async ({ site, device }) => {
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, "/admin/courses/new");
  await field(page, "Title").fill("First days");
  await field(page, "Price").fill("0");
  await expect(field(page, "Slug")).toHaveValue("first-days");
  const release = await holdSlugs(page);
  const asked = page.waitForRequest(/\/admin\/slug\?.*slug=the-first-days/);
  await field(page, "Slug").fill("the-first-days");
  await asked;
  await page.getByRole("button", { name: "Create course" }).hover();
  await page.mouse.down();
  release();
  await expect(page.getByText("This address is free.")).toBeVisible();
  await page.mouse.up();
  await expect(toast(page, "Course created successfully")).toBeVisible();
});

test("a lesson waits as well; and where no address can be had, what is missing is said", async ({
  site,
  device,
  watch,
}) => {
  await createCourse(site.services, [[{}]], { title: "Elements" });
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, "/admin/lessons/new");
  const release = await holdSlugs(page);
  await field(page, "Module").selectOption({ label: "Module 1" });
  const asked = page.waitForRequest("**/admin/slug?*");
  await field(page, "Title").fill("Dear you");
  await asked;
  await create(page).click();
  release();
  await expect(toast(page, "Lesson created successfully")).toBeVisible();
  await expect(field(page, "Slug")).toHaveValue("dear-you");

  watch.expect(/^failed: GET \/admin\/slug/, /^answer 400: POST \/admin\/courses\/new/);
  await openDesk(page, "/admin/courses/new");
  await page.unroute("**/admin/slug?*");
  await page.route("**/admin/slug?*", (route) => route.abort("connectionreset"));
  await field(page, "Title").fill("Letters");
  await field(page, "Price").fill("0");
  await page.getByRole("button", { name: "Create course" }).click();
  await expect(page.getByText("Give it an address, for example from its title")).toBeVisible();
  await expect(field(page, "Title")).toHaveValue("Letters");
});
