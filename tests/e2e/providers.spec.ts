import type { Page } from "@playwright/test";
import { createAccount } from "../support/accounts.ts";
import { test } from "./support/oidc.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, toast } from "./support/test.ts";

const continueWith = (page: Page) => page.getByRole("button", { name: "Continue with Lantern" });
const allow = (page: Page) => page.getByRole("button", { name: "Allow" }).click();

test("she signs up through a provider, changes her mind on the way, and signs in again", async ({
  device,
  oidc,
}) => {
  oidc.member = { sub: "ines", email: "ines@example.com", email_verified: true, name: "Ines" };
  const page = await device();
  await page.goto("/auth?redirect=/mail-preferences");
  await hydrated(page);
  await look(page, "auth-providers", { night: true });
  await page.getByRole("link", { name: "Sign up" }).click();
  await expect(page.getByRole("heading", { name: "Create Account" })).toBeVisible();
  await look(page, "auth-providers-sign-up", { night: true });

  await continueWith(page).click();
  await expect(page.getByRole("heading", { name: "The provider" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Create Account" })).toBeVisible();

  oidc.cancels = true;
  await continueWith(page).click();
  await allow(page);
  await expect(toast(page, "You came back from Lantern")).toBeVisible();
  await expect(page).toHaveURL("/auth?redirect=/mail-preferences&mode=sign-up");
  await look(page, "auth-providers-cancelled", { night: true });

  oidc.cancels = false;
  await continueWith(page).click();
  await allow(page);
  await expect(page).toHaveURL("/mail-preferences");
  await expect(toast(page, "Account ready")).toBeVisible();

  await page.goto("/my-courses");
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(toast(page, "You are signed out.")).toBeVisible();
  await page.goto("/auth");
  await continueWith(page).click();
  await expect(toast(page, "Welcome back!")).toBeVisible();
  await expect(page).toHaveURL("/my-courses");
});

test("she links a provider and unlinks it", async ({ device, oidc, site }) => {
  const account = await createAccount(site.services);
  oidc.member = { sub: "ada", email: "ada.at.home@example.com", email_verified: true };
  const page = await device({ as: { ...account, name: "Ada" } });
  await page.goto("/account/sign-in-methods");
  await hydrated(page);
  await look(page, "methods-none", { night: true });
  await page.getByRole("button", { name: "Link Lantern" }).click();
  await allow(page);
  await expect(toast(page, "Lantern is linked.")).toBeVisible();
  await expect(page).toHaveURL("/account/sign-in-methods");
  await expect(page.getByText("ada.at.home@example.com", { exact: true })).toBeVisible();
  await hydrated(page);
  await look(page, "methods-linked", { night: true });

  await page.getByRole("link", { name: "Unlink Lantern" }).click();
  const question = page.getByRole("dialog", { name: "Unlink Lantern?" });
  await expect(question).toBeVisible();
  await look(page, "methods-unlink", { night: true });
  await question.getByRole("button", { name: "Unlink Lantern" }).click();
  await expect(toast(page, "It is unlinked.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Link Lantern" })).toBeVisible();
});

test("after a while she shows first that it is she", async ({ device, oidc, site, watch }) => {
  watch.expect(/^answer 400: POST \/account\/sign-in-methods/);
  const account = await createAccount(site.services);
  oidc.member = { sub: "mina", email: "mina@example.com", email_verified: true };
  const page = await device({ as: { ...account, name: "Mina" } });
  await site.services.db.write
    .updateTable("sessions")
    .set({ createdAt: new Date(Date.now() - 11 * 60_000) })
    .where("userId", "=", account.id)
    .execute();
  await page.goto("/account/sign-in-methods");
  await page.getByRole("button", { name: "Link Lantern" }).click();
  await expect(page.getByRole("heading", { name: "Please show that it is you" })).toBeVisible();
  await hydrated(page);
  await look(page, "methods-owner", { night: true });
  await page.getByLabel("Your password").fill("Wrong-horse-9");
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(page.getByLabel("Your password")).toHaveAccessibleDescription(
    "That is not your password.",
  );
  await look(page, "methods-owner-refused", { night: true });
  await page.getByLabel("Your password").fill(account.password);
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(toast(page, "Thank you.")).toBeVisible();
  await page.getByRole("button", { name: "Link Lantern" }).click();
  await allow(page);
  await expect(toast(page, "Lantern is linked.")).toBeVisible();
});

test("without scripts, and while the provider is away", async ({ device, oidc }) => {
  oidc.member = { sub: "eve", email: "eve@example.com", email_verified: false, name: "Eve" };
  oidc.trouble = { down: /well-known/ };
  const page = await device({ javaScriptEnabled: false });
  await page.goto("/auth?redirect=/courses");
  await continueWith(page).click();
  await expect(page.getByText("Lantern cannot be reached just now")).toBeVisible();
  await expect(page).toHaveURL("/auth?redirect=/courses");
  oidc.trouble = {};
  await continueWith(page).click();
  await allow(page);
  await expect(page.getByText("Lantern has not confirmed your address")).toBeVisible();
  await look(page, "auth-providers-confirm", { axe: false, night: true });
});
