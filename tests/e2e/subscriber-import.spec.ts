import { createCoach, openAdmin } from "./support/lessons.ts";
import { look } from "./support/screen.ts";
import { expect, phone, test } from "./support/test.ts";

test.use({ siteKind: "own" });

const night = { night: true };

const file = [
  "Email Address,First Name,MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME,UNSUB_TIME",
  "ada@example.com,Ada,4,,2023-04-01 10:00:00,",
  "bo.with-a-very-long-address-indeed@a-long-domain.example.com,Bo,4,,2023-04-01 10:00:00,",
  "cy@example.com,Cy,2,,,",
  "di@example.com,Di,2,2020-04-01 10:00:00,,2021-01-01 10:00:00",
  "not an address,Em,2,,,",
].join("\n");

test("a list of another service is looked at, imported and found again", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/admin\/newsletter\/import\.data$/);
  const page = await device({ as: await createCoach(services), viewport: phone });
  const main = page.getByRole("main");
  const choose = (text: string) =>
    page.getByLabel("File", { exact: true }).setInputFiles({
      ...{ name: "subscribed_members.csv", mimeType: "text/csv" },
      buffer: Buffer.from(text),
    });

  await test.step("nobody yet", async () => {
    await openAdmin(page, "/admin/newsletter/subscribers");
    await expect(page.getByText("The list is empty")).toBeVisible();
    await look(page, "admin-subscribers-empty", night);
    await main.getByRole("link", { name: "Import a file" }).first().click();
  });

  await test.step("without the place where they signed up", async () => {
    await choose(file);
    await page.getByRole("button", { name: "Look at the file" }).click();
    await expect(page.getByText("Please say where they signed up")).toBeVisible();
    await expect(page.getByLabel("Where did they sign up?")).toBeFocused();
    await look(page, "admin-import-refused", night);
  });

  await test.step("what will happen", async () => {
    await page.getByLabel("Where did they sign up?").fill("the form on my old site");
    await choose(file);
    await page.getByRole("button", { name: "Look at the file" }).click();
    await expect(page.getByText("An export of Mailchimp, 5 rows")).toBeVisible();
    await expect(page.getByText("will be added at once")).toBeVisible();
    await expect(page.getByRole("cell", { name: "Not an email address" })).toBeVisible();
    await look(page, "admin-import-report", night);
  });

  await test.step("it happens", async () => {
    await page.getByRole("button", { name: "Import" }).click();
    await expect(page.getByText("Imported", { exact: true })).toBeVisible();
    await look(page, "admin-import-done", night);
    await main.getByRole("link", { name: "To the list" }).click();
    await expect(page.getByRole("rowheader")).toHaveCount(3);
    await look(page, "admin-subscribers", night);
  });

  await test.step("one of them, removed", async () => {
    await page.getByLabel("Search by first name or email").fill("ad");
    await expect(page.getByRole("rowheader")).toHaveCount(1);
    await page.getByRole("link", { name: "ada@example.com" }).click();
    await expect(page.getByText("2023-04-01 10:00:00: the form on my old site")).toBeVisible();
    await look(page, "admin-subscriber", night);
    await main.getByRole("link", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await expect(page.getByRole("rowheader")).toHaveCount(2);
  });

  await test.step("a file whose columns are not known", async () => {
    await openAdmin(page, "/admin/newsletter/import");
    await look(page, "admin-import", night);
    await page.getByLabel("Where did they sign up?").fill("a fair");
    await choose("Contact;Vorname\nkim@example.net;Kim\n");
    await page.getByRole("button", { name: "Look at the file" }).click();
    await expect(page.getByText("Which column is which?")).toBeVisible();
    await look(page, "admin-import-columns", night);
    await page.getByLabel("Email addresses").selectOption("Contact");
    await page.getByLabel("First names").selectOption("Vorname");
    await page.getByRole("button", { name: "Look at the file" }).click();
    await expect(page.getByText("will be asked by email to confirm")).toBeVisible();
  });
});
