import { expect, type Page } from "@playwright/test";

/**
 * Where a busy machine paints before it has the fonts, a stand-in gives way, and a line may break
 * elsewhere: with the fonts held back, 0.0149 (CLS) at most on the public pages at 360, 768 and 1280.
 * A picture without its size moves things much further.
 */
export const aHair = 0.02;

/** Opens a page and counts from its first moment how far things move by themselves (CLS). */
export async function openCalmly(page: Page, path: string): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(path, { waitUntil: "networkidle" });
  return async () => {
    await seeAllPictures(page);
    return page.evaluate(() =>
      (window as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
    );
  };
}

/** Brings each picture into view, as someone does who reads to the end, until it has come. */
export async function seeAllPictures(page: Page): Promise<void> {
  for (const picture of await page.getByRole("main").locator("img:visible").all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((img) => (img as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0);
  }
  await page.evaluate(() => scrollTo(0, 0));
}
