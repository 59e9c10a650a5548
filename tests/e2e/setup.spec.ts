import { hydrated, openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { signIn } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

const seen = { widths: [1280], night: true };

test("setup: the link of the start makes the first admin, once, and offers two-factor", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 404: GET \/setup\?token=/, /^answer 400: POST \/setup/);
  const [link = ""] = site.printed.match(/http\S+\/setup\?token=\S+/) ?? [];
  const page = await device();
  const email = "nora@example.com";
  const password = page.getByLabel("Password", { exact: true });
  const expectNotFound = async (address: string) => {
    await page.goto(address);
    await expect(page.getByRole("heading", { name: "Page Not Found" })).toBeVisible();
  };

  await test.step("the first admin creates an account", async () => {
    await expectNotFound("/setup?token=wrong");
    await openHydrated(page, link);
    await look(page, "setup", seen);
    await page.getByLabel("Name", { exact: true }).fill("Nora Hale");
    await page.getByLabel("Email", { exact: true }).fill(email);
    await password.fill("too short");
    const create = page.getByRole("button", { name: "Create my account" });
    await create.click();
    await expect(toast(page, "Validation Error")).toContainText(
      "Password must include at least one uppercase letter",
    );
    await expect(password).toBeFocused();
    await password.fill("Quiet Morning 1");
    await create.click();
    await expect(page.getByRole("heading", { name: "Welcome Back" })).toBeVisible();
  });

  await test.step("two-factor is offered after the sign-in, and put off", async () => {
    await signIn(page, email, "Quiet Morning 1");
    await expect(toast(page, "Welcome back!")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Add a second step" })).toBeVisible();
    await hydrated(page);
    await look(page, "protect", seen);
    await page.getByRole("button", { name: "Not now: remind me in a week" }).click();
    await expect(page).toHaveURL("/admin");
  });

  await test.step("the link works once", () => expectNotFound(link));
});
