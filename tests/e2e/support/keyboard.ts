import { expect, type Locator, type Page } from "@playwright/test";

/** What is focused shows it, and lies inside the window. */
export async function expectVisibleFocus(page: Page): Promise<void> {
  const focus = await page.evaluate(() => {
    const element = (document.activeElement ?? document.body) as HTMLElement;
    // For walk(): this stop was reached.
    delete element.dataset.stop;
    // A card, or the picture in it, wears the ring of its one link.
    const card = element.closest(".card, .offer, .media-link");
    const wearers = [element, card ?? element, ...(card?.querySelectorAll("*") ?? [])];
    const hasRing = wearers.some((wearer) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(wearer);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    });
    const { top, bottom } = element.getBoundingClientRect();
    return {
      what: element.outerHTML.slice(0, 80),
      hasRing,
      isInside: bottom > 0 && top < innerHeight,
    };
  });
  expect(focus).toEqual({ ...focus, hasRing: true, isInside: true });
}

/** Presses Tab until the target has focus, looking at every stop on the way. */
export async function tabTo(page: Page, target: Locator, stops = 40): Promise<void> {
  for (let presses = 0; presses < stops; presses++) {
    await page.keyboard.press("Tab");
    await expectVisibleFocus(page);
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`not reached with Tab: ${target}`);
}

/**
 * Walks through the page, or through the part with this id, with Tab, looking at every stop.
 * @returns what can be pressed or filled in but was not reached
 */
export async function walk(page: Page, partId?: string): Promise<string[]> {
  const stops = await page.evaluate((id) => {
    const part = id ? document.getElementById(id) : null;
    part?.focus();
    const all = (part ?? document).querySelectorAll<HTMLElement>(
      "a[href], button, input, select, textarea, summary, [tabindex]",
    );
    const seen = [...all].filter(
      (element) =>
        element.tabIndex >= 0 &&
        !element.matches(":disabled") &&
        element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }),
    );
    for (const element of seen) element.dataset.stop = element.outerHTML.slice(0, 100);
    return seen.length;
  }, partId);
  for (let presses = 0; presses < stops; presses++) {
    await page.keyboard.press("Tab");
    await expectVisibleFocus(page);
  }
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("[data-stop]")].map(
      ({ dataset }) => dataset.stop ?? "",
    ),
  );
}
