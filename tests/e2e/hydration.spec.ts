import type { Page } from "@playwright/test";
import { createCourse } from "../support/courses.ts";
import { publishIssue } from "../support/newsletter-issues.ts";
import { publicPages } from "../support/public-pages.ts";
import { blueDot, hydrated, openHydrated } from "./support/player.ts";
import { createStudent } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

/** What a page must say once, and could say twice when React takes it over. */
const once = [
  "title",
  'meta[name="viewport"]',
  'link[rel="manifest"]',
  'link[rel="icon"][type="image/svg+xml"]',
];

/** What search engines and messengers read; not there where they can never look. */
const shared = [
  'meta[name="description"]',
  'meta[property="og:title"]',
  'meta[property="og:image"]',
  'meta[name="twitter:card"]',
];

async function expectOnce(page: Page, isIndexed: boolean, isShared = isIndexed) {
  const counts = await page.evaluate(
    (selectors) => selectors.map((selector) => document.querySelectorAll(selector).length),
    [...once, ...shared],
  );
  const expected = [...once.map(() => 1), ...shared.map(() => (isShared ? 1 : 0))];
  expect(counts, page.url()).toEqual(expected);
  await expect(page.locator('meta[name="robots"]')).toHaveCount(isIndexed ? 0 : 1);
  await expect(page.locator('link[rel="canonical"]')).toHaveCount(isIndexed ? 1 : 0);
}

test("hydration: React has nothing to mend on a public page, and doubles no tag", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 4\d\d: GET \//);
  const { slug } = await createCourse(site.services, [[{}]]);
  const { path: issue = "" } =
    publicPages.find(({ pattern }) => pattern === "/newsletter/:slug") ?? {};
  await publishIssue(site.services, { slug: issue.replace("/newsletter/", "") });

  await test.step("a visitor's sign-in page", async () => {
    const page = await device();
    await openHydrated(page, "/auth");
    await expectOnce(page, false, true);
  });

  const page = await device({ as: await createStudent(site.services) });
  const shown = publicPages.filter(({ path, alike }) => !alike && !/^\/(auth|help)/.test(path));
  for (const { path, image } of shown)
    await test.step(path, async () => {
      await openHydrated(page, path.replace("letters", slug));
      await expect(page.getByRole("link", { name: "My Courses" })).toBeVisible();
      await expectOnce(page, image !== undefined);
    });
  for (const path of ["/my-courses", blueDot])
    await test.step(path, async () => {
      await openHydrated(page, path);
      await expectOnce(page, false);
    });

  await test.step("what was opened before React came stays open", async () => {
    const gate = Promise.withResolvers<void>();
    await page.route(/\/assets\/.*\.js(\?|$)/, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.goto("/coaching", { waitUntil: "commit" });
    await page.getByText("What does it cost?").click();
    gate.resolve();
    await hydrated(page);
    await expect(page.getByText(/at a reduced rate/)).toBeVisible();
  });
});
