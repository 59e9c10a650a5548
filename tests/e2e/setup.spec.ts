import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, test, toast } from "./support/test.ts";

test("the link that the start prints makes the first administrator, once", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 404: GET \/setup\?token=wrong$/, /^answer 400: POST \/setup/);
  const [link = ""] = site.printed.match(/http\S+\/setup\?token=\S+/) ?? [];
  const page = await device();
  await page.goto("/setup?token=wrong");
  await expect(page.getByRole("heading", { name: "Page Not Found" })).toBeVisible();

  await page.goto(link);
  await hydrated(page);
  await look(page, "setup");
  await page.getByLabel("Name", { exact: true }).fill("Nora Hale");
  await page.getByLabel("Email", { exact: true }).fill("nora@example.com");
  await page.getByLabel("Password", { exact: true }).fill("too short");
  const create = page.getByRole("button", { name: "Create my account" });
  await create.click();
  await expect(toast(page, "Validation Error")).toContainText(
    "Password must include at least one uppercase letter",
  );
  await page.getByLabel("Password", { exact: true }).fill("Quiet Morning 1");
  await create.click();
  await expect(page.getByRole("heading", { name: "Welcome Back" })).toBeVisible();
  await page.getByLabel("Email", { exact: true }).fill("nora@example.com");
  await page.getByLabel("Password", { exact: true }).fill("Quiet Morning 1");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(toast(page, "Welcome back!")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Add a second step" })).toBeVisible();
  await hydrated(page);
  await look(page, "protect", { night: true });
  await page.getByRole("button", { name: "Not now: remind me in a week" }).click();
  await expect(page).toHaveURL("/admin");
  const { role } = await site.services.db.read
    .selectFrom("profiles")
    .select("role")
    .where("email", "=", "nora@example.com")
    .executeTakeFirstOrThrow();
  expect(role).toBe("admin");

  watch.expect(/^answer 404: GET \/setup\?token=(?!wrong)/);
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Page Not Found" })).toBeVisible();
});
