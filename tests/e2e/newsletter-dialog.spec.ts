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
import { test } from "./support/plain-chromium.ts";
import { look } from "./support/screen.ts";
import { expect, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

/** A selection by mouse that begins in the dialog and ends outside of it. */
async function selectTooFar(page: Page) {
  const box = await fieldsIn(dialog(page)).firstName.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + 20);
  await page.mouse.down();
  await page.mouse.move(20, 400, { steps: 4 });
  await page.mouse.up();
}

test("newsletter dialog: closes in three ways, holds focus and scroll, fits a phone", async ({
  site,
  device,
  chromium,
}) => {
  const page = await device();
  // Firefox complains of each question for an element without a name.
  await page.addInitScript(() => {
    const ask = document.getElementById;
    document.getElementById = (id: string) => {
      if (!id) throw new Error("an element without a name is asked for");
      return ask.call(document, id);
    };
  });
  await page.goto("/about");
  const { firstName, email, button } = fieldsIn(dialog(page));
  const close = dialog(page).getByRole("button", { name: "Close" });

  await test.step("it takes focus, closes in three ways, and gives focus back", async () => {
    for (const shut of [
      () => page.keyboard.press("Escape"),
      () => close.click(),
      () => page.mouse.click(20, 400),
    ]) {
      await opener(page).click();
      await expect(firstName).toBeFocused();
      await firstName.fill("Ines");
      await shut();
      await expect(dialog(page)).toBeHidden();
      await expect(opener(page)).toBeFocused();
    }
    await opener(page).click();
    await expectIdle(dialog(page), "Ines");
    await selectTooFar(page);
    await expect(dialog(page)).toBeVisible();
    await page.keyboard.press("Escape");
  });

  await test.step("where the browser closes none by a press beside it, the script does", async () => {
    const older = await device();
    await older.addInitScript("delete HTMLDialogElement.prototype.closedBy");
    await older.goto("/about");
    await opener(older).click();
    await dialog(older).evaluate((element) => element.removeAttribute("closedby"));
    await selectTooFar(older);
    await expect(dialog(older)).toBeVisible();
    await older.mouse.click(20, 400);
    await expect(dialog(older)).toBeHidden();
    await expect(opener(older)).toBeFocused();
  });

  await test.step("by keyboard, focus goes round in it and past the field for robots", async () => {
    await opener(page).focus();
    await page.keyboard.press("Enter");
    for (const stop of [firstName, email, button, close]) {
      await expect(stop).toBeFocused();
      await expect(stop).toHaveCSS("outline-style", "solid");
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Escape");
    await expect(opener(page)).toBeFocused();
    await expect(opener(page)).toHaveCSS("outline-style", "solid");
    await expect(page.getByRole("textbox", { name: "Leave this empty" })).toHaveCount(0);
  });

  await test.step("the page behind it does not scroll", async () => {
    await page.setViewportSize({ width: 1280, height: 400 });
    await opener(page).click();
    for (const x of [640, 20]) {
      await page.mouse.move(x, 200);
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

  await test.step("nor does it move where its scroll bar goes", async () => {
    for (const path of ["/about", "/thank-you"]) {
      await chromium.open(`${site.url}${path}`);
      await chromium.inPage("document.fonts.ready.then(() => true)");
      const place = "JSON.stringify(document.querySelector('main').getBoundingClientRect())";
      const before = await chromium.inPage(place);
      await chromium.click(".site-header [data-dialog-open]");
      const isOpen = "document.querySelector(':modal') !== null";
      await expect.poll(() => chromium.inPage(isOpen)).toBe(true);
      expect(await chromium.inPage(place)).toBe(before);
      await chromium.inPage("document.querySelector(':modal').close()");
      expect(await chromium.inPage(place)).toBe(before);
    }
  });

  await test.step("'Coming Soon' opens it, too", async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto("/courses/blue-dot-method");
    const buttons = page.getByRole("main").getByRole("button", { name: "Coming Soon" });
    await expect(buttons).toHaveCount(2);
    for (const soon of await buttons.all()) {
      await soon.click();
      await expect(dialog(page)).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(soon).toBeFocused();
    }
  });

  await test.step("on a small phone whose keyboard is open, it scrolls", async () => {
    await page.setViewportSize({ width: 320, height: 480 });
    await opener(page).click();
    await look(page, "newsletter-dialog", { widths: [320], night: true });
    await page.setViewportSize({ width: 320, height: 230 });
    for (const part of [button, email, firstName]) {
      await part.focus();
      await expect(part).toBeInViewport({ ratio: 1 });
    }
    const weekly = dialog(page).getByText("Unsubscribe at any time");
    await weekly.scrollIntoViewIfNeeded();
    await expect(weekly).toBeInViewport({ ratio: 1 });
    const held = await holdSignups(page);
    await fill(dialog(page));
    await button.click();
    await expectSubmitting(dialog(page));
    await look(page, "newsletter-submitting", { widths: [320] });
    held.release();
    await expect(toast(page, thanks)).toBeVisible();
  });
});
