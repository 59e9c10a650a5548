import type { Page } from "@playwright/test";
import type { Services } from "~/platform/http/services.ts";
import { createCourse } from "../support/courses.ts";
import { createCoach } from "./support/lessons.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, test, toast } from "./support/test.ts";

const title = (page: Page) => page.getByRole("main").getByLabel("Title");
const save = (page: Page) => page.getByRole("button", { name: "Save module" });

/** A module, its page open, and another version of it stored meanwhile. */
async function changedMeanwhile(services: Services, page: Page) {
  const course = await createCourse(services, [[{}]], { title: "Elements" });
  const id = course.modules[0]?.id ?? "";
  await page.goto(`/admin/modules/${id}`);
  await hydrated(page);
  await title(page).fill("Mine");
  await services.db.write
    .updateTable("modules")
    .set({ title: "Theirs", revision: 2 })
    .where("id", "=", id)
    .execute();
  await save(page).click();
  await expect(
    page.getByText("This module was changed elsewhere since you opened it"),
  ).toBeVisible();
  await expect(page.locator(".their-version")).toContainText("TitleTheirs");
  await expect(title(page)).toHaveValue("Mine");
  const stored = async () => {
    const row = await services.db.read
      .selectFrom("modules")
      .select("title")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return row.title;
  };
  expect(await stored()).toBe("Theirs");
  return { stored };
}

test("a module that was changed elsewhere: hers is put in its place", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 409: POST \/admin\/modules\//);
  const page = await device({ as: await createCoach(site.services) });
  const { stored } = await changedMeanwhile(site.services, page);
  await look(page, "admin-module-changed", { night: true, widths: [320, 360, 1280] });
  await save(page).click();
  await expect(toast(page, "Module updated successfully")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Mine");
  expect(await stored()).toBe("Mine");
});

test("a module that was changed elsewhere: the stored one is taken", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 409: POST \/admin\/modules\//);
  const page = await device({ as: await createCoach(site.services) });
  const { stored } = await changedMeanwhile(site.services, page);
  await page.getByRole("link", { name: "take the stored one" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Theirs");
  await expect(title(page)).toHaveValue("Theirs");
  await expect(page.getByText("changed elsewhere")).toHaveCount(0);
  expect(await stored()).toBe("Theirs");
  await title(page).fill("Both");
  await save(page).click();
  await expect(toast(page, "Module updated successfully")).toBeVisible();
  expect(await stored()).toBe("Both");
});

test("what is wrong in the form of a module is said beside its field", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/admin\/modules\/new/);
  const course = await createCourse(site.services, [], { title: "Elements" });
  const page = await device({ as: await createCoach(site.services) });
  await page.goto("/admin/modules/new");
  await hydrated(page);
  const courses = page.getByLabel("Course", { exact: true });
  const order = page.getByLabel("Order number");
  const create = page.getByRole("button", { name: "Create module" });
  await order.fill("");
  await create.click();
  await expect(courses).toBeFocused();
  await expect(courses).toHaveAccessibleDescription(/Choose a course/);
  await expect(title(page)).toHaveAccessibleDescription(/Title is required/);
  await expect(order).toHaveAccessibleDescription(/Order number is required/);
  await look(page, "admin-module-refused", { night: true, widths: [320, 360, 1280] });

  await courses.selectOption(course.id);
  await title(page).fill("Week 1");
  for (const [typed, fieldError] of [
    ["0", "Order number is a whole number, from 1"],
    ["1.5", "Order number is a whole number, from 1"],
    ["1000000000", "Order number has nine digits at most"],
  ] as const) {
    await order.fill(typed);
    await create.click();
    await expect(order).toHaveAccessibleDescription(new RegExp(fieldError));
    await expect(order).toBeFocused();
    await expect(order).toHaveValue(typed);
    await expect(title(page)).toHaveValue("Week 1");
  }
  await order.fill("3");
  await create.click();
  await expect(toast(page, "Module created successfully")).toBeVisible();
});

test("a module that is not there is told inside the admin, its tabs at hand", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 404: GET \/admin\/modules\/none$/);
  const page = await device({ as: await createCoach(site.services) });
  await page.goto("/admin/modules/none");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page Not Found");
  await expect(page).toHaveTitle(/^Page Not Found/);
  const tabs = page.getByRole("navigation", { name: "Admin" });
  await look(page, "admin-not-found", { night: true, widths: [320, 360, 1280] });
  await tabs.getByRole("link", { name: "Modules" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Modules");
});
