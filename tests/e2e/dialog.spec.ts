import type { Page } from "@playwright/test";
import {
  dialog,
  expectIdle,
  expectSubmitting,
  fieldsIn,
  fill,
  holdSignups,
  opener,
  thanks,
} from "./support/newsletter.ts";
import { test as testPlain } from "./support/plain-chromium.ts";
import { look } from "./support/screen.ts";
import { expect, test, toast } from "./support/test.ts";

/** Selecting a word with the mouse may end outside of the dialog. */
async function selectTooFar(page: Page) {
  const box = await fieldsIn(dialog(page)).firstName.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + 20);
  await page.mouse.down();
  await page.mouse.move(20, 400, { steps: 4 });
  await page.mouse.up();
}

const sizes = { widths: [320, 1280], night: true };

test("the dialog takes focus, closes in three ways, and gives focus back", async ({ device }) => {
  const page = await device();
  await page.goto("/about");
  const closings = [
    () => page.keyboard.press("Escape"),
    () => dialog(page).getByRole("button", { name: "Close" }).click(),
    () => page.mouse.click(20, 400),
  ];
  for (const close of closings) {
    await opener(page).click();
    await expect(fieldsIn(dialog(page)).firstName).toBeFocused();
    await fieldsIn(dialog(page)).firstName.fill("Ines");
    await close();
    await expect(dialog(page)).toBeHidden();
    await expect(opener(page)).toBeFocused();
  }
  await opener(page).click();
  await expectIdle(dialog(page), "Ines");
  await selectTooFar(page);
  await expect(dialog(page)).toBeVisible();
});

test("where the browser closes no dialog by a press beside it, the script does", async ({
  device,
}) => {
  const page = await device();
  await page.addInitScript("delete HTMLDialogElement.prototype.closedBy");
  await page.goto("/about");
  await opener(page).click();
  await dialog(page).evaluate((element) => element.removeAttribute("closedby"));
  await selectTooFar(page);
  await expect(dialog(page)).toBeVisible();
  await page.mouse.click(20, 400);
  await expect(dialog(page)).toBeHidden();
  await expect(opener(page)).toBeFocused();
});

test("focus stays in the dialog, and never finds the field for robots", async ({ device }) => {
  const page = await device();
  await page.goto("/about");
  await page.keyboard.press("Tab");
  while (!(await opener(page).evaluate((button) => button === document.activeElement)))
    await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const { firstName, email, button } = fieldsIn(dialog(page));
  const close = dialog(page).getByRole("button", { name: "Close" });
  for (const stop of [firstName, email, button, close]) {
    await expect(stop).toBeFocused();
    await expect(stop).toHaveCSS("outline-style", "solid");
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Escape");
  await expect(opener(page)).toBeFocused();
  await expect(opener(page)).toHaveCSS("outline-style", "solid");
  await expect(page.getByLabel("Leave this empty").first()).toHaveAttribute("tabindex", "-1");
  await expect(page.getByRole("textbox", { name: "Leave this empty" })).toHaveCount(0);
});

test("the page behind the dialog does not scroll", async ({ device }) => {
  const page = await device({ viewport: { width: 1280, height: 400 } });
  await page.goto("/about");
  await opener(page).click();
  for (const [x, y] of [
    [640, 200],
    [20, 200],
  ] as const) {
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, 300);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await page.keyboard.press("Escape");
  expect(await page.evaluate(() => scrollY)).toBe(0);
  const turnWheel = async () => {
    // One turn, right after the dialog has closed, may be lost.
    await page.mouse.wheel(0, 300);
    return page.evaluate(() => scrollY);
  };
  await expect.poll(turnWheel).toBeGreaterThan(0);
});

for (const path of ["/about", "/thank-you"])
  testPlain(`the page ${path} behind the dialog does not move`, async ({ site, chromium }) => {
    await chromium.open(`${site.url}${path}`);
    await chromium.inPage("document.fonts.ready.then(() => true)");
    const place = "JSON.stringify(document.querySelector('main').getBoundingClientRect())";
    const before = await chromium.inPage(place);
    await chromium.click(".site-header [data-dialog-open]");
    await expect
      .poll(() => chromium.inPage("document.querySelector(':modal') !== null"))
      .toBe(true);
    expect(await chromium.inPage(place)).toBe(before);
    await chromium.inPage("document.querySelector(':modal').close()");
    expect(await chromium.inPage(place)).toBe(before);
  });

test("on a small phone whose keyboard is open, the dialog scrolls", async ({ device }) => {
  const page = await device({ viewport: { width: 320, height: 480 } });
  await page.goto("/about");
  await opener(page).click();
  await page.setViewportSize({ width: 320, height: 230 });
  const { firstName, email, button } = fieldsIn(dialog(page));
  for (const part of [button, email, firstName]) {
    await part.focus();
    await expect(part).toBeInViewport({ ratio: 1 });
  }
  await fill(dialog(page));
  await dialog(page).getByText("Unsubscribe at any time").scrollIntoViewIfNeeded();
  await expect(dialog(page).getByText("Unsubscribe at any time")).toBeInViewport({ ratio: 1 });
  await button.click();
  await expect(toast(page, thanks)).toBeVisible();
});

test("the dialog, the footer and the header in every state", async ({ device, watch }) => {
  test.slow();
  watch.expect(/^answer 400: POST \/newsletter/);
  const page = await device();
  // Looking takes its time: the form that is held must not give up meanwhile.
  await page.addInitScript(() => {
    AbortController.prototype.abort = () => {};
  });
  await page.goto("/about");
  await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
  await look(page, "footer", { ...sizes, widths: [320, 768, 1280] });
  await opener(page).click();
  await look(page, "newsletter", sizes);
  const held = await holdSignups(page);
  await fill(dialog(page), { email: "ines@example" });
  await fieldsIn(dialog(page)).button.click();
  await expectSubmitting(dialog(page));
  await look(page, "newsletter-submitting", sizes);
  held.release();
  await expect(dialog(page).getByRole("alert")).toBeVisible();
  await look(page, "newsletter-failed", sizes);
  await fill(dialog(page));
  await fieldsIn(dialog(page)).button.click();
  await expect(toast(page, thanks)).toBeVisible();
  await look(page, "newsletter-thanks", sizes);
});

test("what can be touched is large enough to be", async ({ device }) => {
  const page = await device({ viewport: { width: 320, height: 640 }, hasTouch: true });
  await page.goto("/about");
  const measure = () =>
    page.locator("a, button, input").evaluateAll((all) =>
      all
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .filter((element) => !element.closest("p, .honeypot, .skip-link, main"))
        .map((element) => {
          // A small button reaches beyond what is seen of it.
          const reach = Number.parseFloat(getComputedStyle(element, "::after").minHeight) || 0;
          const { width, height } = element.getBoundingClientRect();
          return { what: element.outerHTML.slice(0, 90), width, height: Math.max(height, reach) };
        })
        .filter(({ width, height }) => width < 44 || height < 44),
    );
  expect(await measure()).toEqual([]);
  await page.getByRole("button", { name: "Menu" }).click();
  expect(await measure()).toEqual([]);
  await page.keyboard.press("Escape");
  await opener(page).click();
  expect(await measure()).toEqual([]);
});
