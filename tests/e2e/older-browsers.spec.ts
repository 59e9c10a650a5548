import type { Page } from "@playwright/test";
import { dialog, fieldsIn, opener } from "./support/newsletter.ts";
import { blueDot, box, openEarly, openPlayer } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { aHair, openCalmly } from "./support/steady-page.ts";
import { createStudent } from "./support/students.ts";
import { expect, phone, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

/** Chromium without what Safari lacks: CSS that lets a box grow with its text. */
const withoutFieldSizing = () => {
  const supports = CSS.supports.bind(CSS);
  CSS.supports = (property: string, value?: string) =>
    property !== "field-sizing" &&
    (value === undefined ? supports(property) : supports(property, value));
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("textarea { field-sizing: fixed !important }");
  document.adoptedStyleSheets = [sheet];
};

test("without field-sizing, journal boxes grow with what is typed, typed early and restored", async ({
  site: { services },
  device,
}) => {
  const page = await device({ as: await createStudent(services), viewport: phone });
  await page.addInitScript(withoutFieldSizing);
  const first = box(page, 1);
  const height = () => first.evaluate(({ clientHeight }) => clientHeight);
  const hidden = () =>
    first.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
  const words = "A line that goes on for a while, until it has to be broken.\n".repeat(9);

  await test.step("typed before the scripts have loaded", async () => {
    const load = await openEarly(page, blueDot);
    await first.fill(words);
    expect(await hidden()).toBeGreaterThan(300);
    await load();
    await expect.poll(hidden).toBe(0);
  });

  await test.step("typed: it grows and shrinks, and the page stays where it is", async () => {
    const before = await height();
    await first.press("Control+End");
    await page.keyboard.insertText(words);
    await expect.poll(height).toBeGreaterThan(before + 300);
    await box(page, 2).fill("Two.");
    // Near the end of the page, where a box that is measured small for a moment would move it.
    const place = await box(page, 2).evaluate((second) => {
      scrollTo({ top: 1e6, behavior: "instant" });
      const above = second.getBoundingClientRect().top - 100;
      scrollBy({ top: Math.min(-100, above), behavior: "instant" });
      return scrollY;
    });
    await box(page, 2).press("x");
    expect(await page.evaluate(() => scrollY)).toBe(place);
    await first.fill("");
    await expect.poll(height).toBe(158);
    await first.fill(words);
    await expect.poll(hidden).toBe(0);
  });

  await test.step("restored", async () => {
    await expect(page.getByText("What you wrote is saved as a draft.")).toBeVisible();
    await openPlayer(page, blueDot);
    await expect(first).toHaveValue(words);
    await expect.poll(hidden).toBe(0);
    expect(await height()).toBeGreaterThan(300);
    await look(page, "journal-without-field-sizing", { widths: [360] });
  });
});

test("without field-sizing and scripts, journal boxes have room for a few sentences", async ({
  site: { services },
  device,
}) => {
  const page = await device({ as: await createStudent(services), javaScriptEnabled: false });
  await page.route("**/assets/*.css", async (route) => {
    const answer = await route.fetch();
    // As a browser reads it that does not know the property.
    const body = (await answer.text()).replaceAll("field-sizing:", "unknown-sizing:");
    await route.fulfill({ response: answer, body });
  });
  await page.goto(blueDot);
  await expect(box(page, 1)).toHaveCSS("height", "320px");
});

/** A keyboard that lies over the page, as Safari's does: all that a page is told of it. */
const coverableWindow = () => {
  const view = Object.assign(new EventTarget(), { height: innerHeight, offsetTop: 0, scale: 1 });
  Object.defineProperty(window, "visualViewport", { value: view });
};
const seeOnly = (page: Page, top: number, height: number) =>
  page.evaluate(
    ([offsetTop, height]) => {
      Object.assign(visualViewport as object, { offsetTop, height });
      visualViewport?.dispatchEvent(new Event("resize"));
    },
    [top, height] as const,
  );

test("a keyboard over the page leaves the dialog and the button of a lesson in reach", async ({
  site: { services },
  device,
}) => {
  const page = await device({ as: await createStudent(services), viewport: phone });
  await page.addInitScript(coverableWindow);

  await test.step("the newsletter dialog lies in what is seen, and scrolls", async () => {
    await page.goto("/about");
    await opener(page).click();
    const { firstName, email, button } = fieldsIn(dialog(page));
    for (const [top, height] of [
      [0, 380],
      [140, 380],
    ] as const) {
      await seeOnly(page, top, height);
      for (const part of [button, firstName, email]) {
        await part.scrollIntoViewIfNeeded();
        const { y = 0, height: its = 0 } = (await part.boundingBox()) ?? {};
        expect(y).toBeGreaterThanOrEqual(top);
        expect(y + its).toBeLessThanOrEqual(top + height);
      }
    }
    await seeOnly(page, 0, 380);
    await look(page, "newsletter-dialog-above-keyboard", { widths: [360], axe: false });
    await seeOnly(page, 0, 740);
    await page.keyboard.press("Escape");
  });

  await test.step("the button of a lesson can be scrolled above it", async () => {
    await openPlayer(page);
    const button = page.getByRole("button", { name: /^(Mark as Complete|Complete Module)$/ });
    await seeOnly(page, 0, 380);
    await page.evaluate(() => scrollTo({ top: 1e6, behavior: "instant" }));
    const { y = 740, height = 0 } = (await button.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(380);
  });
});

test("without passkeys, /auth offers none and nothing moves", async ({ device }) => {
  const page = await device({ viewport: phone });
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "PublicKeyCredential");
  });
  const moved = await openCalmly(page, "/auth");
  await expect(page.getByRole("button", { name: "Continue with a passkey" })).toHaveCount(0);
  expect(await moved()).toBeLessThan(aHair);
});
