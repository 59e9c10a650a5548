import { unsubscribeLinks } from "~/features/accounts/email-preferences.server.ts";
import { deletePath } from "~/features/accounts/messages.ts";
import { createAccount, goodPassword, newAddress } from "../support/accounts.ts";
import { appFrom } from "../support/authenticator-app.ts";
import { onlyLinkTo } from "./support/mail.ts";
import { test } from "./support/oidc.ts";
import { look } from "./support/screen.ts";
import { signIn } from "./support/students.ts";
import { expect, phone, press, toast } from "./support/test.ts";

const plain = { axe: false, widths: [360] };

test("without scripts: account, email preferences, two-factor and a provider", async ({
  site,
  device,
  oidc,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/(account|auth)/);
  const account = { name: "Ada", ...(await createAccount(site.services)) };
  const { email } = account;
  const other = await device({ as: account });
  const page = await device({ javaScriptEnabled: false, viewport: phone });
  const code = page.getByLabel("Code", { exact: true });

  await test.step("a name is refused, then saved; a time zone is chosen", async () => {
    await page.goto("/auth?redirect=/account");
    await signIn(page, email);
    await page.getByRole("link", { name: "Change: Name" }).click();
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    await name.fill("");
    await press(page, "Save");
    await expect(page.getByText("Name is required").first()).toBeVisible();
    await look(page, "account-plain-refused", plain);
    await name.fill("Ada Lovelace");
    await press(page, "Save", "Name saved");
    await page.getByRole("link", { name: "Change: Time zone" }).click();
    await page.getByRole("combobox", { name: "Time zone" }).selectOption("Asia/Tokyo");
    await press(page, "Save");
    await expect(page.getByText("Tokyo")).toBeVisible();
    await look(page, "account-plain", plain);
  });

  await test.step("other devices are signed out", async () => {
    await page.getByRole("link", { name: "See: Signed in" }).click();
    await press(page, "Sign out everywhere else", "You are signed in on this device only.");
    await other.goto("/account");
    await expect(other).toHaveURL("/auth?redirect=/account");
  });

  await test.step("an email address is changed with both emails", async () => {
    const before = { name: "Ada", ...(await createAccount(site.services)) };
    const after = newAddress();
    const own = await device({ as: before, javaScriptEnabled: false, viewport: phone });
    await own.goto("/account/email");
    await own.getByLabel("New email address").fill(after);
    await own.getByLabel("Your password").fill("Wrong-horse-9");
    const send = own.getByRole("button", { name: "Send both emails" });
    await send.click();
    await expect(own.getByText("That is not your password.").first()).toBeVisible();
    await expect(own.getByLabel("New email address")).toHaveValue(after);
    await own.getByLabel("Your password").fill(goodPassword);
    await send.click();
    await expect(toast(own, "Two emails sent")).toBeVisible();
    await own.goto(await onlyLinkTo(site.dataDir, after));
    await press(own, "Confirm this address");
    await expect(own.getByRole("heading", { level: 1 })).toHaveText("Thank you. One email is left");
    await own.goto(await onlyLinkTo(site.dataDir, before.email));
    await press(own, "Confirm the change", "Email address changed");
    await expect(own.getByText(after)).toBeVisible();
  });

  await test.step("an account is deleted, and stays after all by its email and at sign-in", async () => {
    const leaving = { name: "Ada", ...(await createAccount(site.services)) };
    const own = await device({ as: leaving, javaScriptEnabled: false, viewport: phone });
    const remove = async () => {
      await own.goto(deletePath);
      await own.getByLabel("Your password").fill(goodPassword);
      await press(own, "Delete my account", "Your account will be deleted.");
    };
    await remove();
    await own.goto(await onlyLinkTo(site.dataDir, leaving.email));
    await press(own, "Keep my account", "Your account stays.");
    await signIn(own, leaving.email);
    await expect(own).toHaveURL("/my-courses");
    await remove();
    await own.goto("/auth");
    await signIn(own, leaving.email);
    await expect(own).toHaveURL("/account/deletion-pending");
    await press(own, "Keep it");
    await expect(own).toHaveURL("/my-courses");
  });

  await test.step("one kind of email is stopped by its link, and others are chosen", async () => {
    const { id: userId } = await createAccount(site.services);
    const links = unsubscribeLinks(site.services, { userId, kind: "module-completed" });
    const own = await device({ javaScriptEnabled: false, viewport: phone });
    const opened = own.getByRole("checkbox", { name: "A lesson has opened" });
    const finished = own.getByRole("checkbox", { name: "You finished a module" });
    await own.goto(links.off);
    await press(own, "Stop these emails", "These emails have stopped.");
    await expect(finished).not.toBeChecked();
    await expect(opened).toBeChecked();
    await finished.check();
    await opened.uncheck();
    await press(own, "Save", "Email preferences saved");
    await own.goto(links.preferences);
    await expect(finished).toBeChecked();
    await expect(opened).not.toBeChecked();
  });

  const [backupCode = ""] = await test.step("an app is added", async () => {
    await page.goto("/account/security/app");
    await page.getByLabel("Your password").fill(goodPassword);
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    const link = page.getByRole("link", { name: "open it from here" });
    const digits = appFrom((await link.getAttribute("href")) ?? "").code(new Date());
    await code.fill(`${digits.slice(0, 3)} ${digits.slice(3)}`);
    await press(page, "Turn it on");
    await expect(page.getByRole("heading", { name: /Now keep these codes/ })).toBeVisible();
    await look(page, "security-codes-plain", plain);
    return page.locator(".recovery-codes code").allInnerTexts();
  });

  await test.step("a backup code passes the second step", async () => {
    await page.context().clearCookies();
    await page.goto("/auth?redirect=/courses");
    await signIn(page, email);
    await code.fill("nothing");
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await expect(page.getByText("Enter the six digits that your app shows")).toBeVisible();
    await code.fill(backupCode);
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await expect(page).toHaveURL("/courses");
  });

  await test.step("a provider that is down, and one that has not confirmed the address", async () => {
    const visitor = await device({ javaScriptEnabled: false });
    const continueWith = visitor.getByRole("button", { name: "Continue with Lantern" });
    oidc.member = { sub: "eve", email: "eve@example.com", email_verified: false, name: "Eve" };
    oidc.trouble = { down: /well-known/ };
    await visitor.goto("/auth?redirect=/courses");
    await continueWith.click();
    await expect(visitor.getByText("Lantern cannot be reached just now")).toBeVisible();
    await expect(visitor).toHaveURL("/auth?redirect=/courses");
    oidc.trouble = {};
    await continueWith.click();
    await press(visitor, "Allow");
    await expect(visitor.getByText("Lantern has not confirmed your address")).toBeVisible();
    await look(visitor, "auth-providers-confirm", { axe: false, night: true });
  });
});
