import { complete, openPlayer } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

const night = "rgb(18, 24, 31)";
const day = "rgb(251, 248, 243)";

test("a toast is announced, stays while it is needed, and can be dismissed", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services, { courses: ["seven-days-of-calm"] });
  const page = await device({ as: student });
  await page.goto("/courses/blue-dot-method/learn");
  const refused = toast(page, "Not enrolled");
  await expect(refused).toHaveRole("alert");
  // What comes with a page is said again in a region that was there before.
  await expect(
    page.locator("[aria-live=polite] .sr-only", { hasText: "Not enrolled" }),
  ).toHaveCount(1);
  await refused.getByRole("button", { name: "Dismiss" }).click();
  await expect(refused).toBeHidden();

  await openPlayer(page, "/courses/seven-days-of-calm/learn");
  await complete(page, "🎉 Module Complete!");
  const done = toast(page, "🎉 Module Complete!");
  await expect(done.locator("xpath=ancestor::*[@aria-live='polite']")).toHaveCount(1);
  await done.hover();
  // Pointed at, it waits; ten seconds after that it goes by itself.
  await expect(done).toHaveCSS("animation-play-state", /paused/);
  await page.mouse.move(0, 0);
  await expect(done).not.toHaveCSS("animation-play-state", /paused/);
  await done.evaluate((element) => {
    for (const animation of element.getAnimations()) animation.currentTime = 60_000;
  });
  await expect(done).toBeHidden();
});

test("night mode is remembered, and is there before the first script", async ({ device }) => {
  const page = await device();
  const paper = page.locator("html");
  await page.goto("/");
  await expect(paper).toHaveCSS("background-color", day);
  await page.getByRole("button", { name: "Theme: as the system" }).click();
  await page.getByRole("button", { name: "Theme: light" }).click();
  await expect(page.getByRole("button", { name: "Theme: night" })).toBeVisible();
  await expect(paper).toHaveCSS("background-color", night);

  const other = await page.context().newPage();
  await other.goto("/courses");
  await expect(other.locator("html")).toHaveCSS("background-color", night);

  const gate = Promise.withResolvers<void>();
  await page.route(/\.js(\?|$)/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto("/auth", { waitUntil: "commit" });
  await expect(page.getByRole("heading", { name: "Welcome Back" })).toBeVisible();
  await expect(paper).toHaveCSS("background-color", night);
  gate.resolve();
  await page.waitForLoadState();
  await expect(page.getByRole("button", { name: "Theme: night" })).toBeVisible();
  await expect(paper).toHaveCSS("background-color", night);

  await other.getByRole("button", { name: "Theme: night" }).click();
  await expect(other.locator("html")).toHaveCSS("background-color", day);
  await expect(paper).toHaveCSS("background-color", day);
});

test("the menu of a phone opens, closes and leads on", async ({ device }) => {
  const page = await device({ viewport: { width: 360, height: 740 } });
  await page.goto("/");
  const menu = page.getByRole("navigation", { name: "Main" });
  await expect(menu).toBeHidden();
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(menu.getByRole("link", { name: "Home" })).toHaveAttribute("aria-current", "page");
  await look(page, "menu", { widths: [360], night: true });
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await page.getByRole("button", { name: "Menu" }).click();
  await menu.getByRole("link", { name: "Courses" }).click();
  await expect(page).toHaveURL("/courses");
  await expect(menu).toBeHidden();
});
