import path from "node:path";
import { expect, type Page } from "@playwright/test";
import axe from "axe-core";

export const screensFolder = path.join(import.meta.dirname, "..", "screens");

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

type Looking = {
  /** Widths of the window, in CSS pixels. */
  widths?: number[];
  /** Also at night, on a phone; with SCREENS=all in the environment on a desk too. */
  night?: boolean;
  /** Off where scripts are off: the checker is one. */
  axe?: boolean;
  /** False for what is no page of its own, such as an email: it has no landmarks and no headings. */
  isPage?: boolean;
};

/**
 * Looks at a screen as it stands: no sideways scrolling, no finding of axe, and a picture in
 * tests/e2e/screens for a person to look at; on a phone and on a desk.
 */
export async function look(page: Page, name: string, looking: Looking = {}): Promise<void> {
  const { widths = [360, 1280], night = false, axe = true, isPage = true } = looking;
  const asked = axe && (isPage ? [...standards, "best-practice"] : standards);
  const before = page.viewportSize();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await lookOnce(page, `${name}-${width}`, asked);
  }
  if (night) {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.emulateMedia({ colorScheme: "dark" });
    await lookOnce(page, `${name}-360-night`, asked);
    if (process.env.SCREENS === "all") {
      await page.setViewportSize({ width: 1280, height: 800 });
      await lookOnce(page, `${name}-1280-night`, asked);
    }
    await page.emulateMedia({ colorScheme: "light" });
  }
  if (before) await page.setViewportSize(before);
}

async function lookOnce(page: Page, name: string, axe: string[] | false) {
  // Where scripts are off, promises of the page never end.
  if (axe) await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.screenshot({
    path: path.join(screensFolder, `${name}.png`),
    fullPage: true,
    // A long page on a machine with other work.
    timeout: 60_000,
    // Ending the animations would end the toasts.
    animations: "allow",
  });
  await expectNoSidewaysScroll(page, name);
  if (axe) expect(await violations(page, axe), `axe on ${name}`).toEqual([]);
}

/** Nothing is wider than the window, or than the drawer it stands in. */
export async function expectNoSidewaysScroll(page: Page, name: string): Promise<void> {
  const wider = await page.evaluate(() => {
    const frames = [document.documentElement, ...document.querySelectorAll("[popover]")];
    return Math.max(...frames.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  });
  expect(wider, `sideways scroll on ${name}, in pixels`).toBeLessThanOrEqual(0);
}

/** Findings only: the checker's own builder also brings home every element that passed. */
async function violations(page: Page, tags: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(async (values) => {
    const checker = (window as unknown as { axe: typeof axe }).axe;
    const { scrollX, scrollY } = window;
    // At the top, where the player's bar covers half of nothing.
    if (document.querySelector(".player-bar")) scrollTo({ top: 0, behavior: "instant" });
    const { violations } = await checker.run(document, {
      runOnly: { type: "tag", values },
      resultTypes: ["violations"],
      elementRef: false,
      // No checker is in the frames: they would not answer.
      iframes: false,
    });
    scrollTo({ left: scrollX, top: scrollY, behavior: "instant" });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
    );
  }, tags);
}
