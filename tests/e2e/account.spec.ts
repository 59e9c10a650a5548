import type { Page } from "@playwright/test";
import { scheduleDeletion } from "~/features/accounts/deletion.server.ts";
import { deletePath } from "~/features/accounts/messages.ts";
import { removePath } from "~/features/auth/messages.ts";
import { createAccount, newAddress } from "../support/accounts.ts";
import { giveApp } from "../support/authenticator-app.ts";
import { createPerson } from "../support/people.ts";
import { linkInMail, onlyLinkTo } from "./support/mail.ts";
import { openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { ageSessions, signIn } from "./support/students.ts";
import { expect, phone, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const seen = { widths: [1280], night: true };
const wrong = "Wrong-horse-9";
const notYours = "That is not your password.";

const title = (page: Page) => page.getByRole("heading", { level: 1 });
const button = (page: Page, name: string) => page.getByRole("button", { name });

test("account: name, time zone, devices, password and theme", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/account/);
  const ada = { name: "Ada", ...(await createAccount(services)) };
  await device({ as: ada });
  const page = await device({ as: ada, viewport: phone });

  await test.step("a name is refused, then saved", async () => {
    await page.goto("/my-courses");
    await page.getByRole("link", { name: "Account" }).click();
    await expect(title(page)).toHaveText("Your account");
    await expect(page.getByText("On 2 devices")).toBeVisible();
    await look(page, "account-overview", { widths: [320, 1280], night: true });
    await page.getByRole("link", { name: "Change: Name" }).click();
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    await name.fill("");
    await button(page, "Save").click();
    await expect(page.getByText("Name is required").first()).toBeVisible();
    await look(page, "account-name-refused", seen);
    await name.fill("Ada Lovelace");
    await button(page, "Save").click();
    await expect(toast(page, "Name saved")).toBeVisible();
    await expect(page.getByText("Ada Lovelace")).toBeVisible();
  });

  await test.step("a time zone is chosen", async () => {
    await page.getByRole("link", { name: "Change: Time zone" }).click();
    await page.getByRole("combobox", { name: "Time zone" }).selectOption("Asia/Tokyo");
    await look(page, "account-time-zone", seen);
    await button(page, "Save").click();
    await expect(toast(page, "Time zone saved")).toBeVisible();
    await expect(page.getByText("Tokyo")).toBeVisible();
  });

  await test.step("other devices are signed out", async () => {
    await page.getByRole("link", { name: "See: Signed in" }).click();
    const devices = page.getByRole("heading", { level: 2, name: "Where you are signed in" });
    await expect(devices).toBeVisible();
    await look(page, "account-devices", seen);
    await button(page, "Sign out everywhere else").click();
    await expect(toast(page, "You are signed in on this device only.")).toBeVisible();
    await look(page, "account-one-device", { widths: [360] });
  });

  await test.step("a password is refused, then changed", async () => {
    await page.goto("/account/password");
    await page.getByLabel("Current password").fill(wrong);
    await page.getByLabel("New password").fill("Battery-staple-7");
    await button(page, "Save the new password").click();
    await expect(page.getByText(notYours).first()).toBeVisible();
    await look(page, "account-password-refused", seen);
    await page.getByLabel("Current password").fill(ada.password);
    await page.getByLabel("New password").fill("Battery-staple-7");
    await button(page, "Save the new password").click();
    await expect(toast(page, "Password changed")).toBeVisible();
  });

  await test.step("the theme is the same in the page, in its header and in another tab", async () => {
    const choice = (name: string) => page.getByRole("radio", { name });
    // On a phone the button of the header is in its menu.
    await page.setViewportSize({ width: 1280, height: 800 });
    await openHydrated(page, "/account");
    await expect(choice("As my device has it")).toBeChecked();
    await choice("Night").check();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    // The page is rendered again in the browser, without a new document.
    await page.getByRole("link", { name: "Change: Name" }).click();
    await button(page, "Save").click();
    await expect(toast(page, "Name saved")).toBeVisible();
    await expect(choice("Night")).toBeChecked();
    const other = await page.context().newPage();
    await other.goto("/account");
    await expect(other.getByRole("radio", { name: "Night" })).toBeChecked();
    await other.getByRole("radio", { name: "As my device has it" }).check();
    await expect(choice("As my device has it")).toBeChecked();
    await expect(page.locator("html")).not.toHaveAttribute("data-theme");
    await page.locator("[data-theme-toggle]").first().click();
    await expect(choice("Light")).toBeChecked();
    await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();
    await expect(page).toHaveURL("/");
    await expect(toast(page, "You are signed out.")).toBeVisible();
  });
});

test("account: an email change with both emails, while a page stays open", async ({
  site: { services, dataDir },
  device,
  watch,
}) => {
  watch.expect(/^answer 400: (GET|POST) \/account/);
  const ada = { name: "Ada", ...(await createAccount(services)) };
  const newEmail = newAddress();
  const page = await device({ as: ada, viewport: phone });
  const linkTo = (address: string) => onlyLinkTo(dataDir, address);

  await test.step("the password is refused, then both emails are sent", async () => {
    await page.goto("/account/email");
    await page.getByLabel("New email address").fill(newEmail);
    await page.getByLabel("Your password").fill(wrong);
    await button(page, "Send both emails").click();
    await expect(page.getByText(notYours).first()).toBeVisible();
    await expect(page.getByLabel("New email address")).toHaveValue(newEmail);
    await look(page, "account-email-refused", seen);
    await page.getByLabel("Your password").fill(ada.password);
    await button(page, "Send both emails").click();
    await expect(toast(page, "Two emails sent")).toBeVisible();
    await expect(page.getByText("Waits for you")).toHaveCount(2);
    await look(page, "account-email-waiting", { widths: [320, 1280], night: true });
    await page.goto("/account");
    await expect(page.getByText("is waiting to be confirmed")).toBeVisible();
  });

  await test.step("a device that is not signed in cannot confirm the new address", async () => {
    const stranger = await device({ viewport: phone });
    await stranger.goto(await linkTo(newEmail));
    await expect(title(stranger)).toHaveText("Is this your account?");
    await look(stranger, "account-email-elsewhere", seen);
  });

  await test.step("both addresses are confirmed", async () => {
    const late = await page.context().newPage();
    await openHydrated(late, await linkTo(newEmail));
    await page.goto(await linkTo(newEmail));
    await look(page, "account-email-new", seen);
    await button(page, "Confirm this address").click();
    await expect(title(page)).toHaveText("Thank you. One email is left");
    await look(page, "account-email-one-left", seen);
    await page.goto(await linkTo(ada.email));
    await look(page, "account-email-old", seen);
    await button(page, "Confirm the change").click();
    await expect(page).toHaveURL("/account");
    await expect(toast(page, "Email address changed")).toBeVisible();
    await expect(page.getByText(newEmail)).toBeVisible();
    // The page that stayed open: its link has expired meanwhile.
    await button(late, "Confirm this address").click();
    await expect(title(late)).toHaveText("This link no longer works");
    await look(late, "account-email-expired", { widths: [360] });
  });
});

test("account: deletion, cancelling it, and showing again that it is the owner", async ({
  site: { services, dataDir },
  device,
  watch,
}) => {
  watch.expect(/^answer 400: (GET|POST) \/account/);
  const ada = { name: "Ada", ...(await createAccount(services)) };
  const page = await device({ as: ada, viewport: phone });

  await test.step("the password is refused, then the account is deleted", async () => {
    await page.goto("/account");
    await page.getByRole("link", { name: "Your data" }).click();
    await look(page, "account-data", seen);
    await page.getByRole("link", { name: "Delete my account" }).click();
    await page.getByLabel("Your password").fill(wrong);
    await button(page, "Delete my account").click();
    await expect(page.getByText(notYours).first()).toBeVisible();
    await look(page, "account-delete", seen);
    await page.getByLabel("Your password").fill(ada.password);
    await button(page, "Delete my account").click();
    await expect(page).toHaveURL("/");
    await expect(toast(page, "Your account will be deleted.")).toBeVisible();
  });

  await test.step("a user who signs in is asked, and goes on deleting", async () => {
    await page.goto("/auth");
    await signIn(page, ada.email);
    await expect(page).toHaveURL("/account/deletion-pending");
    await look(page, "account-deletion-pending", seen);
    await button(page, "Go on deleting").click();
    await expect(toast(page, "Your account will be deleted.")).toBeVisible();
  });

  await test.step("the email cancels it, once, also where its page is still open", async () => {
    const link = await linkInMail(dataDir, ada.email, "/account/keep");
    const late = await device();
    await openHydrated(late, link);
    await page.goto(link);
    await look(page, "account-keep", seen);
    await button(page, "Keep my account").click();
    await expect(toast(page, "Your account stays.")).toBeVisible();
    await button(late, "Keep my account").click();
    await expect(title(late)).toHaveText("There is nothing to keep");
    await expect(button(late, "Keep my account")).toHaveCount(0);
    await signIn(page, ada.email);
    await expect(page).toHaveURL("/my-courses");
  });

  await test.step("a user who signs in cancels it", async () => {
    await scheduleDeletion(services, ada.id);
    await page.goto("/auth");
    await signIn(page, ada.email);
    await button(page, "Keep it").click();
    await expect(page).toHaveURL("/my-courses");
  });

  await test.step("without a password, a sign-in too long ago leads to another one", async () => {
    const ida = await createPerson(services);
    const own = await device({ as: ida });
    await openHydrated(own, deletePath);
    await ageSessions(services, ida.id);
    await button(own, "Delete my account").click();
    await expect(own.getByText("It has been a while since you signed in.")).toBeVisible();
    await look(own, "owner-sign-in-again", seen);
    await button(own, "Sign out and in again").click();
    await expect(own).toHaveURL(`/auth?redirect=${deletePath}`);
  });

  await test.step("with an app it asks for a code; each wrong one is marked", async () => {
    const eve = await createPerson(services);
    const own = await device({ as: eve });
    const { id, codes } = await giveApp(services, eve);
    await services.db.write
      .updateTable("sessions")
      .set({ secondFactorAt: new Date() })
      .where("userId", "=", eve.id)
      .execute();
    await openHydrated(own, `${removePath}?app=${id}`);
    await ageSessions(services, eve.id);
    const field = own.getByLabel("A code of your app");
    const remove = button(own, "Remove this authenticator app");
    await remove.click();
    await expect(field).toBeFocused();
    await expect(field).toHaveAccessibleDescription(/backup code/);
    await expect(field).toHaveAttribute("inputmode", "text");
    await expect(field).toHaveAttribute("autocomplete", "one-time-code");
    await look(own, "owner-code", seen);
    for (const code of ["000000", "000001"]) {
      await field.fill(code);
      const answer = own.waitForResponse(/remove\.data/);
      await remove.click();
      await answer;
      await expect(field).toHaveAccessibleDescription(/That code does not fit/);
      await expect(field, code).toBeFocused();
    }
    await field.fill(codes[0] ?? "");
    await remove.click();
    await expect(toast(own, "It is removed.")).toBeVisible();
  });
});
