import type { Page } from "@playwright/test";
import { site as content } from "../../content/site.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, phone, test } from "./support/test.ts";

const everyWidth = [320, 360, 768, 1280];

const questions = [
  { asks: /different from therapy/, says: /I am not a therapist/ },
  { asks: /How long/, says: /a few months/ },
  { asks: /don’t know what I need/, says: /Hardly anyone does/ },
  { asks: /cost/, says: /individual sessions, or take a monthly package at a reduced rate/ },
];

const summary = (page: Page, asks: RegExp) => page.locator("summary").filter({ hasText: asks });

test.use({ siteKind: "shared" });

test("what coaching is, how it goes, and when it is not the right help", async ({ device }) => {
  const page = await device();
  await page.goto("/coaching");
  await expect(page).toHaveTitle("Coaching | Blue Dot");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const current = page.getByRole("navigation", { name: "Main" }).getByRole("link", {
    name: "Coaching",
  });
  await expect(current).toHaveAttribute("aria-current", "page");
  expect(await page.getByRole("term").allTextContents()).toHaveLength(4);
  expect(await page.getByRole("definition").allTextContents()).toEqual([
    "60 minutes",
    "Weekly, biweekly or monthly",
    "By video call or phone",
    "Email access between sessions",
  ]);
  const limits = page.getByRole("region", { name: "When coaching is not the right help" });
  await expect(limits).toContainText("not for an acute crisis, and it is not clinical therapy");
  const help = { "call 988": "tel:988", "text 988": "sms:988", "911": "tel:911" };
  for (const [name, href] of Object.entries(help))
    await expect(limits.getByRole("link", { name })).toHaveAttribute("href", href);
  await look(page, "coaching", { widths: everyWidth, night: true });
});

test("'Apply' says that it leads to another site, and stays in its tab", async ({ device }) => {
  const page = await device();
  await page.goto("/coaching");
  const apply = page.getByRole("link", { name: "Apply", exact: true });
  await expect(apply).toHaveCount(2);
  for (const link of await apply.all()) {
    await expect(link).toHaveAttribute("href", content.coachingApplicationUrl);
    await expect(link).toHaveAttribute("rel", /noopener/);
    await expect(link).not.toHaveAttribute("target");
    await expect(link).toHaveAccessibleDescription(/on another site, forms\.example\./);
  }
});

test("help lines are one tap away from the top of the page", async ({ device }) => {
  const page = await device({ viewport: phone });
  await page.goto("/coaching");
  await page.getByRole("link", { name: "these people answer" }).click();
  await expect(page.getByRole("link", { name: "call 988" })).toBeInViewport();
});

test("the four questions open and close with the keyboard", async ({ device }) => {
  const page = await device();
  await page.goto("/coaching");
  for (const { says } of questions) await expect(page.getByText(says)).toBeHidden();
  const [first, ...others] = questions;
  await summary(page, first?.asks ?? /none/).focus();
  for (const { says } of questions) {
    await page.keyboard.press("Enter");
    await expect(page.getByText(says)).toBeVisible();
    await page.keyboard.press("Tab");
  }
  // One that opens closes no other.
  await expect(page.getByText(first?.says ?? /none/)).toBeVisible();
  await look(page, "coaching-open", { widths: [360, 1280], night: true });
  for (const { asks, says } of others) {
    await summary(page, asks).focus();
    await page.keyboard.press("Space");
    await expect(page.getByText(says)).toBeHidden();
  }
});

test("without scripts the questions open all the same", async ({ device }) => {
  const page = await device({ javaScriptEnabled: false, viewport: phone });
  await page.goto("/coaching");
  for (const { asks, says } of questions) {
    await summary(page, asks).click();
    await expect(page.getByText(says)).toBeVisible();
  }
  await look(page, "coaching-plain", { axe: false, widths: [360] });
});

test("a search for words of a closed answer opens it", async ({ device }) => {
  const page = await device();
  await page.goto("/coaching#:~:text=at%20a%20reduced%20rate");
  await expect(page.getByText(/at a reduced rate/)).toBeInViewport();
});

test("on paper every answer is there, and nothing to press", async ({ device }) => {
  const page = await device();
  await page.goto("/coaching");
  await page.emulateMedia({ media: "print" });
  for (const { says } of questions) await expect(page.getByText(says)).toBeVisible();
  await expect(page.getByText("Someone is there at any hour.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Apply" })).toHaveCount(0);
  await look(page, "coaching-paper", { axe: false, widths: [718] });
});

test("for somebody signed in the page is the same, and keeps what she opened", async ({
  site,
  device,
}) => {
  const page = await device({ as: await createStudent(site.services) });
  const gate = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js(\?|$)/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto("/coaching", { waitUntil: "commit" });
  await summary(page, /cost/).click();
  gate.resolve();
  await hydrated(page);
  await expect(page.getByText(/at a reduced rate/)).toBeVisible();
  await expect(page.getByRole("link", { name: "My Courses" })).toBeVisible();
  await look(page, "coaching-student", { widths: [1280] });
});
