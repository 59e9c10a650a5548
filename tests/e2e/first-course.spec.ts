import { linkInMail } from "./support/mail.ts";
import { look } from "./support/screen.ts";
import { idOf, journalsOf } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

const email = "mara@example.com";
const written = "Kitchen table. It is raining, and the refrigerator hums.";

test("a person signs up, is enrolled, and studies the first module of Blue Dot", async ({
  site,
  device,
}) => {
  test.slow();
  const page = await device();

  await page.goto("/");
  await look(page, "home", { night: true });
  await page.getByRole("link", { name: "Log In" }).click();
  await expect(page.getByRole("heading", { name: "Welcome Back" })).toBeVisible();
  await expect(page.getByText("Sign in to continue your journey")).toBeVisible();
  await look(page, "auth-sign-in", { night: true });
  await page.getByRole("link", { name: "Sign up" }).click();
  await expect(page.getByRole("heading", { name: "Create Account" })).toBeVisible();
  await expect(page.getByText("Sign up to access your courses")).toBeVisible();
  await expect(
    page.getByText("Must be 8+ characters with uppercase, lowercase, and number"),
  ).toBeVisible();
  await look(page, "auth-sign-up");

  await page.getByLabel("Name", { exact: true }).fill("Mara");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill("Quiet Morning 1");
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(toast(page, "Account created!")).toContainText(
    "Please check your email to verify your account.",
  );
  await expect(page.getByText("Please check your email", { exact: true })).toBeVisible();
  await look(page, "auth-check-your-mail");

  await page.goto(await linkInMail(site.dataDir, email, "/auth/verify"));
  await look(page, "auth-verify");
  await page
    .getByRole("button")
    .filter({ hasText: /confirm/i })
    .click();
  await expect(page).toHaveURL("/my-courses");
  await expect(page.getByText("You haven't enrolled in any courses yet")).toBeVisible();
  await look(page, "my-courses-empty", { night: true });
  await expect(page.getByRole("link", { name: "Browse Courses" })).toHaveAttribute(
    "href",
    "/courses",
  );

  const said = await site.command("enroll", "--", email, "blue-dot-method");
  expect(said).toContain(`${email} is enrolled in`);

  await page.reload();
  await expect(page.getByText("0% Complete")).toBeVisible();
  await look(page, "my-courses-new");
  await page.getByRole("link", { name: "Start Course" }).click();

  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("The point the needle rests on");
  await expect(page).toHaveTitle("The Blue Dot Method - Learn | Blue Dot");
  await expect(page.getByText("0% Complete")).toBeVisible();
  await expect(page.getByRole("link", { name: "Previous" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Complete Module" })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Journal Prompts for Reflection" })).toBeVisible();
  await look(page, "player", { night: true });

  const box = page.getByLabel(/^1\. Where are you tonight\?/);
  await expect(box).toHaveAttribute("placeholder", "It is late. I am in...");
  await box.fill(written);
  await expect(
    page.getByText("What you wrote is saved as a draft. Only you can see it."),
  ).toBeVisible();
  await page.getByRole("button", { name: "Mark as Complete" }).click();
  await expect(toast(page, "Lesson completed!")).toBeVisible();
  await expect(heading).toHaveText("Keys in the refrigerator");
  await expect(page.getByText("4% Complete")).toBeVisible();
  for (const answer of await page.getByRole("textbox").all()) await expect(answer).toHaveValue("");
  await look(page, "player-after-completing");

  await page.getByRole("link", { name: "Previous" }).click();
  await expect(page.getByText(written)).toBeVisible();
  await expect(page.getByText("Nothing written here.")).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Mark as Complete" })).toHaveCount(0);
  await look(page, "player-completed-lesson", { night: true });
  await page.getByRole("link", { name: "Next Lesson" }).click();

  for (const next of ["You are allowed to be bad at this", "The length of an afternoon"]) {
    await page.getByRole("button", { name: "Mark as Complete" }).click();
    await expect(heading).toHaveText(next);
  }
  await expect(page.getByRole("link", { name: "Next Lesson" })).toHaveCount(0);
  await page.getByRole("button", { name: "Complete Module" }).click();
  await expect(toast(page, "🎉 Module Complete!")).toContainText(
    "You'll receive a personalized email in about an hour",
  );
  await expect(page.getByRole("button", { name: "Module Complete!" })).toBeDisabled();
  await expect(heading).toHaveText("The length of an afternoon");
  await expect(page.getByText("17% Complete")).toBeVisible();
  await look(page, "player-module-complete");

  await page.getByRole("link", { name: "My Courses" }).click();
  await expect(page.getByText("17% Complete")).toBeVisible();
  await expect(page.getByRole("link", { name: "Continue Learning" })).toBeVisible();
  await look(page, "my-courses-started", { night: true });

  const [first, ...others] = await journalsOf(site.services, await idOf(site.services, email));
  expect(first).toContain(`what you can hear.\n${written}`);
  expect(others).toEqual([null, null, null]);
});
