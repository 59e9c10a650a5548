import { randomInt } from "node:crypto";
import { type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import { cookieOf, type Person } from "../../support/people.ts";
import { type CommonSiteKind, type CommonSites, commonSites } from "./common-site.ts";
import { removeFolders } from "./folders.ts";
import { createWatch, type Watch } from "./page-watch.ts";
import { type RunningSite, startBuiltSite } from "./site.ts";

export { expect };

type Device = BrowserContextOptions & {
  /** Who is signed in on it; no one by default. */
  as?: Person;
};

type TestFixtures = {
  /** What the environment of a file's sites says beside the usual: test.use({ settings }). */
  settings: Record<string, string>;
  /**
   * Which site the tests of a file use: 'own' starts one for each test; 'shared' is used by every
   * test of the worker, each with users and courses of its own; 'read' is for tests that write
   * nothing, and has the third course of the table of public pages.
   */
  siteKind: "own" | CommonSiteKind;
  /** Starts with the sample courses, and without anybody. */
  site: RunningSite;
  watch: Watch;
  /** A browser of its own: its cookies and storage, on a new page. */
  device: (options?: Device) => Promise<Page>;
  /** Takes away what the test had in folders (folders.ts). */
  folders: undefined;
};

export const phone = { width: 360, height: 740 };

/**
 * A test with a site (siteKind). It opens browsers with `device`. It fails on whatever a browser complains about, and on requests
 * to other hosts.
 */
export const test = base.extend<TestFixtures, { common: CommonSites }>({
  settings: [{}, { option: true }],
  siteKind: ["own", { option: true }],
  common: [
    // biome-ignore lint/correctness/noEmptyPattern: the first argument names what it needs
    async ({}, use) => {
      const common = commonSites();
      await use(common);
      await common.close();
    },
    { scope: "worker" },
  ],
  site: async ({ settings, siteKind, common }, use) => {
    if (siteKind !== "own") {
      await use(await common.borrow(siteKind));
      return common.handBack(siteKind);
    }
    const site = await startBuiltSite(settings, process.env.E2E_TEMPLATE);
    await use(site);
    await site.close();
  },
  folders: [
    // biome-ignore lint/correctness/noEmptyPattern: the first argument names what it needs
    async ({}, use) => {
      await use(undefined);
      removeFolders();
    },
    { auto: true },
  ],
  watch: async ({ site, settings }, use) => {
    const others = [settings.STRIPE_API_URL, settings.OIDC_ISSUER];
    const watch = createWatch(
      site.url,
      others.filter((host) => host !== undefined),
    );
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
    watch.end();
    for (const context of browser.contexts()) await context.close();
  },
});

/** The toast with this title. */
export const toast = (page: Page, title: string) =>
  page.getByRole("region", { name: "Notifications" }).locator(".toast").filter({ hasText: title });

/** Presses a button, and reads the toast with this title if there is to be one. */
export async function press(page: Page, name: string, said?: string): Promise<void> {
  await page.getByRole("button", { name }).click();
  if (said) await expect(toast(page, said)).toBeVisible();
}
