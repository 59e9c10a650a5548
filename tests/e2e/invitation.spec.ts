import { newAddress } from "../support/accounts.ts";
import { createPerson } from "../support/people.ts";
import { createCoach } from "./support/lessons.ts";
import { linkInMail } from "./support/mail.ts";
import { blueDot, heading, hydrated, openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

test("an invitation: sent, accepted, sent again, withdrawn", async ({
  site: { services, dataDir },
  device,
  watch,
}) => {
  watch.expect(
    /^answer 400: POST \/invitation/,
    /^answer 400: POST \/admin\/enrollments\/invite/,
    /^answer 404: GET \/invitation/,
    /^answer 410: GET \/invitation/,
    /^failed: POST .*ERR_INTERNET_DISCONNECTED/,
  );
  const admin = await device({ as: await createCoach(services) });
  const course = admin.getByLabel("Course");
  const email = admin.getByLabel("Email", { exact: true });
  const send = admin.getByRole("button", { name: "Send the invitation" });
  const rowOf = (address: string) => admin.getByRole("row", { name: new RegExp(address) });
  const invite = async (address: string) => {
    await course.selectOption("The Blue Dot Method");
    await email.fill(address);
    await send.click();
    await expect(toast(admin, "Invitation written to a file").last()).toContainText(address);
  };
  const first = newAddress();

  await test.step("a refused form has focus on what is missing; offline it keeps its fields", async () => {
    await openHydrated(admin, "/admin/enrollments/invite");
    await send.click();
    await expect(toast(admin, "Error")).toContainText(
      "Please select both a course and an email address",
    );
    await expect(course).toBeFocused();
    await course.selectOption("The Blue Dot Method");
    await email.fill("ruth at example");
    await send.click();
    await expect(toast(admin, "Error").last()).toContainText("Invalid email format");
    await email.fill(first);
    await admin.getByLabel("Name").fill("Ruth");
    await admin.context().setOffline(true);
    await send.click();
    await expect(toast(admin, "Error").last()).toContainText("cannot be reached");
    await admin.context().setOffline(false);
    await expect(email).toHaveValue(first);
    await send.click();
    await expect(toast(admin, "Invitation written to a file")).toContainText(first);
    await expect(email).toHaveValue("");
    await expect(rowOf(first)).toContainText("Works until");
    await look(admin, "invite-waiting", { night: true });
  });

  await test.step("the student accepts with a name and a password", async () => {
    const page = await device();
    const link = await linkInMail(dataDir, first, "/invitation");
    await openHydrated(page, link);
    await expect(heading(page)).toHaveText("You are invited");
    await expect(page.getByRole("main").getByLabel("Email")).toHaveValue(first);
    await expect(page.getByRole("main").getByLabel("Name")).toHaveValue("Ruth");
    await look(page, "invitation", { night: true });
    const accept = page.getByRole("button", { name: "Accept and begin" });
    const password = page.getByLabel("Password", { exact: true });
    await password.fill("short");
    await accept.click();
    await expect(toast(page, "Validation Error")).toContainText(
      "Password must be at least 8 characters",
    );
    await expect(password).toBeFocused();
    await password.fill("Quiet Morning 1");
    await accept.click();
    await expect(page).toHaveURL(new RegExp(`${blueDot}\\?lesson=`));
    await expect(toast(page, "You are enrolled.")).toBeVisible();
    await page.goto(link);
    await expect(page).toHaveURL(new RegExp(`${blueDot}\\?lesson=`));
    await page.context().close();
  });

  await test.step("an expired invitation is sent again: the first link no longer works", async () => {
    const address = newAddress();
    await admin.reload();
    await hydrated(admin);
    await expect(rowOf(first)).toHaveCount(0);
    await invite(address);
    const old = await linkInMail(dataDir, address, "/invitation");
    const expiresAt = new Date(services.clock.now().getTime() - 1000);
    await services.db.write
      .updateTable("invitations")
      .set({ expiresAt })
      .where("email", "=", address)
      .execute();
    await admin.reload();
    await hydrated(admin);
    await expect(rowOf(address)).toContainText("Expired on");
    const page = await device();
    await page.goto(old);
    await expect(heading(page)).toHaveText("This invitation has run out");
    await look(page, "invitation-expired");
    await rowOf(address)
      .getByRole("button", { name: /^Send again/ })
      .click();
    await expect(toast(admin, "Invitation written to a file")).toContainText(
      "The link in the earlier file no longer works.",
    );
    await expect(rowOf(address)).toContainText("Works until");
    const link = await linkInMail(dataDir, address, "/invitation", { count: 2 });
    await page.goto(old);
    await expect(heading(page)).toHaveText("This link does not work");
    await page.goto(link);
    await expect(heading(page)).toHaveText("You are invited");

    await rowOf(address)
      .getByRole("button", { name: /^Withdraw/ })
      .click();
    const dialog = admin.getByRole("dialog", { name: "Withdraw this invitation?" });
    await expect(dialog).toContainText("stops working");
    await look(admin, "invite-withdraw");
    await dialog.getByRole("button", { name: "Withdraw" }).click();
    await expect(toast(admin, "Invitation withdrawn")).toBeVisible();
    await expect(rowOf(address)).toHaveCount(0);
    // The page that was open meanwhile says so when it is sent.
    await page.getByRole("main").getByLabel("Name").fill("Ruth");
    await page.getByLabel("Password", { exact: true }).fill("Quiet Morning 1");
    await page.getByRole("button", { name: "Accept and begin" }).click();
    await expect(heading(page)).toHaveText("This invitation was withdrawn");
    await page.context().close();
  });

  await test.step("another user signs out first; an account accepts with one press, once", async () => {
    const address = newAddress();
    await invite(address);
    const link = await linkInMail(dataDir, address, "/invitation");
    await openHydrated(admin, link);
    await expect(admin.getByText("Somebody else is signed in here")).toBeVisible();
    await look(admin, "invitation-other");
    await admin.getByRole("button", { name: "Sign out and go on" }).click();
    await expect(admin.getByRole("button", { name: "Accept and begin" })).toBeVisible();

    const ruth = await createPerson(services, { name: "Ruth" });
    await services.db.write
      .updateTable("profiles")
      .set({ email: address })
      .where("id", "=", ruth.id)
      .execute();
    await admin.goto(link);
    await expect(admin.getByText("You have an account with the address")).toBeVisible();
    const page = await device({ as: ruth });
    await openHydrated(page, link);
    await page.getByRole("button", { name: "Accept the invitation" }).click();
    await expect(page).toHaveURL(new RegExp(`${blueDot}\\?lesson=`));
    await admin.getByRole("button", { name: "Accept the invitation" }).click();
    await expect(heading(admin)).toHaveText("This invitation was accepted already");
  });
});
