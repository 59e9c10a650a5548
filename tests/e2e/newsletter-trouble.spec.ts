import type { Page } from "@playwright/test";
import { newsletterMessages } from "~/features/newsletter/messages.ts";
import {
  dialog,
  expectIdle,
  expectLetter,
  expectSubmitting,
  fieldsIn,
  fill,
  holdSignups,
  opener,
  thanks,
  trouble,
} from "./support/newsletter.ts";
import { hydrated } from "./support/player.ts";
import { createStudent } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

const footer = (page: Page) => page.getByRole("contentinfo");

test("without a connection nothing typed is lost, and it can be sent later", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^failed: POST \/newsletter/);
  const page = await device();
  // Nothing may be under way any more: pictures come late, and the icon is not waited for with them.
  const icon = page.waitForEvent("requestfinished", (request) => /favicon/.test(request.url()));
  await page.goto("/", { waitUntil: "networkidle" });
  await icon;
  await page.context().setOffline(true);
  await opener(page).click();
  const email = await fill(dialog(page));
  const { button } = fieldsIn(dialog(page));
  for (let attempt = 0; attempt < 2; attempt++) {
    await button.click();
    // One complaint at a time, without a reason that is of no use to her.
    await expect(dialog(page).locator(".toast")).toHaveText(trouble);
    await expectIdle(dialog(page), "Ines", email);
    await expect(button).toBeFocused();
  }
  await page.keyboard.press("Escape");
  await opener(page).click();
  await expectIdle(dialog(page), "Ines", email);
  await expect(dialog(page).locator(".toast")).toHaveCount(0);
  await page.context().setOffline(false);
  await button.click();
  await expect(toast(page, thanks)).toBeVisible();
  await expectLetter(site, email);
});

test("an answer that never comes is given up after 15 seconds", async ({ device, watch }) => {
  watch.expect(/^failed: POST \/newsletter/);
  const page = await device();
  await page.clock.install();
  await page.goto("/");
  await holdSignups(page);
  const email = await fill(footer(page));
  // Until here it runs by itself.
  await page.clock.pauseAt(Date.now() + 60_000);
  await fieldsIn(footer(page)).button.click();
  await expectSubmitting(footer(page));
  await page.clock.fastForward(14_000);
  await expectSubmitting(footer(page));
  await page.clock.fastForward(1_000);
  await expect(toast(page, trouble)).toBeVisible();
  await expectIdle(footer(page), "Ines", email);
});

test("an answer that is none of ours is no success", async ({ device, watch }) => {
  watch.expect(/^answer 502/);
  const page = await device();
  await page.goto("/");
  for (const status of [502, 200]) {
    await page.route("**/newsletter", (route) =>
      route.fulfill({ status, contentType: "text/html", body: "<h1>Log in to this network</h1>" }),
    );
    const email = await fill(footer(page));
    await fieldsIn(footer(page)).button.click();
    await expect(toast(page, trouble)).toHaveText(trouble);
    await expectIdle(footer(page), "Ines", email);
  }
});

test("what was refused before React came is said afterwards, too", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/newsletter/);
  const page = await device({ as: await createStudent(site.services) });
  const gate = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto("/about", { waitUntil: "commit" });
  await fill(footer(page), { email: "ines@example" });
  const { email, button } = fieldsIn(footer(page));
  await button.click();
  await expect(email).toHaveAccessibleDescription(newsletterMessages.emailInvalid);
  gate.resolve();
  await hydrated(page);
  await expect(email).toHaveAccessibleDescription(newsletterMessages.emailInvalid);
  await expect(footer(page).getByText(newsletterMessages.emailInvalid)).toBeVisible();
  await expectIdle(footer(page), "Ines", "ines@example");
  await expect(toast(page, trouble)).toBeVisible();
});

test("a refusal that comes after the dialog was closed says its reason on the page", async ({
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/newsletter/);
  const page = await device();
  const held = await holdSignups(page);
  await page.goto("/about");
  await opener(page).click();
  await fill(dialog(page), { email: "ines@example" });
  await fieldsIn(dialog(page)).button.click();
  await expectSubmitting(dialog(page));
  await page.keyboard.press("Escape");
  held.release();
  await expect(toast(page, trouble)).toHaveText(`${trouble}${newsletterMessages.emailInvalid}`);
});

test("what the server's page says of a field is taken back by the script", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/newsletter/);
  const page = await device();
  const gate = Promise.withResolvers<void>();
  await page.route(/\/site-.*\.js$/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto("/newsletter", { waitUntil: "commit" });
  const main = page.getByRole("main");
  await fill(main, { email: "ines@example" });
  await fieldsIn(main).button.click();
  const said = main.getByText(newsletterMessages.emailInvalid).filter({ visible: true });
  await expect(said).toHaveCount(1);
  gate.resolve();
  await page.waitForLoadState("load");
  await fill(main, { email: "ines@elsewhere" });
  await fieldsIn(main).button.click();
  await expect(toast(page, trouble)).toBeVisible();
  await expect(said).toHaveCount(1);
  await expect(fieldsIn(main).email).toHaveAccessibleDescription(newsletterMessages.emailInvalid);
  const email = await fill(main);
  await expect(said).toHaveCount(0);
  await fieldsIn(main).button.click();
  await expect(toast(page, thanks)).toBeVisible();
  await expectLetter(site, email);
});
