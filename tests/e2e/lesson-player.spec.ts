import { tabTo } from "./support/keyboard.ts";
import {
  blueDot,
  box,
  calm,
  firstLesson,
  heading,
  hydrated,
  lessons,
  openHydrated,
  secondLesson,
} from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent, journalsOf } from "./support/students.ts";
import { expect, phone, test, toast } from "./support/test.ts";
import { weigh } from "./support/weigh.ts";

test.use({ siteKind: "shared" });

const firstAddress = `${blueDot}?lesson=the-point-the-needle-rests-on`;

test("the lesson in the address: back, forward, reload and a copied address", async ({
  site,
  device,
}) => {
  const page = await device({ as: await createStudent(site.services) });

  await test.step("the player downloads at most 146 KiB of scripts", async () => {
    const { script, font } = await weigh(page, blueDot);
    expect(script).toBeLessThanOrEqual(146 * 1024);
    expect(font).toBeLessThanOrEqual(90_000);
  });

  await test.step("the lesson is in the address on arrival, without another entry of history", async () => {
    await expect(page).toHaveURL(firstAddress);
    expect(await page.evaluate(() => history.length)).toBe(2);
  });

  await test.step("the pressed link shows that it works, and a second press does nothing", async () => {
    const next = page.getByRole("link", { name: "Next Lesson" });
    await next.scrollIntoViewIfNeeded();
    const before = await next.boundingBox();
    const asked: string[] = [];
    const gate = Promise.withResolvers<void>();
    await page.route(/learn\.data\?/, async (route, request) => {
      asked.push(request.url());
      await gate.promise;
      await route.continue();
    });
    await next.click();
    await expect(next).toHaveAttribute("data-pending");
    expect(await next.boundingBox()).toEqual(before);
    await next.click();
    await look(page, "next-lesson-pending");
    expect(asked.filter((url) => url.includes("keys-in-the-refrigerator"))).toHaveLength(1);
    gate.resolve();
    await expect(heading(page)).toHaveText(secondLesson);
    await page.unrouteAll();
  });

  await test.step("another lesson has an address of its own and starts at its top", async () => {
    await expect(page).toHaveURL(`${blueDot}?lesson=keys-in-the-refrigerator`);
    await expect(lessons(page).locator("[aria-current]")).toHaveText(secondLesson);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await expect(heading(page)).toBeInViewport();
    await lessons(page).getByRole("link", { name: "You are allowed to be bad at this" }).click();
    await expect(heading(page)).toHaveText("You are allowed to be bad at this");
  });

  await test.step("history, reload and a copied address lead to the lesson", async () => {
    await page.goBack();
    await expect(heading(page)).toHaveText(secondLesson);
    await page.goBack();
    await expect(heading(page)).toHaveText(firstLesson);
    await expect(page).toHaveURL(firstAddress);
    await page.goForward();
    await expect(heading(page)).toHaveText(secondLesson);
    await page.reload();
    await expect(heading(page)).toHaveText(secondLesson);
    const copy = await page.context().newPage();
    await copy.goto(page.url());
    await expect(heading(copy)).toHaveText(secondLesson);
  });
});

test("the keyboard alone: from the course list to a completed module, on a phone", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services, {
    courses: ["seven-days-of-calm", "blue-dot-method"],
  });
  const page = await device({ as: student, viewport: phone });

  await test.step("the skip link leads past the header to a course", async () => {
    await page.goto("/courses");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByRole("link", { name: "Learn more about The Blue Dot Method" }));
    await page.keyboard.press("Enter");
    const enter = page.getByRole("link", { name: "Continue Learning" }).first();
    await expect(enter).toBeVisible();
    await hydrated(page);
    await tabTo(page, enter);
    await page.keyboard.press("Enter");
    await expect(heading(page)).toHaveText(firstLesson);
    await hydrated(page);
  });

  await test.step("the drawer opens, closes and leads to a lesson", async () => {
    const drawer = page.getByRole("button", { name: "Lessons" });
    await tabTo(page, drawer);
    await page.keyboard.press("Enter");
    await expect(lessons(page)).toBeVisible();
    await look(page, "drawer", { widths: [360], night: true });
    await page.keyboard.press("Escape");
    await expect(lessons(page)).toBeHidden();
    await expect(drawer).toBeFocused();
    await page.keyboard.press("Enter");
    await tabTo(page, lessons(page).getByRole("link", { name: secondLesson }));
    await page.keyboard.press("Enter");
    await expect(heading(page)).toHaveText(secondLesson);
    await expect(lessons(page)).toBeHidden();
    await expect(heading(page)).toBeFocused();
  });

  await test.step("completing leads to the heading of the next lesson", async () => {
    await tabTo(page, box(page, 1));
    await page.keyboard.type("Half a second, at the door.");
    await tabTo(page, page.getByRole("button", { name: "Mark as Complete" }));
    await page.keyboard.press("Enter");
    await expect(toast(page, "Lesson completed!")).toBeVisible();
    await expect(heading(page)).toHaveText("You are allowed to be bad at this");
    await expect(heading(page)).toBeFocused();
    const [journal] = await journalsOf(site.services, student.id);
    expect(journal).toContain("Half a second, at the door.");
  });

  await test.step("completing the last open lesson leads to what opens next", async () => {
    await openHydrated(page, calm);
    await page.getByRole("button", { name: "Complete Module" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", { name: "Module Complete!" })).toBeDisabled();
    const next = page.getByRole("heading", { name: "What opens next" });
    await expect(next).toBeFocused();
    await expect(next).toBeInViewport();
  });

  await test.step("the lessons stay in reach at the end of the lesson, and cover no focus", async () => {
    await openHydrated(page, blueDot);
    const bar = page.getByRole("banner");
    await page.getByRole("button", { name: "Mark as Complete" }).scrollIntoViewIfNeeded();
    await expect(bar).toBeInViewport({ ratio: 1 });
    await look(page, "player-bar", { widths: [360], night: true });
    await box(page, 1).focus();
    const { y } = (await box(page, 1).boundingBox()) ?? { y: 0 };
    const { height } = (await bar.boundingBox()) ?? { height: 0 };
    expect(y).toBeGreaterThan(height);
    await page.setViewportSize({ width: 740, height: 360 });
    await expect(bar).not.toBeInViewport();
  });
});
