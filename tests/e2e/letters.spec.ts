import { expect, test } from "@playwright/test";
import { type Program, run } from "../support/process.ts";
import { expectNoSidewaysScroll, look } from "./support/screen.ts";

let preview: Program;
let address: string;

test.beforeAll(async () => {
  preview = run("mail-preview.ts", ["0"], {});
  [, address = ""] = await preview.line(/The letters are at (\S+)/);
});
test.afterAll(() => preview.kill("SIGTERM"));

/** Faces differ in colours alone: one of them is enough for what depends on the width. */
const widthsOf = { light: [360, 1280], dark: [360], inverted: [360] };

test("every letter can be read on a phone, on a desk and at night, and loads nothing", async ({
  page,
}) => {
  test.slow();
  await page.goto(address);
  const links = page.getByRole("listitem").getByRole("link");
  const count = await links.count();
  expect(count).toBeGreaterThanOrEqual(12);
  // Each look has its own limit; there are as many as there are letters.
  test.setTimeout(count * 60_000);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  for (let at = 0; at < count; at += 1)
    for (const [face, widths] of Object.entries(widthsOf)) {
      asked.length = 0;
      await page.goto(`${address}/${at}/${face}`);
      const name = `letter-${String(at).padStart(2, "0")}-${face}`;
      await look(page, name, { widths, isPage: false });
      await page.setViewportSize({ width: 320, height: 800 });
      await expectNoSidewaysScroll(page, `${name}-320`);
      expect(asked).toEqual([`/${at}/${face}`]);
      await expect(page).toHaveTitle(/\S/);
      await expect(page.locator("html")).toHaveAttribute("lang", "en");
      expect(await page.locator("table:not([role=presentation])").count()).toBe(0);
      // Whatever a link is called, it is called something.
      for (const link of await page.getByRole("link").all())
        expect(((await link.textContent()) ?? "").trim()).not.toBe("");
    }
});

test("the preview shows each letter's faces, its text and its head", async ({ page }) => {
  await page.goto(address);
  await look(page, "letters-preview-list", { isPage: false, night: true });
  await page
    .getByRole("link", { name: /^You finished/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^You finished/);
  await expect(page.locator("iframe")).toHaveCount(6);
  await expect(page.locator("pre").first()).toContainText("Next comes");
  await expect(page.locator("pre").last()).toContainText("List-Unsubscribe: <https://");
  // Each frame is as high as its letter.
  for (const one of await page.locator("iframe").all()) {
    const act = one.contentFrame().getByRole("link", { name: "Go to your course" });
    await expect(act).toBeVisible();
    await expect
      .poll(() =>
        one.evaluate((element: HTMLIFrameElement) => {
          const root = element.contentDocument?.documentElement;
          return root ? root.scrollHeight - root.clientHeight : -1;
        }),
      )
      .toBe(0);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.screenshot({ path: "tests/e2e/screens/letters-preview.png", fullPage: true });
  const missing = await page.goto(`${address}/999`);
  expect(missing?.status()).toBe(404);
});
