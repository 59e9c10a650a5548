import type { Services } from "~/platform/http/services.ts";
import { createPerson } from "../support/people.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

const coachOf = (services: Services) =>
  createPerson(services, { role: "admin", name: "Nora Hale" });

test("the list: search, filter, order, pages, payment", async ({ site, device }) => {
  const { services } = site;
  for (let count = 0; count < 52; count += 1) {
    const name = `Student ${String(count).padStart(2, "0")}`;
    const student = await createStudent(services, {
      courses: [count % 2 ? "blue-dot-method" : "seven-days-of-calm"],
      days: count,
    });
    await services.db.write
      .updateTable("profiles")
      .set({ name })
      .where("id", "=", student.id)
      .execute();
    if (count === 3)
      await services.db.write
        .updateTable("enrollments")
        .set({ stripePaymentId: "pi_3QabcDEF456" })
        .where("userId", "=", student.id)
        .execute();
  }
  const page = await device({ as: await coachOf(services) });
  await page.goto("/admin/enrollments");
  await hydrated(page);
  const rows = page.getByRole("rowheader");
  await expect(rows).toHaveCount(50);
  await expect(rows.first()).toHaveText("Student 00");
  await expect(page.getByText("Payment: pi_3QabcDEF456")).toBeVisible();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(rows).toHaveText(["Student 50", "Student 51"]);
  await page.getByRole("link", { name: "Previous" }).click();
  await expect(rows.first()).toHaveText("Student 00");
  await page.getByRole("link", { name: "Enrolled" }).click();
  await expect(rows.first()).toHaveText("Student 51");
  await page.getByRole("combobox", { name: "Course" }).selectOption("The Blue Dot Method");
  await page.getByRole("searchbox").fill("student 03");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(rows).toHaveText(["Student 03"]);
  await look(page, "enrollments-found", { widths: [320, 360, 1280], night: true });
  await page.getByRole("searchbox").fill("nobody of that name");
  await page.getByRole("searchbox").press("Enter");
  await expect(page.getByRole("heading", { name: "No enrollment found" })).toBeVisible();
  await look(page, "enrollments-none-found");
  await page.getByRole("link", { name: "Show all enrollments" }).click();
  await expect(rows).toHaveCount(50);
});

test("a list that cannot be loaded says so, with the way to try again", async ({
  site,
  device,
}) => {
  const { services } = site;
  const page = await device({ as: await coachOf(services) });
  await page.goto("/admin");
  await hydrated(page);
  await services.db.write.schema.alterTable("enrollments").renameTo("enrollments_away").execute();
  await page.getByRole("link", { name: "Enrollments" }).click();
  await expect(toast(page, "Error")).toContainText("Failed to load enrollments");
  await look(page, "enrollments-failed", { night: true });
  await services.db.write.schema.alterTable("enrollments_away").renameTo("enrollments").execute();
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Nobody is enrolled yet" })).toBeVisible();
});

test("without a connection an invitation keeps its words", async ({ site, device, watch }) => {
  watch.expect(/^failed: POST/);
  const page = await device({ as: await coachOf(site.services) });
  await page.goto("/admin/enrollments/invite");
  await hydrated(page);
  await page.getByLabel("Course").selectOption("The Blue Dot Method");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Send the invitation" }).click();
  await expect(toast(page, "Error")).toContainText("cannot be reached");
  await page.context().setOffline(false);
  await expect(page.getByLabel("Email")).toHaveValue("ada@example.com");
  await page.getByRole("button", { name: "Send the invitation" }).click();
  await expect(page.getByRole("rowheader")).toContainText("ada@example.com");
});

test("invitations that cannot be loaded: told, with the way to try again", async ({
  site,
  device,
}) => {
  const { schema } = site.services.db.write;
  const page = await device({ as: await coachOf(site.services) });
  await schema.alterTable("invitations").renameTo("away").execute();
  await page.goto("/admin/enrollments/invite");
  await hydrated(page);
  await expect(toast(page, "Error")).toContainText("Failed to load invitations");
  await schema.alterTable("away").renameTo("invitations").execute();
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page.getByRole("button", { name: "Send the invitation" })).toBeVisible();
});
