import { unsubscribeLinks } from "~/features/accounts/email-preferences.server.ts";
import { createPerson } from "../support/people.ts";
import { linkInMail } from "./support/mail.ts";
import { expectEmail, fieldsIn, fill, thanks } from "./support/newsletter.ts";
import { openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, phone, press, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const seen = { widths: [1280], night: true };

test("email preferences: by the link of an email, and signed in with the newsletter", async ({
  site,
  device,
}) => {
  const ada = await createPerson(site.services);
  const links = unsubscribeLinks(site.services, { userId: ada.id, kind: "module-completed" });

  await test.step("one kind of email is stopped by its link", async () => {
    const page = await device({ viewport: phone });
    const opened = page.getByRole("checkbox", { name: "A lesson has opened" });
    const finished = page.getByRole("checkbox", { name: "You finished a module" });
    await page.goto(links.off);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Shall I stop writing?");
    await look(page, "emails-off", seen);
    await press(page, "Stop these emails", "These emails have stopped.");
    await expect(finished).not.toBeChecked();
    await expect(opened).toBeChecked();

    await page.goto(links.off);
    await expect(page.getByText("I no longer write when you finish a module.")).toBeVisible();
    await look(page, "emails-stopped", seen);
    await page.getByRole("link", { name: "Choose your emails" }).click();
    await finished.check();
    await opened.uncheck();
    await press(page, "Save", "Email preferences saved");
    await page.goto(links.preferences);
    await expect(finished).toBeChecked();
    await expect(opened).not.toBeChecked();
    await look(page, "emails-by-link", seen);
  });

  await test.step("signed in, the newsletter stands beside the others", async () => {
    const page = await device({ as: ada });
    const main = page.getByRole("main");
    const weekly = page.getByRole("checkbox", { name: "The weekly newsletter" });
    await openHydrated(page, "/newsletter");
    await fill(main, { email: ada.email });
    await fieldsIn(main).button.click();
    await expect(toast(page, thanks)).toBeVisible();
    const confirm = await expectEmail(site, ada.email);
    await page.goto("/mail-preferences");
    await expect(page.getByText("You asked for the weekly newsletter.")).toBeVisible();
    await look(page, "emails-own-asked", seen);
    await openHydrated(page, confirm);
    await page.getByRole("button", { name: "Yes, send me the letters" }).click();
    await expect(page).toHaveURL(/confirmed$/);
    await page.goto("/mail-preferences");
    await expect(weekly).toBeChecked();
    await look(page, "emails-own", seen);
    await weekly.uncheck();
    await press(page, "Save", "Email preferences saved");
    await expect(
      page.getByText("The weekly newsletter does not come to this address."),
    ).toBeVisible();
    await look(page, "emails-own-saved", seen);
  });

  await test.step("signed in, the link of a newsletter unsubscribes", async () => {
    const page = await device({ as: ada });
    await openHydrated(
      page,
      await linkInMail(site.dataDir, ada.email, "/newsletter/unsubscribe", { count: 2 }),
    );
    await page.getByRole("main").getByRole("button", { name: "Unsubscribe" }).click();
    await expect(page).toHaveURL(/\/newsletter\/unsubscribed\?token=/);
  });
});
