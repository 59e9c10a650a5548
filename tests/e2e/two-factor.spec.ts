import type { Page } from "@playwright/test";
import { backupCodesPath } from "~/features/auth/messages.ts";
import { site as ownFacts } from "../../scripts/build/first-site.ts";
import { createAccount, goodPassword } from "../support/accounts.ts";
import { appFrom, giveApp } from "../support/authenticator-app.ts";
import { hydrated, openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { ageSessions, signIn } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const seen = { widths: [1280], night: true };
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const codeField = (page: Page) => page.getByLabel("Code", { exact: true });
const passwordField = (page: Page) => page.getByLabel("Your password");

test("two-factor: an authenticator app, its backup codes, and removing it", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/(account|auth)/);
  const account = await createAccount(services);
  const { email } = account;
  const page = await device({ as: { ...account, name: "Ada" } });

  const app = await test.step("an app is named, and scans the page", async () => {
    await openHydrated(page, "/account/security");
    await expect(page.getByRole("heading", { name: "Passkeys" })).toBeVisible();
    await look(page, "security-empty", seen);
    await page.getByRole("link", { name: "Add an app" }).click();
    await hydrated(page);
    await passwordField(page).fill("Wrong-horse-9");
    await button(page, "Continue").click();
    await expect(passwordField(page)).toHaveAccessibleDescription("That is not your password.");
    await look(page, "security-app-name", seen);
    await passwordField(page).fill(goodPassword);
    await button(page, "Continue").click();
    await expect(page.getByRole("heading", { name: "Set up “My phone”" })).toBeVisible();
    const picture = page.getByRole("img", { name: "QR code for your authenticator app" });
    await expect(picture).toBeVisible();
    await page.getByText("Type it in instead").click();
    await expect(page.locator(".setup-key")).toHaveText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
    await look(page, "security-app-setup", seen);
    const link = page.getByRole("link", { name: "open it from here" });
    return appFrom((await link.getAttribute("href")) ?? "");
  });

  const codes =
    await test.step("a code of it turns it on; backup codes are downloaded", async () => {
      await codeField(page).fill("000000");
      await button(page, "Turn it on").click();
      await expect(codeField(page)).toHaveAccessibleDescription(/That code does not fit/);
      await codeField(page).fill(await app.code(new Date()));
      await button(page, "Turn it on").click();
      await expect(page.getByRole("heading", { name: /Now keep these codes/ })).toBeVisible();
      const list = page.getByRole("list", { name: "Backup codes" }).locator("code");
      await expect(list).toHaveCount(10);
      await look(page, "security-codes", seen);
      const file = page.waitForEvent("download");
      await page.getByRole("link", { name: "Download as a file" }).click();
      expect((await file).suggestedFilename()).toBe("recovery-codes.txt");
      const shown = await list.allInnerTexts();
      await page.getByRole("link", { name: "I have kept them" }).click();
      await expect(page.getByText("10 are left.")).toBeVisible();
      await look(page, "security-one-app", seen);
      return shown;
    });

  await test.step("another device is asked, and a backup code works once", async () => {
    const other = await device();
    await other.goto("/auth?redirect=/courses/blue-dot-method");
    await signIn(other, email);
    await expect(other.getByRole("heading", { name: "One more step" })).toBeVisible();
    await hydrated(other);
    await expect(other.getByRole("link", { name: ownFacts.email })).toHaveAttribute(
      "href",
      `mailto:${ownFacts.email}`,
    );
    await codeField(other).fill("123 45");
    await button(other, "Continue").click();
    await expect(codeField(other)).toHaveAccessibleDescription(/Enter the six digits/);
    await look(other, "second-step-problem", seen);
    await other.getByRole("link", { name: "Use a backup code" }).click();
    await other.getByLabel("Backup code").fill(codes[0] ?? "");
    await look(other, "second-step-recovery", { widths: [360] });
    await button(other, "Continue").click();
    await expect(other).toHaveURL("/courses/blue-dot-method");
    await expect(toast(other, "Welcome back!")).toBeVisible();

    const third = await device();
    await third.goto("/auth");
    await signIn(third, email);
    await codeField(third).fill(codes[0] ?? "");
    await button(third, "Continue").click();
    await expect(codeField(third)).toHaveAccessibleDescription(/used before/);
    await button(third, "Use another account").click();
    await expect(third.getByRole("heading", { name: "Welcome Back" })).toBeVisible();
  });

  await test.step("new codes that the browser does not copy are not called copied", async () => {
    await page.addInitScript(() =>
      Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true }),
    );
    await openHydrated(page, backupCodesPath);
    await passwordField(page).fill(goodPassword);
    await button(page, "Make new codes").click();
    await button(page, "Copy").click();
    const refusal = "Your browser did not let me copy them. Please download or print them.";
    await expect(page.getByText(refusal)).toBeVisible();
    await expect(button(page, "Copied")).toHaveCount(0);
    await look(page, "recovery-codes-not-copied", { widths: [360] });
    await page.evaluate(() =>
      Object.defineProperty(navigator, "clipboard", { value: { writeText: async () => {} } }),
    );
    await button(page, "Copy").click();
    await expect(button(page, "Copied")).toBeVisible();
    await expect(page.getByText("The codes are copied.")).toHaveCount(1);
  });

  await test.step("the app is removed", async () => {
    await page.goto("/account/security");
    await page.getByRole("link", { name: "Remove “My phone”" }).click();
    await hydrated(page);
    await look(page, "security-remove", seen);
    await passwordField(page).fill(goodPassword);
    await button(page, "Remove this authenticator app").click();
    await expect(toast(page, "It is removed.")).toBeVisible();
    await expect(page.getByText("You get them with your first app.")).toBeVisible();
  });
});

test("two-factor: passkeys are added, used, renamed and removed", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^answer 40[03]: (GET|POST) \/(account|api|auth)/);
  const account = await createAccount(services);
  const page = await device({ as: { ...account, name: "Ada" } });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const authenticator = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: authenticator,
  });
  const name = page.getByLabel("Name of the new passkey");
  const withPasskey = button(page, "Continue with a passkey");

  await test.step("a passkey needs a name, and the password a day after the sign-in", async () => {
    await ageSessions(services, account.id, 25 * 60);
    await openHydrated(page, "/account/security");
    await button(page, "Add a passkey").click();
    await expect(name).toHaveAccessibleDescription(/Give it a name/);
    await name.fill("My laptop");
    await button(page, "Add a passkey").click();
    await expect(page.getByText("Please show that it is you.")).toBeVisible();
    await look(page, "security-passkey-stale", seen);
    await passwordField(page).fill("Wrong-horse-9");
    await button(page, "Go on").click();
    await expect(passwordField(page)).toHaveAccessibleDescription("That is not your password.");
    await passwordField(page).fill(goodPassword);
    await button(page, "Go on").click();
    await expect(toast(page, "Passkey added")).toBeVisible();
    await expect(page.getByText("My laptop", { exact: true })).toBeVisible();
    await look(page, "security-passkey", seen);
  });

  await test.step("what fails is said where the focus goes, also a second time", async () => {
    watch.expect(/^failed: GET .*generate-register-options/);
    await name.fill("My phone");
    await page.route(/generate-register-options/, (route) => route.abort());
    for (const time of ["first", "second"]) {
      await button(page, "Add a passkey").click();
      await expect(name, time).toBeFocused();
      await expect(name).toHaveAccessibleDescription(/The site cannot be reached/);
    }
  });

  await test.step("it signs in", async () => {
    await page.context().clearCookies();
    await openHydrated(page, "/auth?redirect=/courses");
    await look(page, "auth-with-passkey", seen);
    await withPasskey.click();
    await expect(page).toHaveURL("/courses");
    await expect(toast(page, "Welcome back!")).toBeVisible();
  });

  await test.step("it is the second step, where one is asked for", async () => {
    await giveApp(services, account);
    await page.context().clearCookies();
    await page.goto("/auth");
    await signIn(page, account.email);
    await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
    await hydrated(page);
    await look(page, "second-step-passkey", { widths: [360] });
    await button(page, "Use a passkey").click();
    await expect(page).toHaveURL("/my-courses");
  });

  await test.step("it is renamed and removed", async () => {
    await page.goto("/account/security");
    await page.getByRole("link", { name: "Rename “My laptop”" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Laptop");
    await button(page, "Save").click();
    await expect(toast(page, "The name is changed.")).toBeVisible();
    await page.getByRole("link", { name: "Remove “Laptop”" }).click();
    await passwordField(page).fill(goodPassword);
    await button(page, "Remove this passkey").click();
    await expect(toast(page, "It is removed.")).toBeVisible();
  });

  await test.step("a removed passkey that the device still has is refused", async () => {
    await page.context().clearCookies();
    await openHydrated(page, "/auth");
    await withPasskey.click();
    await expect(toast(page, "Sign in failed")).toContainText("That passkey is not known here.");
  });

  await test.step("a user who cancels gets no message", async () => {
    await cdp.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
    const options = { ...authenticator, isUserVerified: false };
    await cdp.send("WebAuthn.addVirtualAuthenticator", { options });
    await page.reload();
    await hydrated(page);
    await withPasskey.click();
    await expect(withPasskey).toBeEnabled();
    await expect(page.locator(".toast")).toHaveCount(0);
  });
});
