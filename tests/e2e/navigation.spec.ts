import type { Locator, Page } from "@playwright/test";
import { createCourse } from "../support/courses.ts";
import { openPlayer } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, phone, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const menu = (page: Page) => page.getByRole("navigation", { name: "Main" });
const current = (page: Page) => menu(page).locator("[aria-current=page]");

/** Notes before the first frame whether the page came with a view transition. */
function noteTransition() {
  addEventListener("pagereveal", (event) => {
    const { viewTransition } = event as Event & { viewTransition: object | null };
    document.documentElement.dataset.revealed = viewTransition ? "with" : "without";
  });
}

test("a visitor: from Home to a course, and asked to sign in", async ({ site, device }) => {
  const { slug } = await createCourse(site.services, [[{}]], { title: "A quiet week" });
  const page = await device();

  await test.step("the Newsletter card leads to the form", async () => {
    await page.goto("/");
    await expect(current(page)).toHaveText("Home");
    await page.getByRole("link", { name: "Get the letter" }).click();
    await expect(page).toHaveURL("/#newsletter");
    const community = page.getByRole("region", { name: "Join Our Community" });
    await expect(community.getByRole("heading")).toBeInViewport({ ratio: 1 });
    await expect(community).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(community.getByLabel("First name")).toBeFocused();
  });

  await test.step("pages cross-fade, unless the reader wants less motion", async () => {
    const moving = await device({ reducedMotion: "no-preference" });
    for (const [visitor, revealed] of [
      [moving, "with"],
      [page, "without"],
    ] as const) {
      await visitor.addInitScript(noteTransition);
      // Seen once before: Chromium fades into no page that it has to wait seconds for.
      await visitor.goto("/courses");
      await visitor.goto("/");
      await visitor.getByRole("link", { name: "Explore Courses" }).click();
      await expect(visitor).toHaveURL("/courses");
      await expect(visitor.locator("html")).toHaveAttribute("data-revealed", revealed);
    }
  });

  await test.step("the list leads to the course, and the course to sign-in", async () => {
    await expect(current(page)).toHaveText("Courses");
    const link = page.getByRole("link", { name: "Learn more about A quiet week" });
    // The page cache may be a second behind.
    await expect(async () => {
      await page.reload();
      await expect(link).toBeVisible({ timeout: 500 });
    }).toPass();
    for (const name of ["The Blue Dot Method", "7 Days of Calm", "A quiet week"]) {
      const title = page.getByRole("main").getByRole("heading", { level: 2, name });
      const cutOff = await title.evaluate((box) => box.scrollHeight - box.clientHeight);
      expect(cutOff, "pixels of a title that its box cuts off").toBe(0);
    }
    await link.click();
    await expect(page).toHaveTitle("A quiet week | Blue Dot");
    await expect(current(page)).toHaveText("Courses");
    await page.getByRole("button", { name: "Enroll Now" }).click();
    await expect(page).toHaveURL(`/auth?redirect=/courses/${slug}`);
    await expect(current(page)).toHaveText("Log In");
  });

  await test.step("a toast that came with the page is announced, and can be dismissed", async () => {
    const title = "Please sign in to enroll in this course";
    // A live region is silent about what it came with.
    await expect(page.locator("[aria-live=polite] .sr-only", { hasText: title })).toHaveCount(1);
    await look(page, "auth-after-enroll", { widths: [360] });
    await toast(page, title).getByRole("button", { name: "Dismiss" }).click();
    await expect(toast(page, title)).toBeHidden();
  });
});

test("menus of a phone and a tablet: opened, closed, followed, and turned", async ({
  site,
  device,
}) => {
  const page = await device({ viewport: phone });
  const button = page.getByRole("button", { name: "Menu" });

  await test.step("the menu opens, closes and leads on", async () => {
    await page.goto("/");
    await expect(menu(page)).toBeHidden();
    await button.click();
    await expect(menu(page).getByRole("link", { name: "Home" })).toBeVisible();
    await look(page, "menu", { widths: [], night: true });
    await page.keyboard.press("Escape");
    await expect(menu(page)).toBeHidden();
    await button.click();
    await menu(page).getByRole("link", { name: "Courses" }).click();
    await expect(page).toHaveURL("/courses");
    await expect(menu(page)).toBeHidden();
  });

  await test.step("turned to where there is room, it stands in the header", async () => {
    await button.click();
    await expect(menu(page)).toBeVisible();
    await page.setViewportSize({ width: 932, height: 430 });
    const middle = (part: Locator) =>
      part.evaluate((element) => {
        const { top, height } = element.getBoundingClientRect();
        return Math.round(top + height / 2);
      });
    const subscribe = page.getByRole("banner").getByRole("button", { name: "Subscribe" });
    await expect.poll(async () => (await middle(menu(page))) - (await middle(subscribe))).toBe(0);
  });

  await test.step("so do the lessons of the player, beside the lesson", async () => {
    const student = await createStudent(site.services, { courses: ["blue-dot-method"] });
    const tablet = await device({ as: student, viewport: { width: 820, height: 1180 } });
    await openPlayer(tablet);
    await tablet.getByRole("button", { name: "Lessons" }).click();
    await expect(tablet.getByRole("button", { name: "Close" })).toBeVisible();
    await tablet.setViewportSize({ width: 1180, height: 820 });
    await expect(async () => {
      const aside = await tablet.locator("aside").boundingBox();
      const main = await tablet.locator("main").boundingBox();
      expect((aside?.x ?? 0) + (aside?.width ?? 0)).toBeLessThanOrEqual(main?.x ?? 0);
    }).toPass();
  });
});
