import type { Page } from "@playwright/test";
import { scheduleDeletion } from "~/features/accounts/deletion.server.ts";
import { deletePath } from "~/features/accounts/messages.ts";
import { emailChangeDigest } from "~/features/auth/email-change.server.ts";
import { backupCodesPath, confirmEmailChangePath, removePath } from "~/features/auth/messages.ts";
import type { Services } from "~/platform/http/services.ts";
import { giveApp } from "../support/authenticator-app.ts";
import { lettersTo, pathOf } from "../support/mailbox.ts";
import { createPerson, type Person } from "../support/people.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, phone, test, toast } from "./support/test.ts";

/* What a page said when it was opened holds no longer when its button is pressed. */

const button = (page: Page, name: string) => page.getByRole("button", { name });

/** She has signed in longer ago than the ten minutes in which nothing more is asked. */
async function letTenMinutesPass({ db }: Services, { id }: Person) {
  const createdAt = new Date(Date.now() - 11 * 60_000);
  await db.write.updateTable("sessions").set({ createdAt }).where("userId", "=", id).execute();
}

/** She has an app, and has given a code of it where she is signed in. */
async function giveAppInUse(services: Services, ada: Person) {
  const app = await giveApp(services, ada);
  const passed = { secondFactorAt: new Date() };
  await services.db.write
    .updateTable("sessions")
    .set(passed)
    .where("userId", "=", ada.id)
    .execute();
  return app;
}

test("a letter to keep an account, used on another device in the meantime", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: (GET|POST) \/account\/keep\.data/);
  const ada = await createPerson(site.services);
  await scheduleDeletion(site.services, ada.id);
  const letters = () => lettersTo(site, ada.email);
  await expect.poll(() => letters().length, { timeout: 30_000 }).toBe(1);
  const link = letters().map(pathOf)[0] ?? "";
  const onPhone = await device({ viewport: phone });
  await onPhone.goto(link);
  await hydrated(onPhone);
  const laptop = await device();
  await laptop.goto(link);
  await button(laptop, "Keep my account").click();
  await expect(toast(laptop, "Your account stays.")).toBeVisible();
  await button(onPhone, "Keep my account").click();
  await expect(onPhone.getByRole("heading", { level: 1 })).toHaveText("There is nothing to keep");
  await expect(button(onPhone, "Keep my account")).toHaveCount(0);
});

test("a letter about another address, whose link has died in the meantime", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: (GET|POST) \/account\/email\/confirm\.data/);
  const { db } = site.services;
  const ada = await createPerson(site.services);
  const change = {
    userId: ada.id,
    newEmail: "ada.byron@example.com",
    oldTokenHash: emailChangeDigest("old"),
    newTokenHash: emailChangeDigest("new"),
    oldConfirmedAt: null,
    newConfirmedAt: null,
    expiresAt: new Date(Date.now() + 3600_000),
    createdAt: new Date(),
  };
  await db.write.insertInto("emailChanges").values(change).execute();
  const page = await device({ as: ada });
  await page.goto(`${confirmEmailChangePath}?token=new`);
  await hydrated(page);
  await db.write.deleteFrom("emailChanges").where("userId", "=", ada.id).execute();
  await button(page, "Confirm this address").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link no longer works");
});

test("signing in has become too long ago: the page says so, and leads there and back", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/account\/data\/delete\.data/);
  const ada = await createPerson(site.services);
  const page = await device({ as: ada });
  await page.goto(deletePath);
  await hydrated(page);
  await letTenMinutesPass(site.services, ada);
  await button(page, "Delete my account").click();
  await expect(page.getByText("It has been a while since you signed in.")).toBeVisible();
  await look(page, "owner-sign-in-again", { night: true });
  await button(page, "Sign out and in again").click();
  await expect(page).toHaveURL(`/auth?redirect=${deletePath}`);
});

test("a code is asked for once signing in is too long ago; each wrong one is told", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/account\/security\/remove\.data/);
  const ada = await createPerson(site.services);
  const page = await device({ as: ada });
  const { id, codes } = await giveAppInUse(site.services, ada);
  await page.goto(`${removePath}?app=${id}`);
  await hydrated(page);
  await letTenMinutesPass(site.services, ada);
  const remove = button(page, "Remove this authenticator app");
  const field = page.getByLabel("A code of your app");
  await remove.click();
  await expect(field).toBeFocused();
  await expect(field).toHaveAccessibleDescription(/backup code/);
  await expect(field).toHaveAttribute("inputmode", "text");
  await expect(field).toHaveAttribute("autocomplete", "one-time-code");
  await look(page, "owner-code", { night: true });
  for (const wrong of ["000000", "000001"]) {
    await field.fill(wrong);
    const answer = page.waitForResponse(/remove\.data/);
    await remove.click();
    await answer;
    await expect(field).toHaveAccessibleDescription(/That code does not fit/);
    await expect(field, wrong).toBeFocused();
  }
  await field.fill(codes[0] ?? "");
  await remove.click();
  await expect(toast(page, "It is removed.")).toBeVisible();
});

test("backup codes that the browser does not copy are not called copied", async ({
  site,
  device,
}) => {
  const ada = await createPerson(site.services);
  const page = await device({ as: ada });
  await giveAppInUse(site.services, ada);
  await page.addInitScript(() =>
    Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true }),
  );
  await page.goto(backupCodesPath);
  await button(page, "Make new codes").click();
  await button(page, "Copy").click();
  await expect(
    page.getByText("Your browser did not let me copy them. Please download or print them."),
  ).toBeVisible();
  await expect(button(page, "Copied")).toHaveCount(0);
  await look(page, "recovery-codes-not-copied");
  await page.evaluate(() =>
    Object.defineProperty(navigator, "clipboard", { value: { writeText: async () => {} } }),
  );
  await button(page, "Copy").click();
  await expect(button(page, "Copied")).toBeVisible();
  await expect(page.getByText("The codes are copied.")).toHaveCount(1);
});
