import { randomInt } from "node:crypto";
import { type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import { cookieOf, type Person } from "../../support/people.ts";
import { type RunningSite, startBuiltSite } from "./site.ts";
import { createWatch, type Watch } from "./watch.ts";

export { expect };

type Device = BrowserContextOptions & {
  /** Who is signed in on it; nobody by default. */
  as?: Person;
};

type TestFixtures = {
  watch: Watch;
  /** A browser of its own: its cookies and storage, on a new page. */
  device: (options?: Device) => Promise<Page>;
};

export const phone = { width: 360, height: 740 };

/**
 * Every test has a site that runs (one a worker) and opens browsers with `device`. It fails on
 * whatever a browser complains about, and on requests to other hosts.
 */
export const test = base.extend<TestFixtures, { site: RunningSite }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const site = await startBuiltSite();
      await use(site);
      await site.close();
    },
    { scope: "worker" },
  ],
  watch: async ({ site }, use) => {
    const watch = createWatch(site.url);
    await use(watch);
    expect(watch.verdict(), "what the browser complained about").toEqual([]);
  },
  device: async ({ site, watch, browser }, use) => {
    const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
    await use(async ({ as, ...options } = {}) => {
      const context = await browser.newContext({
        baseURL: site.url,
        viewport: { width: 1280, height: 800 },
        reducedMotion: "reduce",
        extraHTTPHeaders: { "X-Forwarded-For": address },
        ...options,
      });
      watch.attach(context, options.javaScriptEnabled !== false);
      if (as) {
        const [name = "", value = ""] = (await cookieOf(site.services, as.id)).split("=");
        await context.addCookies([{ name, value, url: site.url }]);
      }
      return context.newPage();
    });
    for (const context of browser.contexts()) await context.close();
  },
});

/** The toast with this title. */
export const toast = (page: Page, title: string) =>
  page.getByRole("region", { name: "Notifications" }).locator(".toast").filter({ hasText: title });
