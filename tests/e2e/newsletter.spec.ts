import type { Page } from "@playwright/test";
import { newsletterMessages } from "~/features/newsletter/messages.ts";
import {
  dialog,
  expectEmail,
  expectIdle,
  expectSubmitting,
  fieldsIn,
  fill,
  footer,
  holdScripts,
  holdSignups,
  opener,
  thanks,
  trouble,
} from "./support/newsletter.ts";
import { hydrated, openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const { emailInvalid } = newsletterMessages;
const halfAnEmail = "ines@example";

/** Subscribes in the dialog. */
async function subscribeInDialog(page: Page) {
  const held = await holdSignups(page);
  await opener(page).click();
  await expect(fieldsIn(dialog(page)).firstName).toBeFocused();
  const email = await fill(dialog(page));
  await fieldsIn(dialog(page)).button.click();
  await expectSubmitting(dialog(page));
  held.release();
  await expect(toast(page, thanks)).toBeVisible();
  await expect(dialog(page)).toBeHidden();
  await expect(opener(page)).toBeFocused();
  await opener(page).click();
  await expectIdle(dialog(page));
  await page.keyboard.press("Escape");
  return email;
}

/** Subscribes in the footer with Enter; a second Enter and a second submission change nothing. */
async function subscribeInFooter(page: Page) {
  const held = await holdSignups(page);
  const email = await fill(footer(page));
  await page.keyboard.press("Enter");
  await expectSubmitting(footer(page));
  await page.keyboard.press("Enter");
  await footer(page)
    .locator("form")
    .evaluate((form: HTMLFormElement) => form.requestSubmit());
  held.release();
  await expectIdle(footer(page));
  await expect(fieldsIn(footer(page)).button).toBeFocused();
  expect(held.count).toBe(1);
  return email;
}

/** An email that the server refuses is marked in the dialog, and can be corrected there. */
async function correctEmail(page: Page) {
  await opener(page).click();
  await fill(dialog(page), { email: halfAnEmail });
  await fieldsIn(dialog(page)).email.press("Enter");
  const refusal = dialog(page).locator(".toast");
  await expect(refusal).toHaveText(trouble);
  await expect(refusal).not.toHaveRole("alert");
  await expectIdle(dialog(page), "Ines", halfAnEmail);
  const field = fieldsIn(dialog(page)).email;
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toHaveAccessibleDescription(emailInvalid);
  await expect(dialog(page).getByText(emailInvalid)).toBeVisible();
  await look(page, "newsletter-refused", { widths: [1280], night: true });
  const email = await fill(dialog(page));
  await expect(dialog(page).getByText(emailInvalid)).toHaveCount(0);
  await expect(field).not.toHaveAttribute("aria-invalid");
  await fieldsIn(dialog(page)).button.click();
  await expect(toast(page, thanks)).toBeVisible();
  await expect(page.locator(".toast")).toHaveCount(1);
  return email;
}

test("newsletter: a visitor and a student subscribe in the dialog and in the footer", async ({
  site,
  device,
}) => {
  const visitor = await device();
  const student = await device({ as: await createStudent(site.services) });
  const emails: string[] = [];

  for (const page of [visitor, student])
    await test.step(page === visitor ? "a visitor" : "a student", async () => {
      await page.goto("/about");
      if (page === student) await hydrated(page);
      emails.push(await subscribeInDialog(page));
      emails.push(await subscribeInFooter(page));
      await expect(page).toHaveURL("/about");
    });

  await test.step("the toast is polite, waits while it is pointed at, and goes", async () => {
    await visitor.reload();
    await subscribeInFooter(visitor);
    const done = toast(visitor, thanks);
    await expect(done.locator(".toast-title")).toHaveText(thanks);
    await expect(done).not.toHaveRole("alert");
    await expect(done.locator("xpath=ancestor::*[@aria-live='polite']")).toHaveCount(1);
    await done.hover();
    await expect(done).toHaveCSS("animation-play-state", /paused/);
    await visitor.mouse.move(0, 0);
    await expect(done).not.toHaveCSS("animation-play-state", /paused/);
    await look(visitor, "newsletter-thanks", { widths: [], night: true });
    await done.evaluate((element) => {
      for (const animation of element.getAnimations()) animation.currentTime = 60_000;
    });
    await expect(done).toHaveCount(0);
  });

  await test.step("it leaves nothing on the device of a visitor, and emails go out", async () => {
    expect(await visitor.context().cookies()).toEqual([]);
    expect(await visitor.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
    for (const email of emails) await expectEmail(site, email);
  });
});

test("newsletter: refused, offline, answered late or by somebody else, nothing is lost", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/newsletter/, /^answer 502/, /^failed: POST \/newsletter/);
  const page = await device();

  await test.step("a visitor corrects an email that is refused", async () => {
    await page.goto("/about", { waitUntil: "networkidle" });
    await expectEmail(site, await correctEmail(page));
  });

  await test.step("so does a student", async () => {
    const student = await device({ as: await createStudent(site.services) });
    await openHydrated(student, "/about");
    await expectEmail(site, await correctEmail(student));
  });

  await test.step("a refusal after the dialog was closed gives its reason on the page", async () => {
    const held = await holdSignups(page);
    await opener(page).click();
    await fill(dialog(page), { email: halfAnEmail });
    await fieldsIn(dialog(page)).button.click();
    await expectSubmitting(dialog(page));
    await page.keyboard.press("Escape");
    held.release();
    await expect(toast(page, trouble)).toHaveText(`${trouble}${emailInvalid}`);
  });

  await test.step("without a connection it can be sent later", async () => {
    // The thanks of a step before may still be read.
    await page.reload({ waitUntil: "networkidle" });
    await page.context().setOffline(true);
    await opener(page).click();
    const email = await fill(dialog(page));
    const { button } = fieldsIn(dialog(page));
    for (let attempt = 0; attempt < 2; attempt++) {
      await button.click();
      // One toast at a time, without a reason that is of no use to the reader.
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
    await expectEmail(site, email);
  });

  await test.step("an answer that another network gives is no success", async () => {
    await page.reload();
    for (const status of [502, 200]) {
      await page.route("**/newsletter", (route) =>
        route.fulfill({ status, contentType: "text/html", body: "<h1>Log in to this network" }),
      );
      const email = await fill(footer(page));
      await fieldsIn(footer(page)).button.click();
      await expect(toast(page, trouble)).toHaveText(trouble);
      await expectIdle(footer(page), "Ines", email);
    }
  });

  await test.step("an answer that never comes is given up after 15 seconds", async () => {
    const patient = await device();
    await patient.clock.install();
    // The clock knows timers only.
    await patient.addInitScript(() => {
      AbortSignal.timeout = (ms) => {
        const controller = new AbortController();
        setTimeout(() => controller.abort(), ms);
        return controller.signal;
      };
    });
    await patient.goto("/");
    await holdSignups(patient);
    const email = await fill(footer(patient));
    // Until here it runs by itself.
    await patient.clock.pauseAt(Date.now() + 60_000);
    await fieldsIn(footer(patient)).button.click();
    await expectSubmitting(footer(patient));
    await patient.clock.fastForward(14_000);
    await expectSubmitting(footer(patient));
    await patient.clock.fastForward(1_000);
    await expect(toast(patient, trouble)).toBeVisible();
    await expectIdle(footer(patient), "Ines", email);
  });
});

test("newsletter: what is typed and sent before the scripts have loaded counts", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/newsletter/);
  const student = await createStudent(site.services);

  await test.step("typed and sent before React came: it stays, and is answered", async () => {
    const page = await device({ as: student });
    const scripts = await holdScripts(page, /\/assets\/.*\.js$/);
    const held = await holdSignups(page);
    await page.goto("/about", { waitUntil: "commit" });
    const email = await fill(footer(page));
    await opener(page).click();
    await fieldsIn(dialog(page)).firstName.fill("Mara");
    await page.keyboard.press("Escape");
    await fieldsIn(footer(page)).button.click();
    await expectSubmitting(footer(page));
    scripts.release();
    await hydrated(page);
    await expectSubmitting(footer(page));
    await expect(fieldsIn(footer(page)).email).toHaveValue(email);
    held.release();
    await expect(toast(page, thanks)).toBeVisible();
    await expectIdle(footer(page));
    await opener(page).click();
    await expectIdle(dialog(page), "Mara");
  });

  await test.step("refused before React came: it still says so", async () => {
    const page = await device({ as: student });
    const scripts = await holdScripts(page, /\/assets\/.*\.js$/);
    await page.goto("/about", { waitUntil: "commit" });
    await fill(footer(page), { email: halfAnEmail });
    const { email, button } = fieldsIn(footer(page));
    await button.click();
    await expect(email).toHaveAccessibleDescription(emailInvalid);
    scripts.release();
    await hydrated(page);
    await expect(email).toHaveAccessibleDescription(emailInvalid);
    await expect(footer(page).getByText(emailInvalid)).toBeVisible();
    await expectIdle(footer(page), "Ines", halfAnEmail);
    await expect(toast(page, trouble)).toBeVisible();
  });

  await test.step("the server's own page marks a field: the script takes that back", async () => {
    const page = await device();
    const scripts = await holdScripts(page, /\/site-.*\.js$/);
    await page.goto("/newsletter", { waitUntil: "commit" });
    const main = page.getByRole("main");
    await fill(main, { email: halfAnEmail });
    await fieldsIn(main).button.click();
    const said = main.getByText(emailInvalid).filter({ visible: true });
    await expect(said).toHaveCount(1);
    scripts.release();
    await page.waitForLoadState("load");
    await fill(main, { email: "ines@elsewhere" });
    await fieldsIn(main).button.click();
    await expect(toast(page, trouble)).toBeVisible();
    await expect(said).toHaveCount(1);
    await expect(fieldsIn(main).email).toHaveAccessibleDescription(emailInvalid);
    const email = await fill(main);
    await expect(said).toHaveCount(0);
    await fieldsIn(main).button.click();
    await expect(toast(page, thanks)).toBeVisible();
    await expectEmail(site, email);
  });
});
