import {
  blueDot,
  box,
  complete,
  heading,
  keptLine,
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
} from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

const password = "Quiet Morning 1";
const signedOut =
  "You have been signed out. What you wrote is still here. Sign in again in a new tab, then come back to this one and press the button once more.";

test("signing out empties this site's cache, and keeps what is stored on the device", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^failed: GET \/assets\/.*ERR_CACHE_MISS$/);
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  await page.goto("/my-courses");
  await page.evaluate(() => localStorage.setItem("words-on-this-device", "It was a long evening."));
  /** Whether a file that may be kept for good is in the browser's cache. */
  const isCached = () =>
    page.evaluate(async () => {
      const [script] = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]');
      const asked = fetch(script?.href ?? "", { cache: "only-if-cached", mode: "same-origin" });
      return asked.then(({ ok }) => ok).catch(() => false);
    });
  expect(await isCached()).toBe(true);
  const cleared = page.waitForResponse((answer) => answer.url().endsWith("/api/clear-cache"));
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByText("You are signed out.").first()).toBeVisible();
  expect((await cleared).status()).toBe(204);
  await expect.poll(isCached).toBe(false);
  const kept = await page.evaluate(() => localStorage.getItem("words-on-this-device"));
  expect(kept).toBe("It was a long evening.");
  // The way back in is the same as ever.
  await page.goto("/auth");
  await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
});

test("a session that ends in the middle of writing loses nothing", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 401: PUT .*\/draft$/, /^answer 401: POST .*\/learn\.data/);
  const student = await createStudent(site.services);
  await givePassword(site.services, student.id, password);
  const page = await device({ as: student });
  await openPlayer(page);
  await endSessions(site.services, student.id);
  await box(page, 1).fill("It was a long evening.");
  const keepLine = page.getByText(
    "You have been signed out. What you wrote is saved on this device.",
  );
  await expect(keepLine).toBeVisible();
  await look(page, "signed-out-keep-line");
  await page.getByRole("button", { name: "Mark as Complete" }).click();
  await expect(page.getByText(signedOut)).toBeVisible();
  await expect(box(page, 1)).toHaveValue("It was a long evening.");
  await look(page, "signed-out-not-sent", { night: true });

  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Sign in again in a new tab" }).first().click();
  const tab = await opened;
  await tab.getByLabel("Email", { exact: true }).fill(student.email);
  await tab.getByLabel("Password", { exact: true }).fill(password);
  await tab.getByRole("button", { name: "Sign In" }).click();
  await expect(tab).toHaveURL("/my-courses");
  await tab.close();

  await page.bringToFront();
  await box(page, 2).fill("And a short night.");
  await expect(page.getByText(keptLine)).toBeVisible();

  // Without scripts, for it only reads: what a second device types becomes a draft of its own.
  const phone = await device({ as: student, javaScriptEnabled: false });
  await phone.goto(blueDot);
  await phone.getByRole("link", { name: "Restore it?" }).click();
  await expect(box(phone, 1)).toHaveValue("It was a long evening.");
  await phone.close();

  await complete(page);
  await expect(heading(page)).toHaveText(secondLesson);
  const [journal] = await journalsOf(site.services, student.id);
  expect(journal).toContain("It was a long evening.");
  expect(journal).toContain("And a short night.");
  expect(await draftsOf(site.services, student.id)).toEqual([]);
});
