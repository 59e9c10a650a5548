import type { Page } from "@playwright/test";
import { scheduleDeletion } from "~/features/accounts/deletion.server.ts";
import { createAccount } from "../support/accounts.ts";
import { lettersTo, pathOf } from "../support/mailbox.ts";
import type { Person } from "../support/people.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import type { RunningSite } from "./support/site.ts";
import { expect, phone, test, toast } from "./support/test.ts";

const newEmail = "ada.lovelace@example.com";

async function person(site: RunningSite): Promise<Person & { password: string }> {
  return { name: "Ada", ...(await createAccount(site.services)) };
}

const part = (page: Page, name: string) => page.getByRole("heading", { level: 2, name });
/** Where the link of the first letter to an address leads. */
async function letter(site: RunningSite, address: string): Promise<string> {
  const letters = () => lettersTo(site, address);
  await expect.poll(() => letters().length, { timeout: 30_000 }).toBeGreaterThan(0);
  const [first] = letters();
  return first ? pathOf(first) : "";
}

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with" : "without";
  const seen = { axe: javaScriptEnabled, night: javaScriptEnabled };
  const shot = (name: string) => `account-${name}-${how}`;

  test(`name, time zone and devices, ${how} scripts`, async ({ site, device, watch }) => {
    watch.expect(/^answer 400: POST \/account/);
    const ada = await person(site);
    await device({ as: ada });
    const page = await device({ as: ada, viewport: phone, javaScriptEnabled });
    await page.goto("/my-courses");
    await page.getByRole("link", { name: "Account" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your account");
    await expect(page.getByText("On 2 devices")).toBeVisible();
    await look(page, shot("overview"), { ...seen, widths: [320, 360, 1280] });

    await page.getByRole("link", { name: "Change: Name" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Name is required").first()).toBeVisible();
    await look(page, shot("name-refused"), seen);
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("Ada Lovelace");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(toast(page, "Name saved")).toBeVisible();
    await expect(page.getByText("Ada Lovelace")).toBeVisible();

    await page.getByRole("link", { name: "Change: Time zone" }).click();
    await page.getByRole("combobox", { name: "Time zone" }).selectOption("Asia/Tokyo");
    await look(page, shot("time-zone"), seen);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(toast(page, "Time zone saved")).toBeVisible();
    await expect(page.getByText("Tokyo")).toBeVisible();

    await page.getByRole("link", { name: "See: Signed in" }).click();
    await expect(part(page, "Where you are signed in")).toBeVisible();
    await look(page, shot("devices"), seen);
    await page.getByRole("button", { name: "Sign out everywhere else" }).click();
    await expect(toast(page, "You are signed in on this device only.")).toBeVisible();
    await look(page, shot("one-device"), seen);
  });

  test(`another address, ${how} scripts`, async ({ site, device, watch }) => {
    watch.expect(/^answer 400: POST \/account/);
    const ada = await person(site);
    const page = await device({ as: ada, viewport: phone, javaScriptEnabled });
    await page.goto("/account/email");
    await look(page, shot("email"), seen);
    await page.getByLabel("New email address").fill(newEmail);
    await page.getByLabel("Your password").fill("Wrong-horse-9");
    await page.getByRole("button", { name: "Send both emails" }).click();
    await expect(page.getByText("That is not your password.").first()).toBeVisible();
    await expect(page.getByLabel("New email address")).toHaveValue(newEmail);
    await look(page, shot("email-refused"), seen);
    await page.getByLabel("Your password").fill(ada.password);
    await page.getByRole("button", { name: "Send both emails" }).click();
    await expect(toast(page, "Two emails sent")).toBeVisible();
    await expect(page.getByText("Waits for you")).toHaveCount(2);
    await look(page, shot("email-waiting"), { ...seen, widths: [320, 360, 1280] });
    await page.goto("/account");
    await expect(page.getByText("is waiting to be confirmed")).toBeVisible();

    const stranger = await device({ viewport: phone, javaScriptEnabled });
    await stranger.goto(await letter(site, newEmail));
    await expect(stranger.getByRole("heading", { level: 1 })).toHaveText("Is this your account?");
    await look(stranger, shot("email-new-letter-elsewhere"), seen);
    await page.goto(await letter(site, newEmail));
    await look(page, shot("email-new-letter"), seen);
    await page.getByRole("button", { name: "Confirm this address" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      "Thank you. One email is left",
    );
    await look(page, shot("email-one-left"), seen);
    await page.goto(await letter(site, ada.email));
    await look(page, shot("email-old-letter"), seen);
    await page.getByRole("button", { name: "Confirm the change" }).click();
    await expect(page).toHaveURL("/account");
    await expect(toast(page, "Email address changed")).toBeVisible();
    await expect(page.getByText(newEmail)).toBeVisible();
    watch.expect(/^answer 400: GET \/account\/email\/confirm/);
    await page.goto("/account/email/confirm?token=x");
    await look(page, shot("email-dead"), seen);
  });

  test(`another password, ${how} scripts`, async ({ site, device, watch }) => {
    watch.expect(/^answer 400: POST \/account/);
    const ada = await person(site);
    const page = await device({ as: ada, viewport: phone, javaScriptEnabled });
    await page.goto("/account/password");
    await page.getByLabel("Current password").fill("Wrong-horse-9");
    await page.getByLabel("New password").fill("Battery-staple-7");
    await page.getByRole("button", { name: "Save the new password" }).click();
    await expect(page.getByText("That is not your password.").first()).toBeVisible();
    await look(page, shot("password-refused"), seen);
    await page.getByLabel("Current password").fill(ada.password);
    await page.getByLabel("New password").fill("Battery-staple-7");
    await page.getByRole("button", { name: "Save the new password" }).click();
    await expect(toast(page, "Password changed")).toBeVisible();
  });

  test(`an account is deleted, and kept after all, ${how} scripts`, async ({
    site,
    device,
    watch,
  }) => {
    watch.expect(/^answer 400: POST \/account/);
    const ada = await person(site);
    const page = await device({ as: ada, viewport: phone, javaScriptEnabled });
    await page.goto("/account");
    await page.getByRole("link", { name: "Your data" }).click();
    await look(page, shot("data"), seen);
    await page.getByRole("link", { name: "Delete my account" }).click();
    await page.getByLabel("Your password").fill("Wrong-horse-9");
    await page.getByRole("button", { name: "Delete my account" }).click();
    await expect(page.getByText("That is not your password.").first()).toBeVisible();
    await look(page, shot("delete"), seen);
    await page.getByLabel("Your password").fill(ada.password);
    await page.getByRole("button", { name: "Delete my account" }).click();
    await expect(page).toHaveURL("/", { timeout: 30_000 });
    await expect(toast(page, "You are signed out.")).toBeVisible();

    await page.goto("/auth");
    await signIn(page, ada);
    await expect(page).toHaveURL("/account/leaving", { timeout: 30_000 });
    await look(page, shot("leaving"), seen);
    await page.getByRole("button", { name: "Go on deleting" }).click();
    await expect(toast(page, "You are signed out.")).toBeVisible();
    await page.goto(await letter(site, ada.email));
    await look(page, shot("keep"), seen);
    await page.getByRole("button", { name: "Keep my account" }).click();
    await expect(toast(page, "Your account stays.")).toBeVisible();
    await signIn(page, ada);
    await expect(page).toHaveURL("/my-courses");
    await scheduleDeletion(site.services, ada.id);
    await page.goto("/auth");
    await signIn(page, ada);
    await page.getByRole("button", { name: "Keep it" }).click();
    await expect(page).toHaveURL("/my-courses");
  });
}

test("light or night, the same in the page and in its bar, and in another tab", async ({
  site,
  device,
}) => {
  const page = await device({ as: await person(site) });
  await page.goto("/account");
  const choice = (name: string) => page.getByRole("radio", { name });
  await expect(choice("As my device has it")).toBeChecked();
  await choice("Night").check();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  // The page is made anew in the browser, without a new document.
  await hydrated(page);
  await page.getByRole("link", { name: "Change: Name" }).click();
  await hydrated(page);
  await page.getByRole("button", { name: "Save" }).click();
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
