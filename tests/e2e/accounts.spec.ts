import type { Page } from "@playwright/test";
import { linkInMail } from "./support/mail.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

const good = { Name: "Ines", Email: "ines@example.com", Password: "Quiet Morning 1" };
type Fields = Partial<typeof good>;

async function send(page: Page, button: string, fields: Fields) {
  for (const [label, value] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole("button", { name: button }).click();
}

/** The one toast says the one message, and so does the field it is about. */
async function complains(page: Page, message: string) {
  await expect(toast(page, "Validation Error")).toHaveText(`Validation Error${message}`);
  await expect(page.locator(".toast")).toHaveCount(1);
  await expect(
    page.getByRole("textbox", { includeHidden: true }).and(page.locator(":focus")),
  ).toHaveAccessibleDescription(new RegExp(message.replace("+", "\\+")));
}

/** What is said in the place of the form that was sent, when focus is on it. */
const focusedNotice = (page: Page) => page.locator(".notice:focus");

const wrong: [message: string, fields: Fields][] = [
  ["Name is required", { Name: "  ", Email: "nope", Password: "x" }],
  ["Name must be less than 100 characters", { Name: "n".repeat(101) }],
  ["Invalid email format", { Email: "nope", Password: "x" }],
  ["Email must be less than 255 characters", { Email: `${"e".repeat(250)}@example.com` }],
  ["Password must be at least 8 characters", { Password: "Ab1" }],
  ["Password must be less than 100 characters", { Password: `Ab1${"x".repeat(98)}` }],
  ["Password must include at least one uppercase letter", { Password: "quiet morning 1" }],
  ["Password must include at least one lowercase letter", { Password: "QUIET MORNING 1" }],
  ["Password must include at least one number", { Password: "Quiet Morning" }],
];

test("only the first mistake of a form is told, in the words of the spec", async ({
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/auth/);
  const page = await device();
  await page.goto("/auth?mode=sign-up");
  await hydrated(page);
  for (const [message, fields] of wrong) {
    await send(page, "Create Account", { ...good, ...fields });
    await complains(page, message);
  }
  await look(page, "auth-complaint", { night: true });

  await page.goto("/auth");
  await hydrated(page);
  await send(page, "Sign In", { Email: "nope", Password: "x" });
  await complains(page, "Invalid email format");
  await send(page, "Sign In", { Email: good.Email, Password: "x" });
  await complains(page, "Password must be at least 8 characters");
});

test("the other mode keeps the address that was typed", async ({ device }) => {
  const page = await device();
  await page.goto("/auth?redirect=/courses/blue-dot-method");
  await hydrated(page);
  await page.getByLabel("Email", { exact: true }).fill(good.Email);
  await expect(page.getByText("Don’t have an account?")).toBeVisible();
  await page.getByRole("link", { name: "Sign up" }).click();
  await expect(page.getByRole("heading", { name: "Create Account" })).toBeVisible();
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue(good.Email);
  await page.getByRole("link", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Welcome Back" })).toBeVisible();
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue(good.Email);
  await expect(page).toHaveURL("/auth?redirect=/courses/blue-dot-method");
});

test("an address that is not confirmed, a forgotten password, and back to where she was going", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/auth/);
  const page = await device();
  await page.goto("/auth?redirect=/courses/blue-dot-method&mode=sign-up");
  await hydrated(page);
  await send(page, "Create Account", good);
  await expect(toast(page, "Account created!")).toBeVisible();
  await expect(focusedNotice(page)).toContainText("We sent a link");
  await look(page, "auth-check-your-mail", { night: true });
  await linkInMail(site.dataDir, good.Email, "/auth/verify");

  await page.goto("/auth?redirect=/courses/blue-dot-method");
  await hydrated(page);
  await send(page, "Sign In", { Email: good.Email, Password: "Quiet Morning 2" });
  await expect(toast(page, "Sign in failed")).toContainText("Invalid email or password");
  await expect(page.locator("form :focus")).toHaveCount(1);
  await look(page, "auth-sign-in-failed");
  await send(page, "Sign In", { Email: good.Email, Password: good.Password });
  await expect(page.getByText("Have you just signed up?")).toBeVisible();
  await expect(toast(page, "Sign in failed")).toBeVisible();
  await look(page, "auth-sign-in-unconfirmed", { night: true });
  await page.getByRole("button", { name: "Send the email again" }).click();
  await expect(toast(page, "It has been sent again.")).toBeVisible();
  // Signing in with the right password sends it too: the third email is the asked one.
  const link = await linkInMail(site.dataDir, good.Email, "/auth/verify", { count: 3 });
  await page.goto(link);
  await look(page, "auth-verify", { night: true });
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await expect(page).toHaveURL("/courses/blue-dot-method");
  await expect(toast(page, "Email address confirmed")).toBeVisible();

  const other = await device();
  await other.goto("/auth?redirect=/courses/blue-dot-method");
  await other.getByRole("link", { name: "Forgot your password?" }).click();
  await hydrated(other);
  await look(other, "auth-forgot");
  await send(other, "Send me a link", { Email: "nope" });
  await expect(toast(other, "Validation Error")).toContainText("Invalid email format");
  await send(other, "Send me a link", { Email: good.Email });
  await expect(other.getByText("Please check your email")).toBeVisible();
  await expect(focusedNotice(other)).toContainText("Please check your email");
  await look(other, "auth-forgot-sent");
  await other.goto(await linkInMail(site.dataDir, good.Email, "/auth/reset"));
  await hydrated(other);
  await look(other, "auth-reset", { night: true });
  await other.getByLabel("New password", { exact: true }).fill("Another Evening 2");
  await other.getByRole("button", { name: "Save the new password" }).click();
  await expect(toast(other, "Password changed")).toBeVisible();
  await expect(other.getByRole("heading", { name: "Welcome Back" })).toBeVisible();
  await send(other, "Sign In", { Email: good.Email, Password: "Another Evening 2" });
  await expect(toast(other, "Welcome back!")).toContainText("You've successfully signed in.");
  await expect(other).toHaveURL("/courses/blue-dot-method");

  // The first browser was signed out by the new password.
  await page.goto("/my-courses");
  await expect(page).toHaveURL("/auth?redirect=/my-courses");
});

/** Once, as the page's heading, which is read out; no toast lies over it. */
async function saysDead(page: Page) {
  const title = page.getByRole("heading", { level: 1 });
  await expect(title).toHaveText("This link no longer works");
  await expect(title).toBeFocused();
  await expect(page).toHaveTitle(/^This link no longer works/);
  await expect(page.getByText("This link no longer works")).toHaveCount(1);
  await expect(page.locator(".toast")).toHaveCount(0);
}

test("dead links say so and lead on", async ({ device, watch }) => {
  watch.expect(/^answer 400: POST \/auth\/reset/, /^answer 400: POST \/auth\/verify/);
  const page = await device();
  await page.goto("/auth/reset?token=gone&redirect=/courses");
  await hydrated(page);
  await page.getByLabel("New password", { exact: true }).fill(good.Password);
  await page.getByRole("button", { name: "Save the new password" }).click();
  await saysDead(page);
  await look(page, "auth-reset-dead-link", { night: true });
  await page.getByRole("link", { name: "Send me a new link" }).click();
  await expect(page).toHaveURL("/auth/forgot?redirect=/courses");
  await page.goto("/auth/verify?token=gone");
  await hydrated(page);
  await page.getByRole("button", { name: "Confirm my address" }).click();
  await saysDead(page);
  await look(page, "auth-verify-dead-link", { night: true });
});

test("who is signed in moves on from /auth, and never to another site", async ({
  site,
  device,
}) => {
  const page = await device({ as: await createStudent(site.services, { courses: [] }) });
  await page.goto("/auth?redirect=/courses");
  await expect(page).toHaveURL("/courses");
  await page.goto("/auth?redirect=//elsewhere.example/x");
  await expect(page).toHaveURL("/my-courses");
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(toast(page, "You are signed out.")).toBeVisible();
  await page.goto("/my-courses");
  await expect(page).toHaveURL("/auth?redirect=/my-courses");
});
