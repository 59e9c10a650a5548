import type { Page } from "@playwright/test";
import { site as ownFacts } from "~content/site.ts";
import { createAccount, goodPassword } from "../support/accounts.ts";
import { appFrom, giveApp } from "../support/authenticator-app.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, test, toast } from "./support/test.ts";

async function signIn(page: Page, email: string, path = "/auth") {
  await page.goto(path);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(goodPassword);
  await page.getByRole("button", { name: "Sign In" }).click();
}

/** The app that has read what the page shows; the QR code and the typed key say the same. */
async function scan(page: Page) {
  const link = page.getByRole("link", { name: "open it from here" });
  return appFrom((await link.getAttribute("href")) ?? "");
}

test("an app is added, asked for, and stands in for by a backup code, once", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/(account|auth)/);
  const { email } = await createAccount(site.services);
  const page = await device();
  await signIn(page, email);
  await expect(toast(page, "Welcome back!")).toBeVisible();
  await page.goto("/account/security");
  await hydrated(page);
  await expect(page.getByRole("heading", { name: "Passkeys" })).toBeVisible();
  await look(page, "security-empty", { night: true });

  await page.getByRole("link", { name: "Add an app" }).click();
  await hydrated(page);
  await page.getByLabel("Your password").fill("Wrong-horse-9");
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(page.getByLabel("Your password")).toHaveAccessibleDescription(
    "That is not your password.",
  );
  await look(page, "security-app-name", { night: true });
  await page.getByLabel("Your password").fill(goodPassword);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Set up “My phone”" })).toBeVisible();
  await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  const app = await scan(page);
  await page.getByText("Type it in instead").click();
  await expect(page.locator(".setup-key")).toHaveText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  await look(page, "security-app-setup", { night: true });
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await page.getByRole("button", { name: "Turn it on" }).click();
  await expect(page.getByLabel("Code", { exact: true })).toHaveAccessibleDescription(
    /That code does not fit/,
  );
  await page.getByLabel("Code", { exact: true }).fill(await app.code(new Date()));
  await page.getByRole("button", { name: "Turn it on" }).click();
  await expect(page.getByRole("heading", { name: /Now keep these codes/ })).toBeVisible();
  const codes = await page
    .getByRole("list", { name: "Backup codes" })
    .locator("code")
    .allInnerTexts();
  expect(codes).toHaveLength(10);
  await look(page, "security-codes", { night: true });
  const file = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download as a file" }).click();
  expect((await file).suggestedFilename()).toBe("recovery-codes.txt");
  await page.getByRole("link", { name: "I have kept them" }).click();
  await expect(page.getByText("10 are left.")).toBeVisible();
  await look(page, "security-one-app", { night: true });

  // On another device.
  const other = await device();
  await signIn(other, email, "/auth?redirect=/courses/blue-dot-method");
  await expect(other.getByRole("heading", { name: "One more step" })).toBeVisible();
  await hydrated(other);
  await expect(other.getByRole("link", { name: ownFacts.email })).toHaveAttribute(
    "href",
    `mailto:${ownFacts.email}`,
  );
  await look(other, "second-step", { night: true });
  await other.getByLabel("Code", { exact: true }).fill("123 45");
  await other.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(other.getByLabel("Code", { exact: true })).toHaveAccessibleDescription(
    /Enter the six digits/,
  );
  await look(other, "second-step-problem", { night: true });
  await other.getByRole("link", { name: "Use a backup code" }).click();
  await other.getByLabel("Backup code").fill(codes[0] ?? "");
  await look(other, "second-step-recovery");
  await other.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(other).toHaveURL("/courses/blue-dot-method");
  await expect(toast(other, "Welcome back!")).toBeVisible();

  const third = await device();
  await signIn(third, email);
  await third.getByLabel("Code", { exact: true }).fill(codes[0] ?? "");
  await third.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(third.getByLabel("Code", { exact: true })).toHaveAccessibleDescription(
    /used before/,
  );
  await third.getByRole("button", { name: "Use another account" }).click();
  await expect(third.getByRole("heading", { name: "Welcome Back" })).toBeVisible();

  await page.goto("/account/security");
  await page.getByRole("link", { name: "Remove “My phone”" }).click();
  await hydrated(page);
  await look(page, "security-remove", { night: true });
  await page.getByLabel("Your password").fill(goodPassword);
  await page.getByRole("button", { name: "Remove this authenticator app" }).click();
  await expect(toast(page, "It is removed.")).toBeVisible();
  await expect(page.getByText("You get them with your first app.")).toBeVisible();
});

test("all of it works without scripts", async ({ site, device, watch }) => {
  watch.expect(/^answer 400: POST \/auth/);
  const { email } = await createAccount(site.services);
  const page = await device({ javaScriptEnabled: false });
  await signIn(page, email);
  await expect(page).toHaveURL("/my-courses");
  await page.goto("/account/security/app");
  await page.getByLabel("Your password").fill(goodPassword);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  const app = await scan(page);
  const code = await app.code(new Date());
  await page.getByLabel("Code", { exact: true }).fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await page.getByRole("button", { name: "Turn it on" }).click();
  await expect(page.getByRole("heading", { name: /Now keep these codes/ })).toBeVisible();
  await look(page, "security-codes-plain", { axe: false, widths: [360] });
  const [first = ""] = await page.locator(".recovery-codes code").allInnerTexts();

  const other = await device({ javaScriptEnabled: false });
  await signIn(other, email, "/auth?redirect=/courses");
  await other.getByLabel("Code", { exact: true }).fill("nothing");
  await other.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(other.getByText("Enter the six digits that your app shows")).toBeVisible();
  await other.getByLabel("Code", { exact: true }).fill(first);
  await other.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(other).toHaveURL("/courses");
});

test("passkeys: added, used, told when it is long ago, removed", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 40[03]: (GET|POST) \/(account|api)/);
  const { id, email } = await createAccount(site.services);
  const page = await device();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const virtual = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: virtual,
  });
  await signIn(page, email);
  await expect(toast(page, "Welcome back!")).toBeVisible();
  await site.services.db.write
    .updateTable("sessions")
    .set({ createdAt: new Date(Date.now() - 25 * 3600_000) })
    .where("userId", "=", id)
    .execute();
  await page.goto("/account/security");
  await hydrated(page);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByLabel("Name of the new passkey")).toHaveAccessibleDescription(
    /Give it a name/,
  );
  await page.getByLabel("Name of the new passkey").fill("My laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("Please show that it is you.")).toBeVisible();
  await look(page, "security-passkey-stale", { night: true });
  await page.getByLabel("Your password").fill("Wrong-horse-9");
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(page.getByLabel("Your password")).toHaveAccessibleDescription(
    "That is not your password.",
  );
  await page.getByLabel("Your password").fill(goodPassword);
  await page.getByRole("button", { name: "Go on" }).click();
  await expect(toast(page, "Passkey added")).toBeVisible();
  await expect(page.getByText("My laptop", { exact: true })).toBeVisible();
  await look(page, "security-passkey", { night: true });

  // What the device could not do is said where the focus goes, also a second time.
  watch.expect(/^failed: GET .*generate-register-options/);
  const name = page.getByLabel("Name of the new passkey");
  await name.fill("My phone");
  await page.route(/generate-register-options/, (route) => route.abort());
  for (const time of ["first", "second"]) {
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await expect(name, time).toBeFocused();
    await expect(name).toHaveAccessibleDescription(/The site cannot be reached/);
  }

  await page.context().clearCookies();
  await page.goto("/auth?redirect=/courses");
  await hydrated(page);
  await look(page, "auth-with-passkey", { night: true });
  await page.getByRole("button", { name: "Continue with a passkey" }).click();
  await expect(page).toHaveURL("/courses");
  await expect(toast(page, "Welcome back!")).toBeVisible();

  // It is a second factor too, where one is owed.
  await giveApp(site.services, { id });
  await page.context().clearCookies();
  await signIn(page, email);
  await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
  await hydrated(page);
  await look(page, "second-step-passkey");
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page).toHaveURL("/my-courses");

  await page.goto("/account/security");
  await page.getByRole("link", { name: "Rename “My laptop”" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Laptop");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(toast(page, "The name is changed.")).toBeVisible();
  await page.getByRole("link", { name: "Remove “Laptop”" }).click();
  await page.getByLabel("Your password").fill(goodPassword);
  await page.getByRole("button", { name: "Remove this passkey" }).click();
  await expect(toast(page, "It is removed.")).toBeVisible();

  // What the site has forgotten and the device has not.
  await page.context().clearCookies();
  await page.goto("/auth");
  await hydrated(page);
  await page.getByRole("button", { name: "Continue with a passkey" }).click();
  await expect(toast(page, "Sign in failed")).toContainText("That passkey is not known here.");
  watch.expect(/^answer 400: POST \/auth/);

  // Somebody who changes her mind is told nothing.
  await cdp.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
  const refusing = { ...virtual, isUserVerified: false };
  await cdp.send("WebAuthn.addVirtualAuthenticator", { options: refusing });
  await page.reload();
  await hydrated(page);
  await page.getByRole("button", { name: "Continue with a passkey" }).click();
  await expect(page.getByRole("button", { name: "Continue with a passkey" })).toBeEnabled();
  await expect(page.locator(".toast")).toHaveCount(0);
});
