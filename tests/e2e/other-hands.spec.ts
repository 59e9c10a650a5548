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
import { createStudent, draftsOf, journalsOf, takeOver } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

test("what one person typed never reaches the account of the next on the same browser", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 401: PUT .*\/draft$/, /^answer 401: POST .*\/learn\.data/);
  const [ada, grace] = [await createStudent(site.services), await createStudent(site.services)];
  const page = await device({ as: ada });
  await openPlayer(page);
  await takeOver(page, site, grace);
  await box(page, 1).fill("Nobody but me may read this.");
  await expect(page.getByText(/saved on this device\./)).toBeVisible();
  await page.getByRole("button", { name: "Mark as Complete" }).click();
  await expect(
    page.getByText(/^You have been signed out\. What you wrote is still here/),
  ).toBeVisible();
  await expect(box(page, 1)).toHaveValue("Nobody but me may read this.");
  for (const { id } of [ada, grace]) {
    expect(await draftsOf(site.services, id)).toEqual([]);
    expect(await journalsOf(site.services, id)).toEqual([]);
  }
});

test("a page that is loaded anew for the next person has none of the words before her", async ({
  site,
  device,
  watch,
}) => {
  watch.allow(/^answer 401: PUT .*\/draft$/);
  const [ada, grace] = [await createStudent(site.services), await createStudent(site.services)];
  const page = await device({ as: ada });
  await openPlayer(page);
  await takeOver(page, site, grace);
  await box(page, 1).fill("Nobody but me may read this.");
  await expect(page.getByText(/saved on this device\./)).toBeVisible();
  await lessons(page).getByRole("link", { name: firstLesson }).click();
  await expect(box(page, 1)).toHaveValue("");
  await box(page, 1).fill("My own evening.");
  await complete(page);
  const [journal] = await journalsOf(site.services, grace.id);
  expect(journal).toContain("My own evening.");
  expect(journal).not.toContain("Nobody but me");

  // Hers have waited on the device.
  await takeOver(page, site, ada);
  await openPlayer(page);
  await expect(page.getByRole("link", { name: "Restore it?" })).toBeVisible();
  expect(await draftsOf(site.services, ada.id)).toEqual(["Nobody but me may read this.|"]);
});

test("an answer that is none keeps the page and every word in it", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 502: POST /);
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  await openPlayer(page);
  await box(page, 1).fill("Through a broken door.");
  await page.route("**/learn.data*", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" })
      : route.continue(),
  );
  await page.getByRole("button", { name: "Mark as Complete" }).click();
  await expect(toast(page, "Error")).toContainText("Failed to mark lesson as complete");
  await expect(box(page, 1)).toHaveValue("Through a broken door.");
  await look(page, "bad-gateway");
  await page.unroute("**/learn.data*");
  await complete(page);
  expect((await journalsOf(site.services, student.id))[0]).toContain("Through a broken door.");
});

test("while the words are on their way, the boxes take no more", async ({ site, device }) => {
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  await openPlayer(page);
  await box(page, 1).fill("Sent.");
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/learn.data*", async (route) => {
    if (route.request().method() === "POST") await released;
    await route.continue();
  });
  await page.getByRole("button", { name: "Mark as Complete" }).click();
  await expect(page.getByRole("button", { name: "Saving..." })).toBeVisible();
  await expect(box(page, 1)).not.toBeEditable();
  release();
  await expect(heading(page)).toHaveText(secondLesson);
  expect((await journalsOf(site.services, student.id))[0]).toContain("Sent.");
});

test("words typed after another click has broken off their sending reach the server", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^failed: POST .*\/learn\.data/);
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  await openPlayer(page);
  await box(page, 1).fill("Sent.");
  const never = new Promise<void>(() => {});
  await page.route("**/learn.data*", (route) =>
    route.request().method() === "POST" ? never : route.continue(),
  );
  await page.getByRole("button", { name: "Mark as Complete" }).click();
  await expect(page.getByRole("button", { name: "Saving..." })).toBeVisible();
  await lessons(page).getByRole("link", { name: firstLesson }).click();
  await expect(page.getByRole("button", { name: "Mark as Complete" })).toBeVisible();
  await box(page, 1).fill("Sent, or not.");
  await expect.poll(() => draftsOf(site.services, student.id)).toEqual(["Sent, or not.|"]);
});

test("a draft restored in a second tab goes on in both, and neither loses a word", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services);
  const first = await device({ as: student });
  await openPlayer(first);
  await box(first, 1).fill("From the first tab.");
  await expect(first.getByText(keptLine)).toBeVisible();
  const second = await first.context().newPage();
  await openPlayer(second, blueDot);
  await second.getByRole("link", { name: "Restore it?" }).click();
  await expect(second.getByText(keptLine)).toBeVisible();
  await box(first, 1).pressSequentially(" A");
  await expect.poll(() => draftsOf(site.services, student.id)).toContain("From the first tab. A|");
  expect(await draftsOf(site.services, student.id)).toContain("From the first tab.|");
});
