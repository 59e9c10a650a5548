import type { Page } from "@playwright/test";
import { newAddress } from "../support/accounts.ts";
import { linkInMail } from "./support/mail.ts";
import { hydrated, openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { signIn } from "./support/students.ts";
import { expect, press, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const seen = { widths: [1280], night: true };
const password = "Quiet Morning 1";
const course = "/courses/blue-dot-method";
const start = `/auth?redirect=${course}`;

const email = (page: Page) => page.getByLabel("Email", { exact: true });
const title = (page: Page) => page.getByRole("heading", { level: 1 });
/** What replaces a form that was sent, when it has focus. */
const focusedNotice = (page: Page) => page.locator(".notice:focus");

/** The one toast gives the one message, and so does the field it is about. */
async function expectFieldError(page: Page, message: string) {
  await expect(toast(page, "Validation Error")).toHaveText(`Validation Error${message}`);
  await expect(page.locator(".toast")).toHaveCount(1);
  await expect(
    page.getByRole("textbox", { includeHidden: true }).and(page.locator(":focus")),
  ).toHaveAccessibleDescription(new RegExp(message));
}

/** Said once, as the page's heading, which is read out; no toast lies over it. */
async function expectExpired(page: Page) {
  await expect(title(page)).toHaveText("This link no longer works");
  await expect(title(page)).toBeFocused();
  await expect(page).toHaveTitle(/^This link no longer works/);
  await expect(page.getByText("This link no longer works")).toHaveCount(1);
  await expect(page.locator(".toast")).toHaveCount(0);
}

test("sign-in: unconfirmed email, forgotten password, another device", async ({
  site: { dataDir },
  device,
  watch,
}) => {
  watch.expect(
    /^answer 400: POST \/auth/,
    /^answer 400: GET \/auth\/reset/,
    /ERR_INTERNET_DISCONNECTED$/,
  );
  const address = newAddress();
  const laptop = await device();

  await test.step("the other mode has the email that was typed", async () => {
    await openHydrated(laptop, start);
    await email(laptop).fill(address);
    await laptop.getByRole("link", { name: "Sign up" }).click();
    await expect(title(laptop)).toHaveText("Create Account");
    await expect(email(laptop)).toHaveValue(address);
    await laptop.getByRole("link", { name: "Sign in", exact: true }).click();
    await expect(title(laptop)).toHaveText("Welcome Back");
    await expect(email(laptop)).toHaveValue(address);
    await expect(laptop).toHaveURL(start);
  });

  await test.step("a refused form names its first mistake, and the field has focus", async () => {
    await signIn(laptop, "nope", "x");
    await expectFieldError(laptop, "Invalid email format");
    await laptop.getByRole("link", { name: "Sign up" }).click();
    await press(laptop, "Create Account");
    await expectFieldError(laptop, "Name is required");
    await laptop.getByLabel("Name", { exact: true }).fill("Ines");
    await email(laptop).fill(address);
    await laptop.getByLabel("Password", { exact: true }).fill("quiet morning 1");
    await press(laptop, "Create Account");
    await expectFieldError(laptop, "Password must include at least one uppercase letter");
    await look(laptop, "auth-refused", seen);
  });

  await test.step("offline, the form stays as it was typed and says so at its button", async () => {
    await laptop.getByLabel("Password", { exact: true }).fill(password);
    await laptop.context().setOffline(true);
    await press(laptop, "Create Account");
    await expect(laptop.getByRole("alert")).toHaveText(
      "No connection. What you typed is still here. Please try again when it is back.",
    );
    await expect(laptop.getByLabel("Name", { exact: true })).toHaveValue("Ines");
    await expect(email(laptop)).toHaveValue(address);
    await expect(laptop.getByLabel("Password", { exact: true })).toHaveValue(password);
    await look(laptop, "auth-offline", { night: true });
    await laptop.context().setOffline(false);
    await expect(laptop.getByRole("alert")).toHaveText("The connection is back. Please try again.");
  });

  await test.step("an account is created once, and its email has to be confirmed", async () => {
    const sent: string[] = [];
    laptop.on("request", (request) => {
      if (request.method() === "POST") sent.push(request.url());
    });
    const create = laptop.getByRole("button", { name: /^Creat(e|ing)/ });
    const first = laptop.waitForRequest((request) => request.method() === "POST");
    await create.click();
    await first;
    // As a second press does before React has rendered the first.
    await create.evaluate((button: HTMLButtonElement) => button.form?.requestSubmit());
    await expect(toast(laptop, "Account created!")).toBeVisible();
    await expect(laptop.getByRole("alert")).toHaveCount(0);
    expect(sent).toHaveLength(1);
    await expect(focusedNotice(laptop)).toContainText("We sent a link");
    await look(laptop, "auth-check-your-mail", seen);
    await linkInMail(dataDir, address, "/auth/verify");
  });

  await test.step("an unconfirmed user can have the email sent again", async () => {
    await openHydrated(laptop, start);
    await signIn(laptop, address, "Quiet Morning 2");
    await expect(toast(laptop, "Sign in failed")).toContainText("Invalid email or password");
    await expect(laptop.locator("form :focus")).toHaveCount(1);
    await look(laptop, "auth-sign-in-failed", { widths: [360] });
    await signIn(laptop, address, password);
    await expect(laptop.getByText("Have you just signed up?")).toBeVisible();
    await expect(toast(laptop, "Sign in failed")).toBeVisible();
    await look(laptop, "auth-sign-in-unconfirmed", seen);
    await press(laptop, "Send the email again");
    await expect(toast(laptop, "It has been sent again.")).toBeVisible();
  });

  const phone = await device();
  // Signing in with the right password sends it too: the third email is the requested one.
  const link = await linkInMail(dataDir, address, "/auth/verify", { count: 3 });

  await test.step("opened on another device, the email asks for the password", async () => {
    await openHydrated(laptop, link);
    await look(laptop, "auth-verify", seen);
    await openHydrated(phone, link);
    const box = phone.getByLabel("The password that you chose", { exact: true });
    await look(phone, "auth-verify-elsewhere", seen);
    await box.fill("Not This One 1");
    await press(phone, "Confirm my address");
    await expect(box).toBeFocused();
    await expect(box).toHaveAccessibleDescription(/This is not the password/);
    await look(phone, "auth-verify-elsewhere-wrong", { widths: [360] });
    await box.fill(password);
    await press(phone, "Confirm my address");
    await expect(phone).toHaveURL(course);
    await expect(toast(phone, "Email address confirmed")).toBeVisible();
  });

  await test.step("a forgotten password is replaced by a link", async () => {
    await laptop.goto(start);
    await hydrated(laptop);
    await email(laptop).fill(address);
    await laptop.getByRole("link", { name: "Forgot your password?" }).click();
    await expect(title(laptop)).toHaveText("A new password");
    await expect(email(laptop)).toHaveValue(address);
    expect(laptop.url()).not.toContain("@");
    await laptop.reload();
    await hydrated(laptop);
    await email(laptop).fill("nope");
    await press(laptop, "Send me a link");
    await expect(toast(laptop, "Validation Error")).toContainText("Invalid email format");
    await email(laptop).fill(address);
    await press(laptop, "Send me a link");
    await expect(focusedNotice(laptop)).toContainText("Please check your email");
    await look(laptop, "auth-forgot-sent", { widths: [360] });
    await openHydrated(laptop, await linkInMail(dataDir, address, "/auth/reset"));
    await laptop.getByLabel("New password", { exact: true }).fill("Another Evening 2");
    await press(laptop, "Save the new password");
    await expect(toast(laptop, "Password changed")).toBeVisible();
    await expect(title(laptop)).toHaveText("Welcome Back");
  });

  await test.step("it signs in where the user was going, and signs the phone out", async () => {
    await signIn(laptop, address, "Another Evening 2");
    await expect(toast(laptop, "Welcome back!")).toContainText("You've successfully signed in.");
    await expect(laptop).toHaveURL(course);
    await phone.goto("/my-courses");
    await expect(phone).toHaveURL("/auth?redirect=/my-courses");
  });

  await test.step("expired links say so and lead on", async () => {
    await openHydrated(phone, "/auth/reset?token=gone&redirect=/courses");
    await expect(title(phone)).toHaveText("This link no longer works");
    await look(phone, "auth-reset-expired", seen);
    await phone.getByRole("link", { name: "Send me a new link" }).click();
    await expect(phone).toHaveURL("/auth/forgot?redirect=/courses");
    await openHydrated(phone, "/auth/verify?token=gone");
    await press(phone, "Confirm my address");
    await expectExpired(phone);
    await look(phone, "auth-verify-expired", seen);
  });
});
