import { linkInMail } from "./support/mail.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, test, toast } from "./support/test.ts";

const email = "mara@example.com";
const password = "Quiet Morning 1";

test("a letter that is opened on another device asks for the password that was chosen", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/auth\/verify/);
  const laptop = await device();
  await laptop.goto("/auth?redirect=/courses/blue-dot-method&mode=sign-up");
  await hydrated(laptop);
  await laptop.getByLabel("Name", { exact: true }).fill("Mara");
  await laptop.getByLabel("Email", { exact: true }).fill(email);
  await laptop.getByLabel("Password", { exact: true }).fill(password);
  await laptop.getByRole("button", { name: "Create Account" }).click();
  await expect(toast(laptop, "Account created!")).toBeVisible();

  const phone = await device();
  await phone.goto(await linkInMail(site.dataDir, email, "/auth/verify"));
  await hydrated(phone);
  const box = phone.getByLabel("The password that you chose", { exact: true });
  const button = phone.getByRole("button", { name: "Confirm my address" });
  await look(phone, "auth-verify-elsewhere", { night: true });
  await box.fill("Not This One 1");
  await button.click();
  await expect(box).toBeFocused();
  await expect(box).toHaveAccessibleDescription(/This is not the password/);
  await look(phone, "auth-verify-elsewhere-wrong", { night: true });
  await box.fill(password);
  await button.click();
  await expect(phone).toHaveURL("/courses/blue-dot-method");
  await expect(toast(phone, "Email address confirmed")).toBeVisible();
});
