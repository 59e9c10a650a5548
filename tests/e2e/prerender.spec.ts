import { cookieOf } from "../support/people.ts";
import { test } from "./support/plain-chromium.ts";
import { createStudent } from "./support/students.ts";
import { expect } from "./support/test.ts";

const courses = ".site-header a[href='/courses']";
const navigation = "performance.getEntriesByType('navigation')[0]";
const path = "location.pathname";
const theme = "document.documentElement?.dataset.theme ?? 'system'";
const kept = "JSON.stringify(localStorage)";

/** Opens a page and waits for its rules: what is pointed at before them is not made in advance. */
async function openReady(
  chromium: { open(url: string): Promise<void>; rules: string[] },
  url: string,
) {
  await chromium.open(url);
  await expect.poll(() => chromium.rules.length).toBeGreaterThan(0);
}

test("a link that is pointed at is made ready, and shown at once", async ({ site, chromium }) => {
  await openReady(chromium, `${site.url}/`);
  // Not one that asks who is there.
  await chromium.hover(".site-header a[href='/auth']");
  await chromium.hover(".site-header a[href='/about']");
  await expect.poll(chromium.prerendered).toEqual(["/about"]);
  await chromium.hover(courses);
  await expect.poll(chromium.prerendered).toContain("/courses");
  expect(await chromium.prerendered()).not.toContain("/auth");
  await chromium.click(courses);
  await expect.poll(() => chromium.inPage(path)).toBe("/courses");
  expect(await chromium.inPage(`${navigation}.activationStart`)).toBeGreaterThan(0);
  expect(await chromium.inPage(kept)).toBe("{}");
  expect(await chromium.cookies()).toEqual([]);
});

test("nothing is made in advance for somebody who asked to save data", async ({
  site,
  chromium,
}) => {
  await chromium.sendHeaders({ "Save-Data": "on" });
  await chromium.open(`${site.url}/`);
  await expect.poll(() => chromium.rules).toEqual(["{}"]);
  await chromium.hover(courses);
  await chromium.click(courses);
  await expect.poll(() => chromium.inPage(path)).toBe("/courses");
  expect(await chromium.inPage(`${navigation}.activationStart`)).toBe(0);
  expect(await chromium.inPage(`${navigation}.deliveryType`)).toBe("");
});

test("a page made in advance shows what was chosen meanwhile", async ({ site, chromium }) => {
  await openReady(chromium, `${site.url}/`);
  await chromium.hover(courses);
  await expect.poll(chromium.prerendered).toEqual(["/courses"]);
  expect(await chromium.inPrerendered("/courses", theme)).toBe("system");
  await chromium.inPage("document.querySelector('[data-theme-toggle]').click()");
  await chromium.inPage("document.querySelector('[data-theme-toggle]').click()");
  await chromium.click(courses);
  await expect.poll(() => chromium.inPage(path)).toBe("/courses");
  expect(await chromium.inPage(`${navigation}.activationStart`)).toBeGreaterThan(0);
  await expect.poll(() => chromium.inPage(theme)).toBe("dark");
});

test("a page made in advance for somebody signed in keeps still, and takes no toast", async ({
  site,
  chromium,
}) => {
  const student = await createStudent(site.services);
  await openReady(chromium, `${site.url}/`);
  // She signs in in another tab, and something is left to be said to her.
  const [name = "", value = ""] = (await cookieOf(site.services, student.id)).split("=");
  await chromium.setCookie({ name, value, url: site.url });
  const words = encodeURIComponent(JSON.stringify({ title: "Welcome back!" }));
  await chromium.setCookie({ name: "toast", value: words, url: site.url });
  await chromium.hover(courses);
  await expect.poll(chromium.prerendered).toEqual(["/courses"]);
  const isTaken =
    "Object.keys(document.querySelector('main') ?? {}).some((key) => /^__react/.test(key))";
  await expect.poll(() => chromium.inPrerendered("/courses", isTaken)).toBe(true);
  expect(await chromium.inPrerendered("/courses", kept)).toBe("{}");
  expect(await chromium.cookies()).toContain("toast");
  await chromium.click(courses);
  await expect.poll(() => chromium.inPage(path)).toBe("/courses");
  expect(await chromium.inPage(`${navigation}.activationStart`)).toBeGreaterThan(0);
  await expect.poll(() => chromium.inPage("Object.keys(localStorage).join()")).toBe("session");
  expect(await chromium.inPage("document.documentElement.dataset.session")).toBe("in");
  await chromium.open(`${site.url}/about`);
  expect(await chromium.inPage("document.querySelector('.toast').textContent")).toBe(
    "Welcome back!",
  );
  expect(await chromium.cookies()).not.toContain("toast");
});

test("a page made in advance for nobody is made anew for who has signed in meanwhile", async ({
  site,
  chromium,
}) => {
  const student = await createStudent(site.services);
  await openReady(chromium, `${site.url}/`);
  await chromium.hover(courses);
  await expect.poll(chromium.prerendered).toEqual(["/courses"]);
  const [name = "", value = ""] = (await cookieOf(site.services, student.id)).split("=");
  await chromium.setCookie({ name, value, url: site.url });
  await chromium.inPage("localStorage.setItem('session', Date.now())");
  await chromium.click(courses);
  await expect
    .poll(() => chromium.inPage(`location.pathname + ${navigation}?.type`))
    .toBe("/coursesreload");
  const madeFor = "document.documentElement?.dataset.session + document.scripts.length";
  await expect.poll(() => chromium.inPage(madeFor)).toMatch(/^in\d\d?/);
});
