import type { Page } from "@playwright/test";
import { look } from "./support/screen.ts";
import { expect, phone, test } from "./support/test.ts";

const pages = [
  {
    path: "/privacy",
    title: "Privacy policy",
    // Spec 2: collected data, use, sharing, rights, security and contact.
    sections: [
      "What is collected",
      "What it is used for",
      "Who else sees it",
      "Your rights",
      "Security",
      "Contact",
    ],
    says: [
      /hello@bluedot\.example/,
      /tells Stripe the name of the course, its price and your email address/,
      /of the card the site keeps nothing/,
    ],
  },
  {
    path: "/terms",
    title: "Terms of service",
    sections: [
      "Coaching is not therapy",
      "Courses and letters are for learning",
      "Refunds for courses",
      "Lifetime access",
      "Coaching sessions",
      "The newsletter",
      "What I write",
      "What I am liable for",
      "Changes",
    ],
    says: [
      /after 14 days or after 25% of the content, whichever comes first/,
      /at least 24 hours/,
      /once a week/,
    ],
  },
];

const contents = (page: Page) => page.getByRole("navigation", { name: "On this page" });

test.use({ siteKind: "read" });

for (const { path, title, sections, says } of pages)
  test(`${path}: what it says, its contents, a phone without scripts, paper`, async ({
    device,
  }) => {
    const page = await device();
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    for (const name of sections)
      await expect(page.getByRole("heading", { level: 2, name, exact: true })).toBeVisible();
    for (const words of says) await expect(page.getByRole("article")).toContainText(words);

    await test.step("the contents lead to every section, and stay beside the text", async () => {
      const links = contents(page).getByRole("link");
      const names = await links.allTextContents();
      expect(names).toEqual(await page.locator("article h2").allTextContents());
      for (const link of await links.all()) {
        const href = (await link.getAttribute("href")) ?? "";
        await expect(page.locator(`h2${href}`)).toHaveCount(1);
      }
      await links.nth(5).click();
      await expect(page.getByRole("heading", { name: names[5] ?? "" })).toBeInViewport();
      await expect(links.first()).toBeInViewport();
    });

    for (const javaScriptEnabled of [true, false])
      await test.step(`on a phone, scripts ${javaScriptEnabled ? "on" : "off"}`, async () => {
        const small = await device({ viewport: phone, javaScriptEnabled });
        await small.goto(path);
        const link = contents(small).getByRole("link", { name: "Contact" });
        await expect(link).toBeHidden();
        await contents(small).locator("summary").click();
        await expect(link).toBeVisible();
        if (javaScriptEnabled)
          await look(small, `legal-contents${path.replace("/", "-")}`, { widths: [360] });
        await link.click();
        await expect(small).toHaveURL(`${path}#contact`);
        await expect(small.getByRole("heading", { name: "Contact" })).toBeInViewport();
      });

    await test.step("on paper there is only text", async () => {
      await page.emulateMedia({ media: "print" });
      await expect(contents(page)).toBeHidden();
      await expect(page.getByRole("contentinfo")).toBeHidden();
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await look(page, `legal-paper${path.replace("/", "-")}`, { axe: false, widths: [718] });
    });
  });
