import type { Page } from "@playwright/test";
import { site as content } from "../../content/site.ts";
import { routeTable } from "../support/route-table.ts";
import { aHair, openCalmly } from "./support/calm.ts";
import { walk } from "./support/keyboard.ts";
import { hydrated } from "./support/player.ts";
import {
  createThirdCourse,
  notPublicPages,
  type PublicPage,
  publicPages,
  wordsOf,
} from "./support/public-pages.ts";
import { expectNoSidewaysScroll, look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, phone, test } from "./support/test.ts";
import { startWeighing } from "./support/weigh.ts";

/** CSS pixels; 640 is a window of 1280 at 200 %. */
const widths = [320, 360, 640, 768, 1280];

test("every address of the site is in the table, or is no public page", () => {
  const named = [...publicPages.map(({ pattern }) => pattern), ...notPublicPages];
  expect(new Set(routeTable.map(({ pattern }) => pattern))).toEqual(new Set(named));
});

/** Words that are to be seen, as one line. */
const wordsSeen = async (page: Page, part: string) =>
  // biome-ignore lint/performance/useDomNodeTextContent: hidden words do not count
  (await page.locator(part).innerText()).replaceAll(/\s+/g, " ").trim();

async function expectHead(page: Page, { noindex = false, ...row }: PublicPage, origin: string) {
  const { title } = await wordsOf(row);
  await expect(page).toHaveTitle(`${title} | ${content.name}`);
  const robots = page.locator('meta[name="robots"]');
  const canonical = page.locator('link[rel="canonical"]');
  await expect(robots).toHaveCount(noindex ? 1 : 0);
  await expect(canonical).toHaveCount(noindex ? 0 : 1);
  if (noindex) await expect(robots).toHaveAttribute("content", "noindex");
  else await expect(canonical).toHaveAttribute("href", origin + row.path.replace(/\?.*/, ""));
  const description = page.locator('meta[name="description"]');
  await expect(description).toHaveAttribute("content", /^.{40,160}$/);
}

/** One h1, no level left out, and the landmarks that people jump between. */
async function expectOutline(page: Page, row: PublicPage) {
  const { heading } = await wordsOf(row);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText([heading]);
  const levels = await page.evaluate(() =>
    [...document.querySelectorAll("main :is(h1, h2, h3, h4, h5, h6)")].map(({ tagName }) =>
      Number(tagName[1]),
    ),
  );
  expect(levels[0]).toBe(1);
  for (const [at, level] of levels.entries())
    expect(level, `heading ${at + 1} of ${levels}`).toBeLessThanOrEqual((levels[at - 1] ?? 0) + 1);
  for (const landmark of ["banner", "main", "contentinfo"] as const)
    await expect(page.getByRole(landmark)).toHaveCount(1);
  for (const name of ["Main", "Footer"])
    await expect(page.getByRole("navigation", { name, exact: true })).toBeVisible();
}

const kib = 1024;

test.describe("a public page", () => {
  test.use({ siteKind: "read" });
  for (const row of publicPages) {
    const { path, pattern, status = 200 } = row;
    const name = path === "/" ? "home" : path.slice(1).replaceAll(/\W+/g, "-");
    // React takes the sign-in pages over.
    const isLight = !pattern.startsWith("/auth");
    const isLong = path === "/" || path === "/about";

    test(path, async ({ site, device, watch }) => {
      if (status !== 200) watch.expect(new RegExp(`^answer ${status}: GET /`));
      const page = await device();
      const answers: number[] = [];
      page.on("response", (response) => {
        if (response.request().isNavigationRequest()) answers.push(response.status());
      });
      const weighed = startWeighing(page);
      const shifts = await openCalmly(page, path);

      await test.step("says what it is, does not move, and is light", async () => {
        expect(answers).toEqual([status]);
        await expectHead(page, row, site.url);
        await expectOutline(page, row);
        expect(await shifts()).toBeLessThan(aHair);
        const { script, font } = await weighed();
        if (isLight) expect(script).toBeLessThanOrEqual(6 * kib);
        expect(font).toBeGreaterThan(0);
        expect(font).toBeLessThanOrEqual(90_000);
      });

      await test.step("looks right in every width", async () => {
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 });
          await expectNoSidewaysScroll(page, `${path} at ${width}`);
        }
        await page.setViewportSize({ width: 1280, height: 800 });
        const looking = isLong ? { widths: [320, 360, 768, 1280] } : {};
        await look(page, `public-${name}`, { ...looking, night: true });
      });

      await test.step("every link and button is reached with Tab, and shows it", async () => {
        expect(await walk(page)).toEqual([]);
      });

      await test.step("says the same without scripts", async () => {
        const plain = await device({ viewport: phone, javaScriptEnabled: false });
        await plain.goto(path, { waitUntil: "networkidle" });
        await page.setViewportSize(phone);
        // A passkey cannot be asked for without a script.
        await page.evaluate(() => {
          for (const one of document.querySelectorAll<HTMLElement>("main .needs-scripts"))
            one.style.display = "none";
        });
        for (const part of [".site-header", "main", "footer"])
          expect(await wordsSeen(plain, part)).toBe(await wordsSeen(page, part));
      });
    });
  }
});

/** Everything that a page leads to or brings along, as it stands in the page. */
const addressesOn = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("a[href], link[href], img[src], meta[property='og:image']")].map(
      (element) => ({
        isLink: element.localName === "a",
        rel: element.getAttribute("rel") ?? "",
        address:
          element.getAttribute("href") ??
          element.getAttribute("src") ??
          element.getAttribute("content") ??
          "",
      }),
    ),
  );

test("everything that a page leads to or brings along is there", async ({
  site,
  device,
  watch,
}) => {
  await createThirdCourse(site.services);
  watch.expect(/^answer 4\d\d: GET \//);
  const page = await device();
  const found = new Map<string, string>();
  const bad: string[] = [];
  for (const { path } of publicPages) {
    await page.goto(path);
    for (const { address, isLink, rel } of await addressesOn(page)) {
      const url = new URL(address, site.url);
      if (address.startsWith("#")) {
        if ((await page.locator(address).count()) !== 1) bad.push(`${path}: no part ${address}`);
      } else if (url.origin === site.url) found.set(url.href, path);
      else if (
        isLink &&
        !/^(mailto|tel|sms):./.test(address) &&
        !/^https:.* .*noopener/.test(`${address} ${rel}`)
      )
        bad.push(`${path}: ${address} (${rel})`);
    }
  }
  expect(found.size).toBeGreaterThan(20);
  for (const [address, path] of found) {
    const response = await fetch(address);
    const text = await response.text();
    const part = new URL(address).hash.slice(1);
    if (response.status >= 400) bad.push(`${path}: ${address} answers ${response.status}`);
    else if (part && !text.includes(`id="${part}"`)) bad.push(`${path}: no part ${address}`);
  }
  expect(bad).toEqual([]);
});

test("for somebody signed in React takes every page over, and has nothing to mend", async ({
  site,
  device,
  watch,
}) => {
  await createThirdCourse(site.services);
  watch.expect(/^answer 4\d\d: GET \//);
  const page = await device({ as: await createStudent(site.services) });
  for (const { path } of publicPages) {
    await page.goto(path);
    await hydrated(page);
    await expect(page.getByRole("link", { name: "My Courses" })).toBeVisible();
  }
});
