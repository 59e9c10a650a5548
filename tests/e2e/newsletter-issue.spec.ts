import { addReaders } from "../support/issue-sending.ts";
import { createCoach, openAdmin } from "./support/lessons.ts";
import { look } from "./support/screen.ts";
import { expect, phone, test } from "./support/test.ts";

test.use({ siteKind: "own" });

const night = { night: true };

test("an issue is written on a phone, looked at, tested, scheduled, taken back and sent", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/admin\/newsletter\/issues\/.*\/send\.data$/);
  await addReaders(services, 3);
  const page = await device({ as: await createCoach(services), viewport: phone });
  const main = page.getByRole("main");

  await test.step("begun", async () => {
    await openAdmin(page, "/admin/newsletter");
    await expect(page.getByText("Nothing written yet")).toBeVisible();
    await look(page, "admin-newsletter-empty", night);
    await main.getByRole("button", { name: "Write an issue" }).click();
    await expect(page.getByLabel("Subject", { exact: true })).toBeVisible();
  });

  await test.step("written, and saved by itself", async () => {
    await page.getByLabel("Subject", { exact: true }).fill("The empty chair!");
    await page
      .getByLabel("Text", { exact: true })
      .fill('It is autumn.\n\n- Leave the chair.\n\n[Read on](/courses "button")');
    await expect(page.getByText("Saved at")).toBeVisible();
    await look(page, "admin-issue", night);
    await main.getByRole("button", { name: "Preview" }).click();
    const email = page.frameLocator("iframe");
    await expect(email.getByText("Hello Nora,")).toBeVisible();
    await expect(email.getByRole("link", { name: "Read on" })).toBeVisible();
    await look(page, "admin-issue-preview", night);
    await main.getByRole("button", { name: "Computer" }).click();
    await expect.poll(() => email.locator("html").evaluate(() => innerWidth)).toBe(678);
    const frame = await page.getByTitle("The email: Computer").boundingBox();
    expect(frame?.width, "drawn within a phone").toBeLessThanOrEqual(phone.width);
    await look(page, "admin-issue-preview-computer");
    await main.getByRole("button", { name: "On the site" }).click();
    await expect(main.getByRole("link", { name: "Read on" })).toBeVisible();
    await main.getByRole("button", { name: "Write", exact: true }).click();
  });

  await test.step("checked and tested", async () => {
    await main.getByRole("button", { name: "Check and send" }).click();
    await expect(page.getByRole("heading", { name: "Check and send" })).toBeVisible();
    await expect(page.getByText("The subject is loud")).toBeVisible();
    await main.getByRole("button", { name: "Send a test to me" }).click();
    await expect(page.getByText("Test email sent")).toBeVisible();
    await expect(page.getByText("All readers: 3 readers")).toBeVisible();
    await look(page, "admin-issue-send", night);
  });

  await test.step("scheduled, after a time that is none", async () => {
    await page.getByLabel("At a time").check();
    await main.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByText("Choose a day and a time.")).toBeVisible();
    await look(page, "admin-issue-send-refused", night);
    const year = new Date().getFullYear() + 1;
    await page.getByLabel("Day and time").fill(`${year}-01-01T08:00`);
    await main.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByText("3 readers: everybody on the list")).toBeVisible();
    await look(page, "admin-issue-review", night);
    await main.getByRole("button", { name: "Schedule" }).click();
    await expect(page.getByText(/^Scheduled, /)).toBeVisible();
    await look(page, "admin-issue-scheduled", night);
    await main.getByRole("button", { name: "Take it back" }).click();
  });

  await test.step("sent", async () => {
    await main.getByRole("button", { name: "Check and send" }).click();
    await main.getByRole("button", { name: "Continue" }).click();
    await main.getByRole("button", { name: "Send to 3 readers" }).click();
    await expect(page.getByText(/^Sent, /)).toBeVisible();
    await look(page, "admin-issue-sent", night);
    await page.goto("/admin/newsletter");
    await expect(page.getByRole("rowheader", { name: "The empty chair!" })).toBeVisible();
    await look(page, "admin-newsletter", night);
    await page.goto("/newsletter/the-empty-chair");
    await expect(page.getByRole("heading", { name: "The empty chair!" })).toBeVisible();
  });
});

test("two who write at once see each other’s text, and lose none", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^answer 409: PUT \/admin\/newsletter\/issues\/.*\/draft$/);
  const coach = await createCoach(services);
  const [one, other] = [await device({ as: coach }), await device({ as: coach })];
  await openAdmin(one, "/admin/newsletter");
  await one.getByRole("button", { name: "Write an issue" }).click();
  const subject = (page: typeof one) => page.getByLabel("Subject", { exact: true });
  await expect(subject(one)).toBeVisible();
  await openAdmin(other, new URL(one.url()).pathname);
  await subject(one).fill("Mine");
  await expect(one.getByText("Saved at")).toBeVisible();
  await subject(other).fill("Theirs");
  await expect(other.getByText("This issue was changed elsewhere")).toBeVisible();
  await expect(other.getByRole("blockquote").getByText("Mine")).toBeVisible();
  await look(other, "admin-issue-conflict", night);
  await other.getByRole("button", { name: "Keep mine" }).click();
  await expect(other.getByText("Saved at")).toBeVisible();
  await one.reload();
  await expect(subject(one)).toHaveValue("Theirs");
});
