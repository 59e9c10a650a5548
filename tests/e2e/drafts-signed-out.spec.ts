import {
  blueDot,
  box,
  complete,
  firstLesson,
  heading,
  keptLine,
  lessons,
  openPlayer,
  secondLesson,
} from "./support/player.ts";
import { look } from "./support/screen.ts";
import {
  createStudent,
  draftsOf,
  endSessions,
  givePassword,
  journalsOf,
  takeOver,
} from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

const password = "Quiet Morning 1";
const onDevice =
  "You have been signed out. What you wrote is saved on this device, for about a week.";
const notSent =
  "You have been signed out. What you wrote is still here. Sign in again in a new tab, then come back to this one and press the button once more.";

test("a session that ends while its user is writing loses nothing", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^answer 401: PUT .*\/draft$/, /^answer 401: POST .*\/learn\.data/);
  const student = await createStudent(services);
  await givePassword(services, student.id, password);
  const page = await device({ as: student });

  await test.step("the text stays on the device and in the boxes", async () => {
    // The first page of a browser asks once more who is signed in, and covers itself if no one is.
    const asked = page.waitForResponse("**/api/session");
    await openPlayer(page);
    expect((await asked).ok()).toBe(true);
    await endSessions(services, student.id);
    await box(page, 1).fill("It was a long evening.");
    await expect(page.getByText(onDevice)).toBeVisible();
    await page.getByRole("button", { name: "Mark as Complete" }).click();
    await expect(page.getByText(notSent)).toBeVisible();
    await expect(box(page, 1)).toHaveValue("It was a long evening.");
    await look(page, "signed-out-not-sent", { night: true });
  });

  await test.step("after signing in in another tab, the page goes on by itself", async () => {
    const opened = page.context().waitForEvent("page");
    await page.getByRole("link", { name: "Sign in again in a new tab" }).first().click();
    const tab = await opened;
    await tab.getByLabel("Email", { exact: true }).fill(student.email);
    await tab.getByLabel("Password", { exact: true }).fill(password);
    await tab.getByRole("button", { name: "Sign In" }).click();
    await expect(tab.getByText("You can close this tab.")).toBeVisible();
    await expect(tab.getByText(student.email)).toBeVisible();
    await look(tab, "auth-signed-in", { night: true });
    await expect(page.getByText(keptLine)).toBeVisible();
    await expect(page.getByRole("dialog")).toBeHidden();
    expect(await draftsOf(services, student.id)).toEqual(["It was a long evening.|"]);
    await tab.close();
  });

  await test.step("writing goes on and is sent", async () => {
    await page.bringToFront();
    await box(page, 2).fill("And a short night.");
    await expect(page.getByText(keptLine)).toBeVisible();
    // Without scripts it only reads: what a second device types becomes a draft of its own.
    const phone = await device({ as: student, javaScriptEnabled: false });
    await phone.goto(blueDot);
    await expect(box(phone, 1)).toHaveValue("It was a long evening.");
    await phone.close();
    await complete(page);
    await expect(heading(page)).toHaveText(secondLesson);
    const [journal] = await journalsOf(services, student.id);
    for (const text of ["It was a long evening.", "And a short night."])
      expect(journal).toContain(text);
    expect(await draftsOf(services, student.id)).toEqual([]);
  });
});

test("another user on the same browser never gets what the first one typed", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 401: PUT .*\/draft$/, /^answer 401: POST .*\/learn\.data/);
  const { services } = site;
  const [ada, grace] = [await createStudent(services), await createStudent(services)];
  const page = await device({ as: ada });

  await test.step("their text is refused as the other's, and stays here", async () => {
    await openPlayer(page);
    await takeOver(page, site, grace);
    await box(page, 1).fill("Nobody but me may read this.");
    await expect(page.getByText(/saved on this device, for about a week\./)).toBeVisible();
    await page.getByRole("button", { name: "Mark as Complete" }).click();
    await expect(page.getByText(notSent)).toBeVisible();
    await expect(box(page, 1)).toHaveValue("Nobody but me may read this.");
    for (const { id } of [ada, grace]) {
      expect(await draftsOf(services, id)).toEqual([]);
      expect(await journalsOf(services, id)).toEqual([]);
    }
  });

  await test.step("the page loads for the other user with empty boxes", async () => {
    await lessons(page).getByRole("link", { name: firstLesson }).click();
    await expect(box(page, 1)).toHaveValue("");
    await box(page, 1).fill("My own evening.");
    await complete(page);
    const [journal] = await journalsOf(services, grace.id);
    expect(journal).toContain("My own evening.");
    expect(journal).not.toContain("Nobody but me");
  });

  await test.step("the first user finds the text when they are back", async () => {
    await takeOver(page, site, ada);
    await openPlayer(page);
    await expect(box(page, 1)).toHaveValue("Nobody but me may read this.");
    expect(await draftsOf(services, ada.id)).toEqual(["Nobody but me may read this.|"]);
  });
});
