import { unsubscribeLinks } from "~/features/accounts/email-preferences.server.ts";
import { createPerson } from "../support/people.ts";
import { expectLetter, fieldsIn, fill, thanks } from "./support/newsletter.ts";
import { look } from "./support/screen.ts";
import { expect, phone, test, toast } from "./support/test.ts";

const kind = "module-completed";
const boxes = { opened: "A lesson has opened", finished: "You finished a module" };

for (const javaScriptEnabled of [true, false])
  test(`fewer letters, by the link of one, signed out, ${javaScriptEnabled ? "with" : "without"} scripts`, async ({
    site,
    device,
  }) => {
    const { id: userId } = await createPerson(site.services);
    const links = unsubscribeLinks(site.services, { userId, kind });
    const page = await device({ viewport: phone, javaScriptEnabled });
    const axe = javaScriptEnabled;
    await page.goto(links.off);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Shall I stop writing?");
    await look(page, `letters-off-${axe}`, { axe, night: axe });
    await page.getByRole("button", { name: "Stop these emails" }).click();
    await expect(toast(page, "These emails have stopped.")).toBeVisible();
    await expect(page.getByRole("checkbox", { name: boxes.finished })).not.toBeChecked();
    await expect(page.getByRole("checkbox", { name: boxes.opened })).toBeChecked();

    await page.goto(links.off);
    await expect(page.getByText("I no longer write when you finish a module.")).toBeVisible();
    await look(page, `letters-stopped-${axe}`, { axe, night: axe });
    await page.getByRole("link", { name: "Choose your emails" }).click();
    await page.getByRole("checkbox", { name: boxes.finished }).check();
    await page.getByRole("checkbox", { name: boxes.opened }).uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(toast(page, "Email preferences saved")).toBeVisible();
    await look(page, `letters-saved-${axe}`, { axe, night: axe });
    await page.goto(links.preferences);
    await expect(page.getByRole("checkbox", { name: boxes.finished })).toBeChecked();
    await expect(page.getByRole("checkbox", { name: boxes.opened })).not.toBeChecked();
    await look(page, `letters-by-link-${axe}`, { axe, night: axe });
  });

test("signed in, with the newsletter beside the others", async ({ site, device }) => {
  const ada = await createPerson(site.services);
  const page = await device({ as: ada });
  await page.goto("/newsletter");
  await fill(page.getByRole("main"), { email: ada.email });
  await fieldsIn(page.getByRole("main")).button.click();
  await expect(toast(page, thanks)).toBeVisible();
  const confirm = await expectLetter(site, ada.email);
  await page.goto("/mail-preferences");
  await expect(page.getByText("You asked for the weekly newsletter.")).toBeVisible();
  await look(page, "letters-own-asked", { night: true });
  await page.goto(confirm);
  await page.getByRole("button", { name: "Yes, send me the letters" }).click();
  await expect(page).toHaveURL(/confirmed$/);
  await page.goto("/mail-preferences");
  await look(page, "letters-own", { night: true });
  const weekly = page.getByRole("checkbox", { name: "The weekly letter" });
  await expect(weekly).toBeChecked();
  await weekly.uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(toast(page, "Email preferences saved")).toBeVisible();
  await expect(
    page.getByText("The weekly newsletter does not come to this address."),
  ).toBeVisible();
  await look(page, "letters-own-saved", { night: true });
});

test("a link that was cut off says so, and one whose account is gone", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 4(00|10): GET \/mail-preferences/);
  const page = await device();
  const answer = await page.goto("/mail-preferences?token=cut");
  expect(answer?.status()).toBe(400);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link does not work");
  await look(page, "letters-dead", { night: true });
  await page.getByRole("link", { name: "Choose your emails" }).click();
  await expect(page).toHaveURL("/auth?redirect=/mail-preferences");
  const { preferences } = unsubscribeLinks(site.services, { userId: "somebody who left", kind });
  expect((await page.goto(preferences))?.status()).toBe(410);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You get no more emails");
  await look(page, "letters-gone", { night: true });
});
