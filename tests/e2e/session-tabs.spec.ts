import type { Page } from "@playwright/test";
import { hydrated } from "./support/player.ts";
import { createStudent, givePassword } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

const password = "Quiet Morning 1";

const link = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });

async function expectOut(page: Page) {
  await expect(link(page, "Log In")).toBeVisible();
  await expect(link(page, "My Courses")).toBeHidden();
}

async function expectIn(page: Page) {
  await expect(link(page, "My Courses")).toBeVisible();
  await expect(link(page, "Log In")).toBeHidden();
}

async function signIn(page: Page, email: string) {
  await page.goto("/auth");
  await hydrated(page);
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL("/my-courses");
}

test("who signs in or out in one tab has done so in the others", async ({ site, device }) => {
  const student = await createStudent(site.services);
  await givePassword(site.services, student.id, password);
  const reading = await device();
  await reading.goto("/about");
  await expectOut(reading);

  const tab = await reading.context().newPage();
  await signIn(tab, student.email);
  await expectIn(tab);
  // Without a request: the page that is open there is still the one made for everybody.
  await expectIn(reading);
  await expect(link(reading, "My Courses")).toHaveAttribute("href", "/my-courses");
  await reading.reload();
  await expectIn(reading);

  await tab.getByRole("button", { name: "Sign out" }).click();
  await expect(tab).toHaveURL("/");
  await expectOut(tab);
  await expectOut(reading);
  await reading.reload();
  await expectOut(reading);
  expect(await reading.evaluate(() => JSON.stringify(localStorage))).toBe("{}");
});

test("a page that the browser had kept shows who is signed in now", async ({ site, device }) => {
  const student = await createStudent(site.services);
  await givePassword(site.services, student.id, password);
  const page = await device();
  await page.goto("/about");
  await page.goto("/coaching");
  const other = await page.context().newPage();
  await signIn(other, student.email);
  await page.goBack();
  await expect(page).toHaveURL("/about");
  await expectIn(page);
  await other.goto("/courses");
  await expectIn(other);
  await expectIn(page);
});

test("a session that has ended is forgotten with the next page", async ({ site, device }) => {
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  await page.goto("/about");
  await expectIn(page);
  const other = await page.context().newPage();
  await other.goto("/courses");
  await page.context().clearCookies();
  await page.goto("/coaching");
  await expectOut(page);
  await expectOut(other);
});

test("the time zone is told where she signs in, and to nobody before", async ({ site, device }) => {
  const student = await createStudent(site.services);
  await givePassword(site.services, student.id, password);
  const page = await device({ timezoneId: "Pacific/Auckland" });
  const zone = async () =>
    (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join();
  await page.goto("/courses/blue-dot-method");
  expect(await zone()).toBe("");
  // Already with her first request for a page that is hers.
  const request = page.waitForRequest((asked) => asked.url().includes("/my-courses"));
  await signIn(page, student.email);
  expect((await (await request).allHeaders()).cookie).toContain("tz=Pacific%2FAuckland");
});
