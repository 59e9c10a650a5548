import type { Page } from "@playwright/test";
import { newsletterMessages } from "~/features/newsletter/messages.ts";
import { linkInMail } from "./support/mail.ts";
import { expectIdle, fieldsIn, fill, newAddress, opener } from "./support/newsletter.ts";
import { look } from "./support/screen.ts";
import { expect, phone, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

const plain = { axe: false, widths: [360] };
const title = (page: Page) => page.getByRole("heading", { level: 1 });

test("newsletter without scripts, on a phone: onto the list, and off it again", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/newsletter/);
  const email = newAddress();
  const page = await device({ javaScriptEnabled: false, viewport: phone });
  const main = page.getByRole("main");

  await test.step("every way leads to a form", async () => {
    await page.goto("/");
    await page.getByRole("link", { name: "Get the letter" }).click();
    await expect(page).toHaveURL("/#newsletter");
    const community = page.getByRole("region", { name: "Join Our Community" });
    await expect(community).toBeFocused();
    await expect(community.getByRole("heading")).toBeInViewport({ ratio: 1 });

    await page.goto("/courses/blue-dot-method");
    await main.getByRole("button", { name: "Coming Soon" }).first().click();
    await expect(page).toHaveURL(/\/newsletter\??$/);
    await page.goto("/coaching");
    await opener(page).click();
    await expect(page).toHaveURL(/\/newsletter\??$/);
    await expect(title(page)).toHaveText("Join my weekly newsletter");
  });

  await test.step("what was wrong is said beside the field, and nothing is lost", async () => {
    await fill(main, { email: "ines@example" });
    await fieldsIn(main).button.click();
    await expect(fieldsIn(main).email).toHaveAccessibleDescription(newsletterMessages.emailInvalid);
    await expectIdle(main, "Ines", "ines@example");
    await look(page, "newsletter-plain-mistake", plain);
    // Side by side, the other field keeps its height.
    await page.setViewportSize({ width: 1280, height: 800 });
    const heights = await main
      .locator("form .control")
      .evaluateAll((fields) => fields.map((field) => field.getBoundingClientRect().height));
    expect(new Set(heights).size).toBe(1);
    await page.setViewportSize(phone);
  });

  await test.step("subscribed, confirmed, unsubscribed", async () => {
    await fieldsIn(main).email.fill(email);
    await fieldsIn(main).button.click();
    await expect(page).toHaveURL("/thank-you");
    await page.goto(await linkInMail(site.dataDir, email, "/newsletter/confirm"));
    await look(page, "newsletter-plain-confirm", plain);
    await page.getByRole("button", { name: "Yes, send me the letters" }).click();
    await expect(page).toHaveURL("/newsletter/confirmed");
    await expect(title(page)).toHaveText("You’re on the list");

    // The welcome email, beside the first one, has the way out.
    const unsubscribe = "/newsletter/unsubscribe";
    await page.goto(await linkInMail(site.dataDir, email, unsubscribe, { count: 2 }));
    await main.getByRole("button", { name: "Unsubscribe" }).click();
    await expect(page).toHaveURL(/\/newsletter\/unsubscribed\?token=/);
    await main.getByRole("link", { name: "Subscribe again" }).click();
    await expect(title(page)).toHaveText("Join my weekly newsletter");
  });
});
