import { createAccount } from "../support/accounts.ts";
import { createPerson } from "../support/people.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, test } from "./support/test.ts";

const night = { night: true };

test("she suspends an account, its owner reads why she cannot come in, and is let in again", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/auth\.data$/);
  const { services } = site;
  const admin = await createPerson(services, { role: "admin", name: "Nora Hale" });
  const account = await createAccount(services);
  const page = await device({ as: admin });
  await page.goto("/admin/audit");
  await hydrated(page);
  await expect(page.getByRole("heading", { level: 1, name: "Audit log" })).toBeVisible();

  await page.goto(`/admin/students/${account.id}`);
  await hydrated(page);
  await page.getByRole("button", { name: "Suspend" }).click();
  const question = page.getByRole("dialog", { name: /Suspend the account of/ });
  await question.getByLabel("Reason").fill("Somebody else uses this account.");
  await look(page, "admin-suspend-question", night);
  await question.getByRole("button", { name: "Suspend the account" }).click();
  await expect(page.getByText("Account suspended")).toBeVisible();
  await expect(page.getByText("Somebody else uses this account.")).toBeVisible();
  await look(page, "admin-suspended", night);

  const hers = await device();
  await hers.goto("/auth");
  await hydrated(hers);
  await hers.getByLabel("Email", { exact: true }).fill(account.email);
  await hers.getByLabel("Password", { exact: true }).fill(account.password);
  await hers.getByRole("button", { name: "Sign In" }).click();
  await expect(hers.getByText("This account is paused", { exact: true })).toBeVisible();
  await look(hers, "auth-paused", night);

  await page.goto("/admin/students");
  await hydrated(page);
  await expect(page.getByText("Suspended", { exact: true })).toBeVisible();
  await look(page, "admin-students-suspended", night);
  await page.goto(`/admin/students/${account.id}`);
  await hydrated(page);
  await page.getByRole("button", { name: "Let in again" }).click();
  await look(page, "admin-let-in-question");
  await page.getByRole("dialog").getByRole("button", { name: "Let in again" }).click();
  await expect(page.getByText("Account unsuspended")).toBeVisible();
  await hers.getByLabel("Password", { exact: true }).fill(account.password);
  await hers.getByRole("button", { name: "Sign In" }).click();
  await expect(hers).toHaveURL(/\/my-courses$/);

  await page.getByRole("link", { name: "Audit log" }).click();
  await expect(page.getByRole("rowheader")).toHaveCount(2);
  await look(page, "admin-audit", night);
  await page.getByLabel("What", { exact: true }).selectOption("Courses");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("heading", { name: "Nothing found" })).toBeVisible();
  await look(page, "admin-audit-nothing-found", night);
});
