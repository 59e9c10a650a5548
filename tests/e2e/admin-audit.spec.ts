import { createAccount } from "../support/accounts.ts";
import { createCoach, openAdmin } from "./support/lessons.ts";
import { openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const night = { night: true };

test("an account is suspended and let in again, and the audit log says so", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/auth\.data$/);
  const account = await createAccount(services);
  const page = await device({ as: await createCoach(services) });
  const student = await device();
  const dialog = page.getByRole("dialog");
  const signIn = async () => {
    await student.getByLabel("Password", { exact: true }).fill(account.password);
    await student.getByRole("button", { name: "Sign In" }).click();
  };

  await test.step("suspended, after a question with a reason", async () => {
    await openAdmin(page, `/admin/students/${account.id}`);
    await page.getByRole("button", { name: "Suspend" }).click();
    await dialog.getByLabel("Reason").fill("Somebody else uses this account.");
    await look(page, "admin-suspend-question", night);
    await dialog.getByRole("button", { name: "Suspend the account" }).click();
    await expect(toast(page, "Account suspended")).toBeVisible();
    await expect(page.getByText("Somebody else uses this account.")).toBeVisible();
    await look(page, "admin-suspended", night);
  });

  await test.step("the student reads at the sign-in that the account is paused", async () => {
    await openHydrated(student, "/auth");
    await student.getByLabel("Email", { exact: true }).fill(account.email);
    await signIn();
    await expect(student.getByText("This account is paused", { exact: true })).toBeVisible();
    await look(student, "auth-paused", night);
  });

  await test.step("let in again, from the list, and signed in", async () => {
    await openAdmin(page, `/admin/students?q=${encodeURIComponent(account.email)}`);
    await expect(page.getByText("Suspended", { exact: true })).toBeVisible();
    await look(page, "admin-students-suspended", night);
    await page.getByRole("rowheader").getByRole("link").click();
    await page.getByRole("button", { name: "Let in again" }).click();
    await look(page, "admin-let-in-question");
    await dialog.getByRole("button", { name: "Let in again" }).click();
    await expect(toast(page, "Account unsuspended")).toBeVisible();
    await signIn();
    await expect(student).toHaveURL(/\/my-courses$/);
  });

  await test.step("the audit log has both, and is filtered", async () => {
    await page.getByRole("link", { name: "Audit log" }).click();
    await expect(page.getByRole("rowheader").first()).toHaveText("Let an account in again");
    await expect(page.getByRole("rowheader").nth(1)).toHaveText("Suspended an account");
    await look(page, "admin-audit", night);
    await page.getByLabel("What", { exact: true }).selectOption("Courses");
    await expect(page).toHaveURL(/kind=course/);
    await expect(page.getByRole("rowheader").filter({ hasText: /suspended/i })).toHaveCount(0);
  });
});
