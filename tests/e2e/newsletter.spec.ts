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
  newAddress,
  opener,
  thanks,
  trouble,
} from "./support/newsletter.ts";
import { hydrated } from "./support/player.ts";
import { createStudent } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

const footer = (page: Page) => page.getByRole("contentinfo");

for (const who of ["a visitor", "a student, whose pages hydrate"])
  test.describe(who, () => {
    const isStudent = who !== "a visitor";

    test("subscribes in the dialog", async ({ site, device }) => {
      const page = await device(isStudent ? { as: await createStudent(site.services) } : {});
      await page.goto("/about");
      if (isStudent) await hydrated(page);
      const held = await holdSignups(page);
      await opener(page).click();
      const { firstName } = fieldsIn(dialog(page));
      await expect(firstName).toBeFocused();
      const email = await fill(dialog(page));
      await fieldsIn(dialog(page)).button.click();
      await expectSubmitting(dialog(page));
      held.release();
      await expect(toast(page, thanks)).toBeVisible();
      await expect(dialog(page)).toBeHidden();
      await expect(opener(page)).toBeFocused();
      await expect(toast(page, thanks).locator(".toast-title")).toHaveText(thanks);
      await expect(toast(page, thanks)).not.toHaveRole("alert");
      await opener(page).click();
      await expectIdle(dialog(page));
      await expectLetter(site, email);
    });

    test("subscribes in the footer with Enter, once", async ({ site, device }) => {
      const page = await device(isStudent ? { as: await createStudent(site.services) } : {});
      await page.goto("/courses");
      if (isStudent) await hydrated(page);
      const held = await holdSignups(page);
      const email = await fill(footer(page));
      await page.keyboard.press("Enter");
      await expectSubmitting(footer(page));
      await page.keyboard.press("Enter");
      await footer(page)
        .locator("form")
        .evaluate((form: HTMLFormElement) => form.requestSubmit());
      held.release();
      await expect(toast(page, thanks)).toBeVisible();
      await expectIdle(footer(page));
      await expect(fieldsIn(footer(page)).button).toBeFocused();
      expect(held.count).toBe(1);
      await expect(page).toHaveURL("/courses");
      await expectLetter(site, email);
    });

    test("mends an address that the server refuses", async ({ site, device, watch }) => {
      watch.expect(/^answer 400: POST \/newsletter/);
      const page = await device(isStudent ? { as: await createStudent(site.services) } : {});
      await page.goto("/about");
      if (isStudent) await hydrated(page);
      await opener(page).click();
      await fill(dialog(page), { email: "ines@example" });
      await fieldsIn(dialog(page)).email.press("Enter");
      const fieldError = dialog(page).locator(".toast");
      await expect(fieldError).toHaveText(trouble);
      await expect(fieldError).toHaveRole("alert");
      await expectIdle(dialog(page), "Ines", "ines@example");
      const field = fieldsIn(dialog(page)).email;
      await expect(field).toBeFocused();
      await expect(field).toHaveAttribute("aria-invalid", "true");
      await expect(field).toHaveAccessibleDescription(newsletterMessages.emailInvalid);
      await expect(dialog(page).getByText(newsletterMessages.emailInvalid)).toBeVisible();
      const email = await fill(dialog(page));
      await expect(dialog(page).getByText(newsletterMessages.emailInvalid)).toHaveCount(0);
      await expect(field).not.toHaveAttribute("aria-invalid");
      await fieldsIn(dialog(page)).button.click();
      await expect(toast(page, thanks)).toBeVisible();
      await expect(page.locator(".toast")).toHaveCount(1);
      await expectLetter(site, email);
    });
  });

test("what was typed before React came stays, and what was sent is answered", async ({
  site,
  device,
}) => {
  const page = await device({ as: await createStudent(site.services) });
  const gate = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  const held = await holdSignups(page);
  await page.goto("/about", { waitUntil: "commit" });
  const email = await fill(footer(page));
  await opener(page).click();
  await fieldsIn(dialog(page)).firstName.fill("Mara");
  await page.keyboard.press("Escape");
  await fieldsIn(footer(page)).button.click();
  await expectSubmitting(footer(page));
  gate.resolve();
  await hydrated(page);
  await expectSubmitting(footer(page));
  await expect(fieldsIn(footer(page)).email).toHaveValue(email);
  held.release();
  await expect(toast(page, thanks)).toBeVisible();
  await expectIdle(footer(page));
  await opener(page).click();
  await expectIdle(dialog(page), "Mara");
});

test("without scripts the button leads to the form's own page", async ({ site, device, watch }) => {
  watch.expect(/^answer 400: POST \/newsletter/);
  const page = await device({ javaScriptEnabled: false });
  await page.goto("/courses");
  await opener(page).click();
  await expect(page).toHaveURL(/\/newsletter\??$/);
  const main = page.getByRole("main");
  await fill(main, { email: "ines@example" });
  await fieldsIn(main).button.click();
  await expect(fieldsIn(main).email).toHaveAccessibleDescription(newsletterMessages.emailInvalid);
  await expectIdle(main, "Ines", "ines@example");
  const email = newAddress();
  await fieldsIn(main).email.fill(email);
  await fieldsIn(main).button.click();
  await expect(page).toHaveURL("/thank-you");
  await expectLetter(site, email);
});

test("somebody who reads everything and subscribes is left nothing on her device", async ({
  device,
  watch,
}) => {
  watch.expect(/^answer 404/);
  const page = await device();
  for (const path of [
    "/",
    "/about",
    "/courses",
    "/courses/blue-dot-method",
    "/courses/seven-days-of-calm",
    "/coaching",
    "/privacy",
    "/terms",
    "/newsletter",
    "/thank-you",
    "/enrollment-success",
    "/nowhere",
  ]) {
    await page.goto(path);
    await opener(page).click();
    await expect(dialog(page)).toBeVisible();
  }
  await fill(dialog(page));
  await fieldsIn(dialog(page)).button.click();
  await expect(toast(page, thanks)).toBeVisible();
  expect(await page.context().cookies()).toEqual([]);
  const kept = await page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage)]);
  expect(kept).toEqual([[], []]);
});
