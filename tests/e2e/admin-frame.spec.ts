import { createPerson } from "../support/people.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, test } from "./support/test.ts";

test("the admin has four tabs with addresses of their own, and going between them keeps the page", async ({
  site,
  device,
}) => {
  const page = await device({ as: await createPerson(site.services, { role: "admin" }) });
  await page.goto("/admin");
  await hydrated(page);
  await page.evaluate(() => document.documentElement.setAttribute("data-kept", "yes"));
  const tabs = page.getByRole("navigation", { name: "Admin" });
  const heading = (name: string) => page.getByRole("heading", { level: 1, name });
  await expect(heading("Courses")).toBeVisible();
  await expect(tabs.getByRole("link", { name: "Courses" })).toHaveAttribute("aria-current", "page");
  for (const name of ["Modules", "Lessons", "Enrollments"]) {
    await tabs.getByRole("link", { name }).click();
    await expect(page).toHaveURL(`/admin/${name.toLowerCase()}`);
    await expect(heading(name)).toBeFocused();
    await expect(tabs.getByRole("link", { name })).toHaveAttribute("aria-current", "page");
    await expect(page).toHaveTitle(new RegExp(`^${name} \\|`));
  }
  await page.goBack();
  await expect(heading("Lessons")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.dataset.kept)).toBe("yes");
  await look(page, "admin-frame", { widths: [320, 360, 1280], night: true });
});

test("whoever is not an administrator is sent away, and comes back after signing in", async ({
  site,
  device,
}) => {
  const nobody = await device();
  await nobody.goto("/admin/modules");
  await expect(nobody).toHaveURL("/auth?redirect=/admin/modules");
  const student = await device({ as: await createPerson(site.services) });
  await student.goto("/admin");
  await expect(student).toHaveURL("/");
});
