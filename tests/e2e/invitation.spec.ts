import type { Services } from "~/platform/http/services.ts";
import { createPerson } from "../support/people.ts";
import { letterHtml, linkInMail } from "./support/mail.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, test, toast } from "./support/test.ts";

const coachOf = (services: Services) =>
  createPerson(services, { role: "admin", name: "Nora Hale" });
const address = "ruth@example.com";
const lesson = "/courses/blue-dot-method/learn";

test("from the coach's form over the letter to the first lesson", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/invitation/, /^answer 400: POST \/admin\/enrollments\/invite/);
  const desk = await device({ as: await coachOf(site.services) });
  await desk.goto("/admin/enrollments");
  await hydrated(desk);
  await desk.getByRole("link", { name: "Invite by email" }).click();
  await expect(desk.getByText("No invitation is waiting.")).toBeVisible();
  const send = desk.getByRole("button", { name: "Send the invitation" });
  await send.click();
  await expect(toast(desk, "Error")).toContainText(
    "Please select both a course and an email address",
  );
  await expect(desk.getByLabel("Course")).toBeFocused();
  await desk.getByLabel("Course").selectOption("The Blue Dot Method");
  await desk.getByLabel("Email", { exact: true }).fill("ruth at example");
  await send.click();
  await expect(toast(desk, "Error").last()).toContainText("Invalid email format");
  await look(desk, "invite-refused", { night: true });
  await desk.getByLabel("Email", { exact: true }).fill(address);
  await desk.getByLabel("Name").fill("Ruth");
  await send.click();
  await expect(toast(desk, "Invitation sent")).toContainText(address);
  await expect(desk.getByLabel("Email", { exact: true })).toHaveValue("");
  await expect(desk.getByRole("row", { name: new RegExp(address) })).toContainText("Works until");
  await look(desk, "invite-waiting", { widths: [320, 360, 1280], night: true });

  const link = await linkInMail(site.dataDir, address, "/invitation");
  const html = await letterHtml(site.dataDir, address);
  const letter = await device();
  await letter.setContent(html);
  await look(letter, "letter-invitation", { night: true, axe: false });

  const page = await device();
  await page.goto(link);
  await hydrated(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are invited");
  await expect(
    page.getByText("This invitation opens “The Blue Dot Method” for you."),
  ).toBeVisible();
  await expect(page.getByRole("main").getByLabel("Email")).toHaveValue(address);
  await expect(page.getByRole("main").getByLabel("Name")).toHaveValue("Ruth");
  await look(page, "invitation", { widths: [320, 360, 1280], night: true });
  const accept = page.getByRole("button", { name: "Accept and begin" });
  await page.getByLabel("Password", { exact: true }).fill("short");
  await accept.click();
  await expect(toast(page, "Validation Error")).toContainText(
    "Password must be at least 8 characters",
  );
  await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
  await look(page, "invitation-refused");
  await page.getByLabel("Password", { exact: true }).fill("Quiet Morning 1");
  await accept.click();
  await expect(page).toHaveURL(lesson);
  await expect(toast(page, "You are enrolled.")).toBeVisible();
  await expect(page.getByText("0% Complete")).toBeVisible();

  await page.goto(link);
  await expect(page).toHaveURL(lesson);
  await desk.goto("/admin/enrollments");
  await expect(desk.getByRole("row", { name: /Ruth/ })).toContainText("The Blue Dot Method");
});

test("without scripts, on a phone", async ({ site, device, watch }) => {
  watch.expect(/^answer 400: POST \/invitation/);
  const coach = await coachOf(site.services);
  const desk = await device({ as: coach, javaScriptEnabled: false });
  await desk.goto(`/admin/enrollments/invite?email=${address}`);
  await desk.getByLabel("Course").selectOption("The Blue Dot Method");
  await desk.getByRole("button", { name: "Send the invitation" }).click();
  await expect(toast(desk, "Invitation sent")).toBeVisible();
  const link = await linkInMail(site.dataDir, address, "/invitation");
  const page = await device({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
  await page.goto(link);
  await page.getByRole("main").getByLabel("Name").fill("Ruth");
  await page.getByLabel("Password", { exact: true }).fill("weak");
  await page.getByRole("button", { name: "Accept and begin" }).click();
  await expect(toast(page, "Validation Error")).toBeVisible();
  await expect(page.getByRole("main").getByLabel("Name")).toHaveValue("Ruth");
  await look(page, "invitation-plain", { axe: false });
  await page.getByLabel("Password", { exact: true }).fill("Quiet Morning 1");
  await page.getByRole("button", { name: "Accept and begin" }).click();
  await expect(page).toHaveURL(lesson);
});

test("send again and withdraw; a dead link says what to do", async ({ site, device, watch }) => {
  watch.expect(/^answer 404: GET \/invitation/, /^answer 410: GET \/invitation/);
  const { services } = site;
  const desk = await device({ as: await coachOf(services) });
  await desk.goto(`/admin/enrollments/invite?email=${address}`);
  await hydrated(desk);
  await desk.getByLabel("Course").selectOption("The Blue Dot Method");
  await desk.getByRole("button", { name: "Send the invitation" }).click();
  await expect(toast(desk, "Invitation sent")).toBeVisible();
  const first = await linkInMail(site.dataDir, address, "/invitation");
  // As if it had gone out long ago.
  const expiresAt = new Date(services.clock.now().getTime() - 1000);
  await services.db.write.updateTable("invitations").set({ expiresAt }).execute();
  await desk.reload();
  await hydrated(desk);
  const row = desk.getByRole("row", { name: new RegExp(address) });
  await expect(row).toContainText("Expired on");
  const page = await device();
  await page.goto(first);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This invitation has run out");
  await look(page, "invitation-expired", { night: true });

  await row.getByRole("button", { name: /^Send again/ }).click();
  await expect(toast(desk, "Invitation sent again")).toContainText(
    "The link in the earlier email no longer works.",
  );
  await expect(row).toContainText("Works until");
  const second = await linkInMail(site.dataDir, address, "/invitation", { count: 2 });
  await page.goto(first);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link does not work");
  await look(page, "invitation-unknown");
  await page.goto(second);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are invited");

  await row.getByRole("button", { name: /^Withdraw/ }).click();
  const dialog = desk.getByRole("dialog", { name: "Withdraw this invitation?" });
  await expect(dialog).toContainText("stops working");
  await look(desk, "invite-withdraw", { night: true });
  await dialog.getByRole("button", { name: "Withdraw" }).click();
  await expect(toast(desk, "Invitation withdrawn")).toBeVisible();
  await expect(desk.getByText("No invitation is waiting.")).toBeVisible();
  // The page that she still has open tells her when she presses.
  await page.getByRole("main").getByLabel("Name").fill("Ruth");
  await page.getByLabel("Password", { exact: true }).fill("Quiet Morning 1");
  await page.getByRole("button", { name: "Accept and begin" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This invitation was withdrawn");
});

test("whoever has an account accepts with one press; somebody else signs out first", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 410: GET \/invitation/);
  const { services } = site;
  const coach = await coachOf(services);
  const desk = await device({ as: coach });
  await desk.goto(`/admin/enrollments/invite?email=${address}`);
  await hydrated(desk);
  await desk.getByLabel("Course").selectOption("The Blue Dot Method");
  await desk.getByRole("button", { name: "Send the invitation" }).click();
  await expect(toast(desk, "Invitation sent")).toBeVisible();
  const link = await linkInMail(site.dataDir, address, "/invitation");

  await desk.goto(link);
  await hydrated(desk);
  await expect(desk.getByText("Somebody else is signed in here")).toBeVisible();
  await look(desk, "invitation-other", { night: true });
  await desk.getByRole("button", { name: "Sign out and go on" }).click();
  await expect(desk.getByRole("button", { name: "Accept and begin" })).toBeVisible();

  const ruth = await createPerson(services, { name: "Ruth" });
  await services.db.write
    .updateTable("profiles")
    .set({ email: address })
    .where("id", "=", ruth.id)
    .execute();
  const stranger = await device();
  await stranger.goto(link);
  await expect(stranger.getByText("You have an account with the address")).toBeVisible();
  await look(stranger, "invitation-known", { night: true });
  const page = await device({ as: ruth });
  await page.goto(link);
  await hydrated(page);
  await page.getByRole("button", { name: "Accept the invitation" }).click();
  await expect(page).toHaveURL(lesson);
  await expect(toast(page, "You are enrolled.")).toBeVisible();

  // A page that was open in the meantime.
  await stranger.getByRole("button", { name: "Accept the invitation" }).click();
  await expect(stranger.getByRole("heading", { level: 1 })).toHaveText(
    "This invitation was accepted already",
  );
  await look(stranger, "invitation-used");
});

test("an address with an account is enrolled at once", async ({ site, device }) => {
  const { services } = site;
  const ruth = await createPerson(services, { name: "Ruth" });
  const desk = await device({ as: await coachOf(services) });
  await desk.goto(`/admin/enrollments/invite?email=${ruth.email}`);
  await hydrated(desk);
  await desk.getByLabel("Course").selectOption("The Blue Dot Method");
  await desk.getByRole("button", { name: "Send the invitation" }).click();
  await expect(toast(desk, "Enrollment created successfully")).toContainText(
    `${ruth.email} has an account already, so no invitation was needed.`,
  );
  await expect(desk.getByRole("heading", { level: 1, name: "Ruth" })).toBeVisible();
});
