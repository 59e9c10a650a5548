import type { Page } from "@playwright/test";
import { themeColor } from "~/ui/theme-color.ts";
import { blueDot, heading, hydrated, lessons, secondLesson } from "./support/player.ts";
import { createStudent } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

/** Everything that a page must say once, and may be said twice when React takes it over. */
const once = [
  "title",
  'meta[name="description"]',
  'meta[name="viewport"]',
  'meta[property="og:title"]',
  'meta[property="og:image"]',
  'meta[name="twitter:card"]',
  'link[rel="manifest"]',
  'link[rel="icon"][type="image/svg+xml"]',
];

const counts = (page: Page) =>
  page.evaluate(
    (selectors) => selectors.map((selector) => document.querySelectorAll(selector).length),
    once,
  );

test("a page that React takes over still says everything once", async ({ site, device }) => {
  const page = await device();
  await page.goto("/auth");
  await hydrated(page);
  expect(await counts(page)).toEqual(once.map(() => 1));

  const student = await createStudent(site.services);
  const hers = await device({ as: student });
  for (const path of ["/", "/courses", "/my-courses", blueDot]) {
    await hers.goto(path);
    await hydrated(hers);
    expect(await counts(hers), path).toEqual(once.map(() => 1));
    await expect(hers.locator('meta[name="robots"]')).toHaveCount(
      ["/", "/courses"].includes(path) ? 0 : 1,
    );
  }
});

test("going from lesson to lesson changes what a page says, and doubles nothing", async ({
  site,
  device,
}) => {
  const page = await device({ as: await createStudent(site.services) });
  await page.goto(blueDot);
  await hydrated(page);
  await lessons(page).getByRole("link", { name: secondLesson }).click();
  await expect(heading(page)).toHaveText(secondLesson);
  expect(await counts(page)).toEqual(once.map(() => 1));
});

test("a page that failed says so once, and what it is", async ({ site, device, watch }) => {
  watch.expect(/^answer 404/);
  for (const as of [undefined, await createStudent(site.services)]) {
    const page = await device({ as });
    await page.goto("/nowhere");
    await expect(page).toHaveTitle("Page Not Found | Blue Dot");
    if (as) await hydrated(page);
    expect(await counts(page)).toEqual(once.map(() => 1));
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
    await expect(page.locator('link[rel="canonical"]')).toHaveCount(0);
  }
});

test("the browser's own bars go with the theme, of the system or chosen by hand", async ({
  site,
  device,
}) => {
  /** The colour that the browser takes for its bars. */
  const bars = (page: Page) =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')]
        .filter(({ media }) => matchMedia(media).matches)
        .map(({ content }) => content),
    );
  const page = await device({ colorScheme: "dark" });
  await page.goto("/");
  expect(await bars(page)).toEqual([themeColor.dark]);
  await page.getByRole("button", { name: "Theme: as the system" }).click();
  expect(await bars(page)).toEqual([themeColor.light]);
  await page.getByRole("button", { name: "Theme: light" }).click();
  expect(await bars(page)).toEqual([themeColor.dark]);

  const hers = await device({ as: await createStudent(site.services), colorScheme: "light" });
  await hers.goto("/");
  await hers.getByRole("button", { name: "Theme: as the system" }).click();
  await hers.getByRole("button", { name: "Theme: light" }).click();
  await hers.goto("/my-courses");
  await hydrated(hers);
  expect(await bars(hers)).toEqual([themeColor.dark]);
});
