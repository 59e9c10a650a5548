import {
  blueDot,
  box,
  complete,
  heading,
  keptLine,
  lessons,
  openPlayer,
  secondLesson,
} from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent, draftsOf, journalsOf } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

const onDevice = "The site cannot be reached just now. What you wrote is saved on this device.";
const notSent =
  "The site cannot be reached just now. What you wrote is still in the boxes. Please try again when you are online.";
const disconnected = /^failed: .* net::ERR_INTERNET_DISCONNECTED$/;

test("writing goes on without a connection, and everything arrives when it is back", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(disconnected);
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  await openPlayer(page);
  await page.context().setOffline(true);
  await box(page, 1).fill("On the train, in the tunnel.");
  await expect(page.getByText(onDevice, { exact: true })).toBeVisible();
  await look(page, "offline-kept-here");

  await page.getByRole("button", { name: "Mark as Complete" }).click();
  await expect(page.getByText(notSent)).toBeVisible();
  await expect(box(page, 1)).toHaveValue("On the train, in the tunnel.");
  await box(page, 2).fill("Still writing.");
  await look(page, "offline-not-sent", { night: true });
  expect(await draftsOf(site.services, student.id)).toEqual([]);

  await page.context().setOffline(false);
  await expect(page.getByText(keptLine)).toBeVisible();
  expect(await draftsOf(site.services, student.id)).toEqual([
    "On the train, in the tunnel.|Still writing.",
  ]);
  await complete(page);
  await expect(heading(page)).toHaveText(secondLesson);
  const [journal] = await journalsOf(site.services, student.id);
  expect(journal).toContain("On the train, in the tunnel.");
  expect(journal).toContain("Still writing.");
  expect(await draftsOf(site.services, student.id)).toEqual([]);
});

test("words that nothing takes are said to be only here, those that the device takes to be there", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: PUT .*\/learn\/draft/);
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  await page.route("**/learn/draft", (route) => route.fulfill({ status: 400 }));
  await openPlayer(page);
  await box(page, 1).fill("Refused.");
  await expect(
    page.getByText(/^This draft could not be saved on the site\. It is saved/),
  ).toBeVisible();
  await page.evaluate(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function set(...item) {
      if (this === localStorage) throw new Error("full");
      setItem.apply(this, item);
    };
  });
  await box(page, 1).fill("Refused, and the device is full.");
  await expect(page.getByText(/^What you wrote could not be saved, and this/)).toBeVisible();
  await look(page, "offline-only-here");
});

test("a tab closed without a connection loses nothing", async ({ site, device, watch }) => {
  watch.expect(disconnected);
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  const context = page.context();
  await openPlayer(page);
  await context.setOffline(true);
  await box(page, 1).fill("Before the battery died.");
  await expect(page.getByText(onDevice, { exact: true })).toBeVisible();
  await page.close();
  await context.setOffline(false);

  const later = await context.newPage();
  await later.goto(blueDot);
  await later.getByRole("link", { name: "Restore it?" }).click();
  await expect(box(later, 1)).toHaveValue("Before the battery died.");
  await expect
    .poll(() => draftsOf(site.services, student.id))
    .toEqual(["Before the battery died.|"]);
});

test("another lesson cannot be opened without a connection, and the words are kept", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(disconnected);
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  await openPlayer(page);
  await page.context().setOffline(true);
  await box(page, 1).fill("Just one more thing.");
  await lessons(page).getByRole("link", { name: secondLesson }).click();
  await expect(page.getByText("Error loading course")).toBeVisible();
  await expect(page.getByText("The site could not be reached, or something broke")).toBeVisible();
  await look(page, "offline-load-failed");
  await page.context().setOffline(false);
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(heading(page)).toHaveText(secondLesson);
  await page.getByRole("link", { name: "Previous" }).click();
  await page.getByRole("link", { name: "Restore it?" }).click();
  await expect(box(page, 1)).toHaveValue("Just one more thing.");
});

test("what is typed after an answer was lost on the way outlives the closed tab", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(disconnected, /^failed: POST .*\/learn\.data.* net::ERR_FAILED$/);
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  const context = page.context();
  await openPlayer(page);
  await box(page, 1).fill("Sent.");
  await page.route("**/learn.data*", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fetch({ maxRedirects: 0 });
    await route.abort();
  });
  await page.getByRole("button", { name: "Mark as Complete" }).click();
  await expect(page.getByText(notSent)).toBeVisible();
  expect((await journalsOf(site.services, student.id))[0]).toContain("Sent.");
  await context.setOffline(true);
  const failed = page.waitForEvent("requestfailed", (one) => one.url().endsWith("/draft"));
  await box(page, 1).fill("Sent. And one sentence more.");
  await failed;
  await page.close();

  await context.setOffline(false);
  const later = await context.newPage();
  await openPlayer(later, `${blueDot}?lesson=the-point-the-needle-rests-on`);
  await later.getByText(/^You have an unsent draft from .* Read it$/).click();
  await expect(later.getByText("Sent. And one sentence more.")).toBeVisible();
});

test("a page of somebody else's in the answer's place is no answer", async ({ site, device }) => {
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  const asked: string[] = [];
  const portal = { contentType: "text/html", body: "<p>Sign in to this network</p>" };
  await page.route("**/learn/draft", (route) => {
    asked.push(route.request().postData() ?? "");
    return route.fulfill(portal);
  });
  await openPlayer(page);
  await box(page, 1).fill("In a hotel.");
  await expect(page.getByText(onDevice, { exact: true })).toBeVisible();
  expect(asked.length).toBeLessThan(4);
  await page.unroute("**/learn/draft");
  await page.reload();
  await page.getByRole("link", { name: "Restore it?" }).click();
  await expect(box(page, 1)).toHaveValue("In a hotel.");
});
