import type { Page, Route } from "@playwright/test";
import { drag, handle, prepareOutline, shown, status, stored } from "./support/outline.ts";
import { hydrated } from "./support/player.ts";
import type { RunningSite } from "./support/site.ts";
import { endSessions, takeOver } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

/** The course's page, with the answers to its changes in the test's hand. */
async function openHeld(page: Page, address: string, answer: (route: Route) => Promise<void>) {
  const opened = Promise.withResolvers<void>();
  const asked: string[] = [];
  await page.route(`**${address}.data*`, async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    asked.push(route.request().postData() ?? "");
    await opened.promise;
    if (asked.length === 1) return answer(route);
    return route.continue();
  });
  await page.goto(address);
  await expect(handle(page, "Water")).toBeVisible();
  return { open: opened.resolve, asked };
}

/** Presses a button with the keyboard, faster than React can show that the first was sent. */
async function pressAtOnce(page: Page, name: string, times: number) {
  const button = page.getByRole("button", { name, exact: true });
  await button.focus();
  await Promise.all(Array.from({ length: times }, () => page.keyboard.press("Enter")));
}

async function open(site: RunningSite) {
  const { course, coach } = await prepareOutline(site);
  return { coach, address: `/admin/courses/${course.id}` };
}

test("arrow, arrow and drag, with the first answer long in coming", async ({ site, device }) => {
  const { coach, address } = await open(site);
  const page = await device({ as: coach });
  const held = await openHeld(page, address, (route) => route.continue());
  await pressAtOnce(page, "Move Water down", 2);
  await drag(page, handle(page, "Fire"), page.getByText("No lessons yet."));
  expect(await shown(page)).toEqual(["Air Stone Water", "", "Fire"]);
  await expect(status(page)).toHaveText("Saving the order…");
  expect(held.asked).toHaveLength(1);
  held.open();
  await expect(status(page)).toHaveText("“Fire” is 1 of 1 in “Module 3”.");
  expect(await shown(page)).toEqual(["Air Stone Water", "", "Fire"]);
  expect(await stored(page)).toEqual(["Air Stone Water", "", "Fire"]);
  expect(held.asked).toHaveLength(3);
});

test("pressed as fast as the keyboard goes, again and again", async ({ site, device }) => {
  const { coach, address } = await open(site);
  const page = await device({ as: coach });
  await page.goto(address);
  await expect(handle(page, "Water")).toBeVisible();
  await pressAtOnce(page, "Move Module 1 down", 2);
  await expect(status(page)).toHaveText("“Module 1” is 3 of 3 modules.");
  expect(await stored(page)).toEqual(["Fire", "", "Water Air Stone"]);
  await pressAtOnce(page, "Move Stone up", 3);
  await expect(status(page)).toHaveText("“Stone” is 1 of 1 in “Module 3”.");
  expect(await shown(page)).toEqual(["Fire", "Stone", "Water Air"]);
  expect(await stored(page)).toEqual(["Fire", "Stone", "Water Air"]);
});

test("an answer that is lost after the order was stored", async ({ site, device, watch }) => {
  watch.expect(/^failed: POST/);
  const { coach, address } = await open(site);
  const page = await device({ as: coach });
  const held = await openHeld(page, address, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await pressAtOnce(page, "Move Water down", 2);
  expect(await shown(page)).toEqual(["Air Stone Water", "Fire", ""]);
  held.open();
  await expect(toast(page, "Error")).toContainText("cannot be reached");
  await expect.poll(() => shown(page)).toEqual(["Air Water Stone", "Fire", ""]);
  expect(await stored(page)).toEqual(["Air Water Stone", "Fire", ""]);
  await expect(status(page)).toContainText("is the one that is stored");
});

test("a fault of the site takes back what follows too", async ({ site, device, watch }) => {
  watch.expect(/^answer 500: POST/);
  const { coach, address } = await open(site);
  const page = await device({ as: coach });
  const held = await openHeld(page, address, (route) => route.fulfill({ status: 500 }));
  await pressAtOnce(page, "Move Water down", 2);
  held.open();
  await expect(toast(page, "Error")).toContainText("Something went wrong on the site.");
  await expect.poll(() => shown(page)).toEqual(["Water Air Stone", "Fire", ""]);
  expect(held.asked).toHaveLength(1);
  await pressAtOnce(page, "Move Water down", 1);
  await expect(status(page)).toHaveText("“Water” is 2 of 3 in “Module 1”.");
  expect(await stored(page)).toEqual(["Air Water Stone", "Fire", ""]);
});

test("signed out meanwhile, the page waits with every word in it until she has signed in again", async ({
  site,
  device,
}) => {
  const { coach, address } = await open(site);
  const page = await device({ as: coach });
  await page.goto(address);
  await hydrated(page);
  const title = page.getByLabel("Title");
  await title.fill("Elements and ether");
  await endSessions(site.services, coach.id);
  // Whether she may have the page, or the page itself.
  const asked = page.waitForResponse((answer) => {
    const request = answer.request();
    const { pathname } = new URL(request.url());
    return request.method() === "GET" && pathname.startsWith(address);
  });
  await pressAtOnce(page, "Move Water down", 1);
  await expect(toast(page, "Error")).toContainText("You have been signed out");
  await asked;
  await takeOver(page, site, coach);
  await expect(status(page)).toContainText("is the one that is stored", { timeout: 30_000 });
  await expect(page).toHaveURL(address);
  await expect(title).toHaveValue("Elements and ether");
  expect(await shown(page)).toEqual(["Water Air Stone", "Fire", ""]);
});

test("what waits is stored although she goes elsewhere", async ({ site, device }) => {
  const { coach, address } = await open(site);
  const page = await device({ as: coach });
  const held = await openHeld(page, address, (route) => route.continue());
  await pressAtOnce(page, "Move Water down", 2);
  await page.getByRole("link", { name: "Enrollments" }).click();
  await expect(page).toHaveURL("/admin/enrollments");
  held.open();
  await expect.poll(() => held.asked.length).toBe(2);
  const other = await page.context().newPage();
  await expect(async () => {
    await other.goto(address);
    expect(await shown(other)).toEqual(["Air Stone Water", "Fire", ""]);
  }).toPass();
});
