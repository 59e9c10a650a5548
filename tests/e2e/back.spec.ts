import { newAddress, thanks } from "./support/newsletter.ts";
import { test } from "./support/plain-chromium.ts";
import { behindSlowDoor } from "./support/slow-door.ts";
import { expect } from "./support/test.ts";

const path = "location.pathname";
const footerForm = "document.querySelector('#footer-form')";

/** Notes whether the page comes back as it was, and why not if not. */
const mark = `
  marked = true;
  addEventListener("pageshow", (event) => (returned = event.persisted))`;
const isBack = "globalThis.marked && globalThis.returned";
const whyNot = "JSON.stringify(performance.getEntriesByType('navigation')[0].notRestoredReasons)";

for (const start of [
  "/",
  "/about",
  "/courses",
  "/courses/blue-dot-method",
  "/coaching",
  "/privacy",
])
  test(`going back to ${start} finds it as it was left`, async ({ site, chromium }) => {
    await chromium.open(`${site.url}${start}`);
    await chromium.inPage(mark);
    await chromium.inPage("document.querySelector('[data-theme-toggle]').click()");
    await chromium.click(".site-header a[href='/auth']");
    await expect.poll(() => chromium.inPage(path)).toBe("/auth");
    await chromium.inPage("localStorage.setItem('theme', 'dark')");
    await chromium.inPage("history.back()");
    await expect.poll(() => chromium.inPage(path)).toBe(start);
    expect(await chromium.inPage(whyNot)).toBe("null");
    await expect.poll(() => chromium.inPage(isBack)).toBe(true);
    expect(await chromium.inPage("document.documentElement.dataset.theme")).toBe("dark");
  });

for (const when of ["while she was away", "after she came back"])
  test(`a form on its way, and its answer comes ${when}`, async ({ site, chromium }) => {
    const isBusy = `${footerForm}.querySelector("fieldset").disabled`;
    const door = await behindSlowDoor(site.url, (asked) => asked === "/newsletter");
    await chromium.open(`${door.url}/about`);
    await chromium.inPage(`${footerForm}.elements.firstName.value = "Ines"`);
    await chromium.inPage(`${footerForm}.elements.email.value = "${newAddress()}"`);
    await chromium.inPage(`${footerForm}.requestSubmit()`);
    await expect.poll(door.waiting).toBe(1);
    expect(await chromium.inPage(isBusy)).toBe(true);
    await chromium.inPage(mark);
    await chromium.inPage("location.assign('/privacy')");
    await expect.poll(() => chromium.inPage(path)).toBe("/privacy");
    if (when === "while she was away") await door.answer();
    await chromium.inPage("history.back()");
    await expect.poll(() => chromium.inPage(path)).toBe("/about");
    await expect.poll(() => chromium.inPage(isBack)).toBe(true);
    if (when === "after she came back") await door.answer();
    await expect.poll(() => chromium.inPage(isBusy)).toBe(false);
    const said = "document.querySelector('.toast').textContent";
    expect(await chromium.inPage(said)).toBe(thanks);
    await door.close();
  });
