import type { Page } from "@playwright/test";
import { createAccount } from "../support/accounts.ts";
import { test } from "./support/oidc.ts";
import { hydrated, openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { ageSessions } from "./support/students.ts";
import { expect, press, toast } from "./support/test.ts";

const seen = { widths: [1280], night: true };
const methods = "/account/sign-in-methods";

const continueWith = (page: Page) => page.getByRole("button", { name: "Continue with Lantern" });
const allow = (page: Page) => page.getByRole("button", { name: "Allow" }).click();
const link = (page: Page) => page.getByRole("button", { name: "Link Lantern" });

test("a provider: sign up, cancel, sign in, link and unlink", async ({
  device,
  oidc,
  site,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/account\/sign-in-methods/);
  const page = await device();
  const account = await createAccount(site.services);
  const owner = await device({ as: { ...account, name: "Ada" } });

  await test.step("a visitor turns back, cancels, and signs up after all", async () => {
    oidc.member = { sub: "ines", email: "ines@example.com", email_verified: true, name: "Ines" };
    await openHydrated(page, "/auth?redirect=/mail-preferences");
    await look(page, "auth-providers", seen);
    await page.getByRole("link", { name: "Sign up" }).click();
    await expect(page.getByRole("heading", { name: "Create Account" })).toBeVisible();
    await continueWith(page).click();
    await expect(page.getByRole("heading", { name: "The provider" })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("heading", { name: "Create Account" })).toBeVisible();

    oidc.cancels = true;
    await continueWith(page).click();
    await allow(page);
    await expect(toast(page, "You came back from Lantern")).toBeVisible();
    await expect(page).toHaveURL("/auth?redirect=/mail-preferences&mode=sign-up");
    await look(page, "auth-providers-cancelled", seen);
    oidc.cancels = false;
    await continueWith(page).click();
    await allow(page);
    await expect(page).toHaveURL("/mail-preferences");
    await expect(toast(page, "Account ready")).toBeVisible();
  });

  await test.step("the new user signs in with it again", async () => {
    await page.goto("/my-courses");
    await press(page, "Sign out", "You are signed out.");
    await page.goto("/auth");
    await continueWith(page).click();
    await expect(toast(page, "Welcome back!")).toBeVisible();
    await expect(page).toHaveURL("/my-courses");
  });

  await test.step("ten minutes after the sign-in, linking asks for the password first", async () => {
    oidc.member = { sub: "ada", email: "ada.at.home@example.com", email_verified: true };
    await ageSessions(site.services, account.id);
    await openHydrated(owner, methods);
    await look(owner, "methods-none", seen);
    await link(owner).click();
    await expect(owner.getByRole("heading", { name: "Please show that it is you" })).toBeVisible();
    await hydrated(owner);
    const password = owner.getByLabel("Your password");
    await password.fill("Wrong-horse-9");
    await owner.getByRole("button", { name: "Go on" }).click();
    await expect(password).toHaveAccessibleDescription("That is not your password.");
    await look(owner, "methods-owner-refused", seen);
    await password.fill(account.password);
    await press(owner, "Go on", "Thank you.");
  });

  await test.step("linked, and unlinked after a question", async () => {
    await link(owner).click();
    await allow(owner);
    await expect(toast(owner, "Lantern is linked.")).toBeVisible();
    await expect(owner).toHaveURL(methods);
    await expect(owner.getByText("ada.at.home@example.com", { exact: true })).toBeVisible();
    await hydrated(owner);
    await look(owner, "methods-linked", seen);
    await owner.getByRole("link", { name: "Unlink Lantern" }).click();
    const question = owner.getByRole("dialog", { name: "Unlink Lantern?" });
    await expect(question).toBeVisible();
    await look(owner, "methods-unlink", seen);
    await question.getByRole("button", { name: "Unlink Lantern" }).click();
    await expect(toast(owner, "It is unlinked.")).toBeVisible();
    await expect(link(owner)).toBeVisible();
  });
});
