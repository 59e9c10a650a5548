import type { Page } from "@playwright/test";
import { look } from "./support/screen.ts";
import { expect, phone, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

const questions = [
  { asks: /different from therapy/, says: /I am not a therapist, and I don’t do that/ },
  { asks: /How long/, says: /a few months/ },
  { asks: /don’t know what I need/, says: /Hardly anyone does/ },
  { asks: /cost/, says: /individual sessions, or take a monthly package at a reduced rate/ },
];
const summary = (page: Page, asks: RegExp) => page.locator("summary").filter({ hasText: asks });
const contents = (page: Page) => page.getByRole("navigation", { name: "On this page" });

test("reading: questions by keyboard, contents, a text fragment, without scripts, on paper", async ({
  device,
}) => {
  const page = await device();
  const small = await device({ viewport: phone, javaScriptEnabled: false });

  await test.step("the four questions open and close with the keyboard", async () => {
    await page.goto("/coaching");
    for (const { says } of questions) await expect(page.getByText(says)).toBeHidden();
    for (const [at, { asks, says }] of questions.entries()) {
      if (at === 0) await summary(page, asks).focus();
      await page.keyboard.press("Enter");
      await expect(page.getByText(says)).toBeVisible();
      await page.keyboard.press("Tab");
    }
    await look(page, "coaching-open", { widths: [1280], night: true });
    // One that opens or closes leaves the others as they are.
    for (const { asks, says } of questions) {
      await expect(page.getByText(says)).toBeVisible();
      await summary(page, asks).focus();
      await page.keyboard.press("Space");
      await expect(page.getByText(says)).toBeHidden();
    }
  });

  await test.step("without scripts they open, too, and help is one press away", async () => {
    await small.goto("/coaching");
    for (const { asks, says } of questions) {
      await summary(small, asks).click();
      await expect(small.getByText(says)).toBeVisible();
    }
    await small.getByRole("link", { name: "these people answer" }).click();
    await expect(small.getByRole("link", { name: "call 988" })).toBeInViewport();
  });

  await test.step("a search for words of a closed answer opens it", async () => {
    await page.goto("/coaching#:~:text=at%20a%20reduced%20rate");
    await expect(page.getByText(/at a reduced rate/)).toBeInViewport();
  });

  for (const path of ["/privacy", "/terms"]) {
    await test.step(`${path}: the contents lead to every section, and stay in view`, async () => {
      await page.goto(path);
      const links = contents(page).getByRole("link");
      const names = await links.allTextContents();
      expect(names).toEqual(await page.locator("article h2").allTextContents());
      await links.nth(5).click();
      await expect(page.getByRole("heading", { name: names[5] ?? "" })).toBeInViewport();
      await expect(links.first()).toBeInViewport();
    });

    await test.step(`${path}: on a phone without scripts they open and lead on`, async () => {
      await small.goto(path);
      const link = contents(small).getByRole("link", { name: "Contact" });
      await expect(link).toBeHidden();
      await contents(small).locator("summary").click();
      await link.click();
      await expect(small).toHaveURL(`${path}#contact`);
      await expect(small.getByRole("heading", { name: "Contact" })).toBeInViewport();
    });
  }
  await look(small, "terms-contents-plain", { axe: false, widths: [360] });

  await test.step("on paper there is text, with every answer, and nothing to press", async () => {
    await page.emulateMedia({ media: "print" });
    await expect(contents(page)).toBeHidden();
    await expect(page.getByRole("contentinfo")).toBeHidden();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await look(page, "terms-paper", { axe: false, widths: [718] });

    await page.goto("/coaching");
    for (const { says } of questions) await expect(page.getByText(says)).toBeVisible();
    await expect(page.getByText("Someone is there at any hour.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Apply" })).toHaveCount(0);
    await look(page, "coaching-paper", { axe: false, widths: [718] });

    await page.goto("/");
    await expect(page.getByRole("heading", { name: "Join Our Community" })).toBeVisible();
    for (const role of ["textbox", "button"] as const)
      await expect(page.getByRole(role)).toHaveCount(0);
    // A quotation keeps its name.
    for (const quote of await page.getByRole("figure").filter({ hasText: "“" }).all())
      await expect(quote).toHaveCSS("break-inside", "avoid");
  });
});
