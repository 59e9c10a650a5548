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

for (const { path, title, sections, says } of pages) {
  test(`${path} says what it must, and asks not to be listed`, async ({ device }) => {
    const page = await device();
    await page.goto(path);
    await expect(page).toHaveTitle(`${title} | Blue Dot`);
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
    await expect(page.locator('link[rel="canonical"]')).toHaveCount(0);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    for (const name of sections)
      await expect(page.getByRole("heading", { level: 2, name, exact: true })).toBeVisible();
    for (const words of says) await expect(page.getByRole("article")).toContainText(words);
    await look(page, `legal${path.replace("/", "-")}`, {
      widths: [320, 360, 768, 1280],
      night: true,
    });
  });

  test(`${path}: its contents lead to every section`, async ({ device }) => {
    const page = await device();
    await page.goto(path);
    const links = contents(page).getByRole("link");
    const names = await links.allTextContents();
    expect(names).toEqual(await page.locator("article h2").allTextContents());
    for (const link of await links.all()) {
      const href = (await link.getAttribute("href")) ?? "";
      await expect(page.locator(`h2${href}`)).toHaveCount(1);
    }
    await links.nth(5).click();
    await expect(page.getByRole("heading", { name: names[5] ?? "" })).toBeInViewport();
    // In the margin they stay beside the text.
    await expect(links.first()).toBeInViewport();
  });

  for (const javaScriptEnabled of [true, false])
    test(`${path}: contents on a phone, scripts ${javaScriptEnabled ? "on" : "off"}`, async ({
      device,
    }) => {
      const page = await device({ viewport: phone, javaScriptEnabled });
      await page.goto(path);
      const link = contents(page).getByRole("link", { name: "Contact" });
      await expect(link).toBeHidden();
      await contents(page).locator("summary").click();
      await expect(link).toBeVisible();
      if (javaScriptEnabled) await look(page, `legal-contents${path.replace("/", "-")}`, {});
      await link.click();
      await expect(page).toHaveURL(`${path}#contact`);
      await expect(page.getByRole("heading", { name: "Contact" })).toBeInViewport();
    });

  test(`${path} on paper is text only`, async ({ device }) => {
    const page = await device();
    await page.goto(path);
    await page.emulateMedia({ media: "print" });
    await expect(contents(page)).toBeHidden();
    await expect(page.getByRole("contentinfo")).toBeHidden();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await look(page, `legal-paper${path.replace("/", "-")}`, { axe: false, widths: [718] });
  });
}
