import { createPerson } from "../support/people.ts";
import { look } from "./support/screen.ts";
import { expect, phone, test } from "./support/test.ts";

test.use({ siteKind: "own" });

test("the checklist before opening leads to each place, and is checked off, without scripts", async ({
  site,
  device,
}) => {
  const as = await createPerson(site.services, { role: "admin" });
  const page = await device({ as, viewport: phone, javaScriptEnabled: false });
  await page.goto("/admin");
  await page.getByRole("link", { name: "See what" }).click();
  await expect(page).toHaveURL(/\/admin\/ready$/);
  const line = page.getByRole("listitem").filter({ hasText: "postal address at their end" });
  await expect(line).toContainText("Missing");
  await page.getByText("Show what is done").first().click();
  await line.getByRole("link", { name: "Your postal address" }).click();
  await expect(page.getByRole("textbox", { name: "Your postal address" })).toBeVisible();
});

test("the checklist before opening, with all of it folded out", async ({ site, device }) => {
  const as = await createPerson(site.services, { role: "admin" });
  const page = await device({ as });
  await page.goto("/admin/ready");
  for (const summary of await page.getByText(/^(Show what is|All of it is) done/).all())
    await summary.click();
  await expect(
    page
      .getByText("None of them is an example.")
      .or(page.getByText("Every open course has some."))
      .first(),
  ).toBeVisible();
  await look(page, "admin-ready-open", { night: true });
});
