import type { Page } from "@playwright/test";
import { aHair, firstFlight, htmlWeight, openCalmly } from "./support/calm.ts";
import { expect, phone, test } from "./support/test.ts";

const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** What spec 2 says of /about, with scripts or without. */
async function expectAbout(page: Page) {
  const main = page.getByRole("main");
  const story = main.getByRole("article");
  await expect(story.getByRole("heading", { level: 1 })).toHaveText(/brother/);
  await expect(section(page, "The Blue Dot")).toContainText("compass");
  await expect(
    section(page, "What I believe").getByRole("listitem").getByRole("heading", { level: 3 }),
  ).toHaveText([
    "No timelines",
    "Practical over theoretical",
    "Honest language",
    "Permission to struggle",
  ]);
  const leads = (name: string, href: string) =>
    expect(main.getByRole("link", { name, exact: true })).toHaveAttribute("href", href);
  await leads("Explore Courses", "/courses");
  await leads("Learn About Coaching", "/coaching");
  const letters = section(page, "A letter once a week");
  await expect(letters.getByLabel("First name")).toBeVisible();
  await expect(letters.getByLabel("Email address")).toBeVisible();
  await expect(letters.getByRole("button", { name: "Subscribe" })).toBeVisible();
}

test.use({ siteKind: "read" });

test("About tells the story, the Blue Dot and four beliefs, in that order", async ({ device }) => {
  const page = await device();
  const shifts = await openCalmly(page, "/about");
  await expectAbout(page);
  const titles = await page.getByRole("main").getByRole("heading", { level: 2 }).allTextContents();
  expect(titles.slice(-3)).toEqual(["The Blue Dot", "What I believe", "A letter once a week"]);
  expect(await shifts()).toBeLessThan(aHair);
  expect(await htmlWeight(page, "/about")).toBeLessThan(firstFlight);
});

test("the story ends with the dot, on the line of its last word", async ({ device }) => {
  const page = await device({ viewport: phone });
  const shifts = await openCalmly(page, "/about");
  expect(await shifts()).toBeLessThan(aHair);
  const last = page.getByRole("article").locator("p").last();
  const mark = last.locator(".end-mark");
  for (const width of [320, 360, 414, 600, 768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const apart = await mark.evaluate((dot) => {
      const words = document.createRange();
      words.selectNode(dot.previousSibling ?? dot);
      const lines = [...words.getClientRects()];
      const { bottom, height } = dot.getBoundingClientRect();
      return Math.abs((lines.at(-1)?.bottom ?? 0) - bottom) / height;
    });
    expect(apart, `lines between the last word and the dot, at ${width} px`).toBeLessThan(2);
  }
});
