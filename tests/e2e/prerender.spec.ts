import { cookieOf } from "../support/people.ts";
import { test } from "./support/plain-chromium.ts";
import { createStudent } from "./support/students.ts";
import { expect } from "./support/test.ts";

test.use({ siteKind: "shared" });

const courses = ".site-header a[href='/courses']";
const navigation = "performance.getEntriesByType('navigation')[0]";
const wasPrerendered = `location.pathname === "/courses" && ${navigation}.activationStart > 0`;
const theme = "document.documentElement?.dataset.theme ?? 'system'";
const stored = "Object.keys(localStorage).join()";

type Chromium = { open(url: string): Promise<void>; rules: string[] };

/** Opens a page and waits for its rules: what is pointed at before them is not prerendered. */
async function openReady(chromium: Chromium, url: string) {
  const before = chromium.rules.length;
  await chromium.open(url);
  await expect.poll(() => chromium.rules.length).toBeGreaterThan(before);
}

test("prerender: a link that is pointed at is shown at once, with the current theme", async ({
  site,
  chromium,
}) => {
  await test.step("pages that are the same for everybody are, a form is not", async () => {
    await openReady(chromium, `${site.url}/`);
    await chromium.hover(".site-header a[href='/auth']");
    await chromium.hover(".site-header a[href='/about']");
    await expect.poll(chromium.prerendered).toEqual(["/about"]);
    await chromium.hover(courses);
    await expect.poll(chromium.prerendered).toContain("/courses");
    expect(await chromium.prerendered()).not.toContain("/auth");
  });

  await test.step("one that was prerendered takes the theme that was chosen meanwhile", async () => {
    expect(await chromium.inPrerendered("/courses", theme)).toBe("system");
    for (let presses = 0; presses < 2; presses += 1)
      await chromium.inPage("document.querySelector('[data-theme-toggle]').click()");
    await chromium.click(courses);
    await expect.poll(() => chromium.inPage(wasPrerendered)).toBe(true);
    await expect.poll(() => chromium.inPage(theme)).toBe("dark");
    await expect.poll(() => chromium.inPage("document.cookie")).toBe("theme=dark");
    await expect.poll(() => chromium.inPage(stored)).toBe("");
  });
});

test("prerender: nothing is for a reader who saves data", async ({ site, chromium }) => {
  await chromium.sendHeaders({ "Save-Data": "on" });
  await openReady(chromium, `${site.url}/`);
  expect(chromium.rules).toEqual(["{}"]);
  await chromium.hover(courses);
  await chromium.click(courses);
  await expect.poll(() => chromium.inPage("location.pathname")).toBe("/courses");
  expect(await chromium.inPage(`${navigation}.activationStart`)).toBe(0);
  expect(await chromium.inPage(`${navigation}.deliveryType`)).toBe("");
});

test("prerender: a page shows the current user, and uses up no toast", async ({
  site,
  chromium,
}) => {
  const student = await createStudent(site.services);
  const [name = "", value = ""] = (await cookieOf(site.services, student.id)).split("=");

  await test.step("prerendered for nobody, it is loaded again after signing in", async () => {
    await openReady(chromium, `${site.url}/`);
    await chromium.hover(courses);
    await expect.poll(chromium.prerendered).toEqual(["/courses"]);
    await chromium.setCookie({ name, value, url: site.url });
    await chromium.inPage("localStorage.setItem('session', Date.now())");
    await chromium.click(courses);
    await expect
      .poll(() => chromium.inPage(`location.pathname + ${navigation}?.type`))
      .toBe("/coursesreload");
    const madeFor = "document.documentElement?.dataset.session + document.scripts.length";
    await expect.poll(() => chromium.inPage(madeFor)).toMatch(/^in\d\d?/);
  });

  await test.step("prerendered for a student, it keeps still until it is seen", async () => {
    // Only pages for everybody have rules: the student signs in while one is open.
    await chromium.clearCookies();
    await chromium.inPage("localStorage.clear()");
    await openReady(chromium, `${site.url}/`);
    await chromium.setCookie({ name, value, url: site.url });
    const toast = encodeURIComponent(JSON.stringify({ title: "Welcome back!" }));
    await chromium.setCookie({ name: "toast", value: toast, url: site.url });
    await chromium.hover(courses);
    await expect.poll(chromium.prerendered).toEqual(["/courses"]);
    const isHydrated =
      "Object.keys(document.querySelector('main') ?? {}).some((key) => /^__react/.test(key))";
    await expect.poll(() => chromium.inPrerendered("/courses", isHydrated)).toBe(true);
    expect(await chromium.inPrerendered("/courses", stored)).toBe("");
    expect(await chromium.cookies()).toContain("toast");
    await chromium.click(courses);
    await expect.poll(() => chromium.inPage(wasPrerendered)).toBe(true);
    await expect.poll(() => chromium.inPage(stored)).toBe("session");
    expect(await chromium.inPage("document.documentElement.dataset.session")).toBe("in");
    await chromium.open(`${site.url}/about`);
    expect(await chromium.inPage("document.querySelector('.toast').textContent")).toBe(
      "Welcome back!",
    );
    expect(await chromium.cookies()).not.toContain("toast");
  });
});
