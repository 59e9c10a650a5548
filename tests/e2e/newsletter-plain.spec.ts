import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { createPerson } from "../support/people.ts";
import { letterHtml, linkInMail } from "./support/mail.ts";
import { thanks } from "./support/newsletter.ts";
import { look } from "./support/screen.ts";
import { expect, phone, test, toast } from "./support/test.ts";

const confirmPage = "/newsletter/confirm";
const unsubscribePage = "/newsletter/unsubscribe";
const title = (page: Page) => page.getByRole("heading", { level: 1 });
const form = (page: Page) => page.getByRole("main").locator("form");

async function fill(page: Page, firstName: string, email: string) {
  await form(page).getByLabel("First name").fill(firstName);
  await form(page).getByLabel("Email address").fill(email);
  await form(page).getByRole("button", { name: "Subscribe" }).click();
}

/** With scripts, up to the answer: whoever goes on before it may cut it off. */
async function subscribe(page: Page, firstName: string, email: string) {
  await fill(page, firstName, email);
  await expect(toast(page, thanks)).toBeVisible();
}

test("without scripts, on a phone: from 'Subscribe' to the list, and off it again", async ({
  site,
  device,
}) => {
  const plain = { axe: false, widths: [360] };
  const email = `${randomUUID()}@example.com`;
  const page = await device({ javaScriptEnabled: false, viewport: phone });
  await page.goto("/coaching");
  await page.getByRole("banner").getByRole("button", { name: "Subscribe" }).click();
  await expect(page).toHaveURL(/\/newsletter\??$/);
  await expect(title(page)).toHaveText("Join my weekly newsletter");
  await expect(page.getByRole("main")).toContainText(
    "Reflections, tools, and insights for living with loss.",
  );
  await look(page, "newsletter-plain-form", plain);
  await fill(page, "Ada", email);
  await expect(page).toHaveURL("/thank-you");
  await expect(title(page)).toHaveText("You're All Set");

  await page.goto(await linkInMail(site.dataDir, email, confirmPage));
  await look(page, "newsletter-plain-confirm", plain);
  await page.getByRole("button", { name: "Yes, send me the letters" }).click();
  await expect(page).toHaveURL("/newsletter/confirmed");
  await expect(title(page)).toHaveText("You’re on the list");
  await look(page, "newsletter-plain-confirmed", plain);

  // The welcome letter, beside the first one, has the way out.
  await page.goto(await linkInMail(site.dataDir, email, unsubscribePage, { count: 2 }));
  await look(page, "newsletter-plain-unsubscribe", plain);
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await expect(page).toHaveURL("/newsletter/unsubscribed");
  await look(page, "newsletter-plain-unsubscribed", plain);
  await page.getByRole("main").getByRole("link", { name: "Subscribe again" }).click();
  await expect(title(page)).toHaveText("Join my weekly newsletter");
});

test("without scripts: what was wrong is said beside the field, and nothing is lost", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/newsletter/, /^answer 503: POST \/newsletter/);
  const page = await device({ javaScriptEnabled: false });
  await page.goto("/newsletter");
  // The browser is content with this address; no mail would ever reach it.
  await fill(page, "Ada", "ada@example");
  await expect(form(page).getByLabel("Email address")).toHaveAccessibleDescription(
    /does not look complete/,
  );
  await expect(form(page).getByLabel("First name")).toHaveValue("Ada");
  await expect(form(page).getByLabel("Email address")).toHaveValue("ada@example");
  await look(page, "newsletter-plain-mistake", { axe: false });
  // Side by side, the other field keeps its height.
  await page.setViewportSize({ width: 1280, height: 800 });
  const heights = await form(page)
    .locator(".control")
    .evaluateAll((fields) => fields.map((field) => field.getBoundingClientRect().height));
  expect(new Set(heights).size).toBe(1);

  const { schema } = site.services.db.write;
  await schema.alterTable("rate_limits").renameTo("away").execute();
  const email = `${randomUUID()}@example.com`;
  await fill(page, "Ada", email);
  await expect(toast(page, "Something went wrong. Please try again.")).toBeVisible();
  await expect(form(page).getByLabel("Email address")).toHaveValue(email);
  await schema.alterTable("away").renameTo("rate_limits").execute();
  await fill(page, "Ada", email);
  await expect(page).toHaveURL("/thank-you");
});

test("each page of the newsletter, at each width, by day and night", async ({
  site,
  device,
  watch,
}) => {
  test.slow();
  watch.expect(/^answer 410: GET \/newsletter\/confirm/, /^answer 400: GET \/newsletter/);
  const everywhere = { widths: [360, 1280], night: true };
  const email = `${randomUUID()}@example.com`;
  const page = await device();
  const see = async (path: string, heading: string, name: string) => {
    await page.goto(path);
    await expect(title(page)).toHaveText(heading);
    await look(page, `newsletter-${name}`, everywhere);
  };
  await see("/newsletter", "Join my weekly newsletter", "form");
  await look(page, "newsletter-form", { widths: [768] });
  await subscribe(page, "Ada", email);
  const confirm = await linkInMail(site.dataDir, email, confirmPage);
  await see(confirm, "Shall I write to you?", "confirm");
  const unsubscribe = await linkInMail(site.dataDir, email, unsubscribePage);
  await see(unsubscribe, "Shall I stop writing?", "unsubscribe");
  await page.getByRole("main").getByRole("button", { name: "Unsubscribe" }).click();
  await expect(page).toHaveURL("/newsletter/unsubscribed");
  await look(page, "newsletter-unsubscribed", everywhere);
  await see(confirm, "This link no longer works", "outdated");
  await see(confirm.slice(0, -5), "This link does not work", "broken");
  await see(unsubscribe.slice(0, -5), "This link does not work", "broken-unsubscribe");
  await see("/newsletter/confirmed", "You’re on the list", "confirmed");
});

test("for somebody who is signed in, React takes the same pages over", async ({ site, device }) => {
  const email = `${randomUUID()}@example.com`;
  const page = await device({ as: await createPerson(site.services) });
  await page.goto("/newsletter");
  await subscribe(page, "Ada", email);
  await page.goto(await linkInMail(site.dataDir, email, confirmPage));
  await page.getByRole("button", { name: "Yes, send me the letters" }).click();
  await expect(page).toHaveURL("/newsletter/confirmed");
  await page.goto(await linkInMail(site.dataDir, email, unsubscribePage, { count: 2 }));
  await page.getByRole("main").getByRole("button", { name: "Unsubscribe" }).click();
  await expect(page).toHaveURL("/newsletter/unsubscribed");
  await expect(page.getByRole("banner").getByRole("link", { name: "My Courses" })).toBeVisible();
});

test("a letter is night all over, where mails have a night", async ({ site, device }) => {
  const email = `${randomUUID()}@example.com`;
  const page = await device({ colorScheme: "dark", viewport: phone });
  await page.goto("/newsletter");
  await subscribe(page, "Ada", email);
  const letter = await letterHtml(site.dataDir, email);
  // As a mail program has it: on a page of its own, not on one of the site.
  const mail = await page.context().newPage();
  await mail.setContent(letter);
  await look(mail, "newsletter-letter-night", { widths: [360], axe: false });
  const grounds = await mail.evaluate(() =>
    [...document.querySelectorAll("body, td, table")].map(
      (part) => getComputedStyle(part).backgroundColor,
    ),
  );
  const night = ["rgb(18, 24, 31)", "rgba(0, 0, 0, 0)"];
  expect(grounds).toContain(night[0]);
  expect(grounds.filter((ground) => !night.includes(ground))).toEqual([]);
});
