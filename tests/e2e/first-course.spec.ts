import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { newAddress } from "../support/accounts.ts";
import { write } from "./support/journal.ts";
import { linkInMail } from "./support/mail.ts";
import { blueDot, box, calm, heading, keptLine, openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { idOf, journalsOf } from "./support/students.ts";
import { expect, press, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

test("sign-up, enrollment and the first module: the whole product once", async ({
  site: { services, dataDir },
  device,
}) => {
  const page = await device();
  const email = newAddress();
  const answer = "Kitchen table. It is raining, and the refrigerator hums.";

  await test.step("a visitor signs up and confirms the email address", async () => {
    await page.goto("/");
    await page.getByRole("link", { name: "Log In" }).click();
    await page.getByRole("link", { name: "Sign up" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Mara");
    await page.getByLabel("Email", { exact: true }).fill(email);
    await page.getByLabel("Password", { exact: true }).fill("Quiet Morning 1");
    await page.getByRole("button", { name: "Create Account" }).click();
    await expect(toast(page, "Account created!")).toContainText(
      "Please check your email to verify your account.",
    );
    await page.goto(await linkInMail(dataDir, email, "/auth/verify"));
    await page.getByRole("button", { name: /confirm/i }).click();
    await expect(page).toHaveURL("/my-courses");
    await expect(page.getByText("You haven't enrolled in any courses yet")).toBeVisible();
    await look(page, "my-courses-empty", { night: true });
  });

  const userId = await idOf(services, email);
  const { id: productId } = await services.db.read
    .selectFrom("products")
    .select("id")
    .where("slug", "=", "blue-dot-method")
    .executeTakeFirstOrThrow();
  await enroll(services, { userId, productId });

  await test.step("the course starts at its first lesson", async () => {
    await page.reload();
    await expect(page.getByText("0% Complete")).toBeVisible();
    await page.getByRole("link", { name: "Start Course" }).click();
    await expect(heading(page)).toHaveText("The point the needle rests on");
    await expect(page).toHaveTitle("The Blue Dot Method - Learn | Blue Dot");
    await expect(page.getByRole("link", { name: "Previous" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Complete Module" })).toHaveCount(0);
    await expect(box(page, 1)).toHaveAttribute("placeholder", "It is late. I am in...");
    await look(page, "player", { night: true });
  });

  await test.step("an answer is saved, sent, and shown in the completed lesson", async () => {
    await box(page, 1).fill(answer);
    await expect(page.getByText(keptLine)).toBeVisible();
    await press(page, "Mark as Complete", "Lesson completed!");
    await expect(heading(page)).toHaveText("Keys in the refrigerator");
    await expect(page.getByText("4% Complete")).toBeVisible();
    for (const each of await page.getByRole("textbox").all()) await expect(each).toHaveValue("");
    await page.getByRole("link", { name: "Previous" }).click();
    await expect(page.getByText(answer)).toBeVisible();
    await expect(page.getByText("Nothing written here.")).toBeVisible();
    await expect(page.getByRole("textbox")).toHaveCount(0);
    await look(page, "player-completed-lesson", { night: true });
  });

  await test.step("the last lesson completes the module; its toast waits while pointed at", async () => {
    await write(services, userId, [[], [], []]);
    await openHydrated(page, blueDot);
    await expect(heading(page)).toHaveText("The length of an afternoon");
    await expect(page.getByRole("link", { name: "Next Lesson" })).toHaveCount(0);
    await page.getByRole("button", { name: "Complete Module" }).click();
    const done = toast(page, "🎉 Module Complete!");
    await expect(done).toContainText("You'll receive a personalized email in about an hour");
    await expect(done.locator("xpath=ancestor::*[@aria-live='polite']")).toHaveCount(1);
    await expect(page.getByRole("button", { name: "Module Complete!" })).toBeDisabled();
    await expect(page.getByText("17% Complete")).toBeVisible();
    await done.hover();
    await expect(done).toHaveCSS("animation-play-state", /paused/);
    await page.mouse.move(0, 0);
    await expect(done).not.toHaveCSS("animation-play-state", /paused/);
    await done.evaluate((element) => {
      for (const animation of element.getAnimations()) animation.currentTime = 60_000;
    });
    await expect(done).toBeHidden();
  });

  await test.step("another course is refused with a toast that is an alert", async () => {
    await page.goto(calm, { waitUntil: "commit" });
    const refused = toast(page, "Not enrolled");
    // A toast that comes with a page is repeated in a live region, and only for seconds.
    await expect(
      page.locator("[aria-live=polite] .sr-only", { hasText: "Not enrolled" }),
    ).toHaveCount(1);
    await expect(refused).not.toHaveRole("alert");
    await refused.getByRole("button", { name: "Dismiss" }).click();
    await expect(refused).toBeHidden();
  });

  await test.step("My Courses continues the course", async () => {
    await page.goto("/my-courses");
    await expect(page.getByText("17% Complete")).toBeVisible();
    await expect(page.getByRole("link", { name: "Continue Learning" })).toBeVisible();
    await look(page, "my-courses-started");
    const [first, ...others] = await journalsOf(services, userId);
    expect(first).toContain(`what you can hear.\n${answer}`);
    expect(others).toEqual([null, null, null]);
  });
});
