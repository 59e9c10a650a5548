import type { Locator, Page } from "@playwright/test";
import { dialog, opener } from "./support/newsletter.ts";
import { publicPages } from "./support/public-pages.ts";
import { expectNoSidewaysScroll, look } from "./support/screen.ts";
import { expect, phone, test } from "./support/test.ts";

/** Whether anything is painted in a part of the page, or in the last pixels of it. */
async function isPainted(part: Locator, lastPixels?: number): Promise<boolean> {
  const { x, y, width, height } = (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const wide = lastPixels ?? width;
  const clip = { x: x + width - wide, y, width: wide, height: height - 2 };
  const picture = (await part.page().screenshot({ clip })).toString("base64");
  return part.page().evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas?.drawImage(image, 0, 0);
    const { data = [] } = canvas?.getImageData(0, 0, image.width, image.height) ?? {};
    return data.some((value, at) => value !== data[at % 4]);
  }, picture);
}

test("in colours of somebody's own, every sign is still there", async ({ device }) => {
  const page = await device({ forcedColors: "active", viewport: phone });
  await page.goto("/coaching");
  expect(await isPainted(page.locator(".site-header .dot"))).toBe(true);
  await page.getByRole("button", { name: "Menu" }).click();
  const menu = page.getByRole("navigation", { name: "Main" });
  const link = (name: string) => menu.getByRole("link", { name });
  expect(await isPainted(link("Coaching"), 8)).toBe(true);
  expect(await isPainted(link("Courses"), 8)).toBe(false);
  // The checker of contrasts does not know these colours.
  await look(page, "forced-colours-menu", { widths: [360], axe: false });
  await page.keyboard.press("Escape");
  await page.getByText("What does it cost?").scrollIntoViewIfNeeded();
  expect(await isPainted(page.locator(".accordion-sign").last())).toBe(true);
  await opener(page).click();
  await expect(dialog(page)).toHaveCSS("border-top-width", "1px");
  await look(page, "forced-colours-dialog", { widths: [360], axe: false });
});

test("on paper there is nothing to press or to fill in, and a quotation keeps its name", async ({
  device,
}) => {
  const page = await device();
  await page.goto("/");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { name: "Join Our Community" })).toBeVisible();
  for (const role of ["textbox", "button"] as const)
    await expect(page.getByRole(role)).toHaveCount(0);
  for (const quote of await page.getByRole("figure").filter({ hasText: "“" }).all())
    await expect(quote).toHaveCSS("break-inside", "avoid");
});

/** WCAG 1.4.12: what a reader may set for herself. */
const airy = `
  * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`;

const cutOff = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("body *:not(svg, svg *)")]
      .filter((element) => {
        const { overflow } = getComputedStyle(element);
        const { clientHeight, clientWidth, scrollHeight, scrollWidth } = element;
        const isMeantToBeSeen = clientHeight > 1 && clientWidth > 1;
        return (
          isMeantToBeSeen &&
          overflow !== "visible" &&
          (scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1)
        );
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 120)),
  );

test("with letters, words and lines further apart, nothing is cut off", async ({
  device,
  watch,
}) => {
  watch.expect(/^answer 4\d\d: GET \//);
  const page = await device();
  for (const { path, status } of publicPages) {
    if (path === "/courses/a-third-course") continue;
    if (status === 404 && path !== "/404") continue;
    await page.goto(path);
    await page.evaluate((css) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets = [sheet];
      for (const closed of document.querySelectorAll("details")) closed.open = true;
    }, airy);
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScroll(page, `${path} at ${width}, airy`);
      expect(await cutOff(page), `${path} at ${width}`).toEqual([]);
    }
  }
});
