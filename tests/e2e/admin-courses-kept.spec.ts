import type { Page } from "@playwright/test";
import { createCourse } from "../support/courses.ts";
import { createPerson } from "../support/people.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import type { RunningSite } from "./support/site.ts";
import { endSessions, takeOver } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

const coachOf = ({ services }: RunningSite) => createPerson(services, { role: "admin" });

async function fillCourse(page: Page, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(label, { exact: label === "Title" }).fill(value);
}

test("two who change the same course see both versions", async ({ site, device, watch }) => {
  watch.expect(/^answer 409: POST .*\/admin\/courses/);
  const { id } = await createCourse(site.services, [], { title: "Water" });
  const coach = await coachOf(site);
  const [one, other] = [await device({ as: coach }), await device({ as: coach })];
  await one.goto(`/admin/courses/${id}`);
  await hydrated(one);
  await other.goto(`/admin/courses/${id}`);
  await hydrated(other);
  await one.getByLabel("Title").fill("Water and air");
  await one.getByRole("button", { name: "Save course" }).click();
  await expect(toast(one, "Course updated successfully")).toBeVisible();
  await other.getByLabel("Title").fill("Water and fire");
  await other.getByRole("button", { name: "Save course" }).click();
  await expect(other.getByText("This course was changed elsewhere")).toBeVisible();
  await expect(other.locator(".their-version")).toHaveText("TitleWater and air");
  await expect(other.getByLabel("Title")).toHaveValue("Water and fire");
  await look(other, "admin-course-changed");
  await other.getByRole("button", { name: "Save course" }).click();
  await expect(toast(other, "Course updated successfully")).toBeVisible();
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("Water and fire");
});

test("without a connection the form keeps its words", async ({ site, device, watch }) => {
  watch.expect(/^failed: POST/);
  const page = await device({ as: await coachOf(site) });
  await page.goto("/admin/courses/new");
  await hydrated(page);
  await fillCourse(page, { Title: "Kept", Slug: "kept", Price: "1" });
  await expect(page.getByText("This address is free.")).toBeVisible();
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Create course" }).click();
  await expect(toast(page, "Error")).toContainText("cannot be reached");
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Create course" }).click();
  await expect(toast(page, "Course created successfully")).toBeVisible();
});

test("signed out meanwhile, the form keeps its words", async ({ site, device }) => {
  const coach = await coachOf(site);
  const page = await device({ as: coach });
  await page.goto("/admin/courses/new");
  await hydrated(page);
  await fillCourse(page, { Title: "Kept", Slug: "kept", Price: "1" });
  await endSessions(site.services, coach.id);
  await page.getByRole("button", { name: "Create course" }).click();
  await expect(toast(page, "Error")).toContainText("You have been signed out");
  await expect(page.getByLabel("Title")).toHaveValue("Kept");
});

test("somebody else signed in meanwhile, the form keeps its words", async ({ site, device }) => {
  const { id } = await createCourse(site.services, [], { title: "Water" });
  const coach = await coachOf(site);
  const page = await device({ as: coach });
  await page.goto(`/admin/courses/${id}`);
  await hydrated(page);
  await page.getByLabel("Title").fill("Water and air");
  await takeOver(page, site, await createPerson(site.services));
  await page.getByRole("button", { name: "Save course" }).click();
  await expect(toast(page, "Error")).toContainText("not signed in as an administrator here");
  await expect(page).toHaveURL(`/admin/courses/${id}`);
  await expect(page.getByLabel("Title")).toHaveValue("Water and air");
  await takeOver(page, site, coach);
  await page.getByRole("button", { name: "Save course" }).click();
  await expect(toast(page, "Course updated successfully")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Water and air");
});

test("a fault of the server is not taken for a lost connection, and the words stay", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 500: POST/);
  const { schema } = site.services.db.write;
  const page = await device({ as: await coachOf(site) });
  await page.goto("/admin/courses/new");
  await hydrated(page);
  await fillCourse(page, { Title: "Kept", Slug: "kept", Price: "1" });
  await expect(page.getByText("This address is free.")).toBeVisible();
  // Whoever asks cannot be told: this fails before any form is read.
  await schema.alterTable("sessions").renameTo("away").execute();
  await page.getByRole("button", { name: "Create course" }).click();
  await expect(toast(page, "Error")).toContainText("Something went wrong on the site");
  await schema.alterTable("away").renameTo("sessions").execute();
  await page.getByRole("button", { name: "Create course" }).click();
  await expect(toast(page, "Course created successfully")).toBeVisible();
});
