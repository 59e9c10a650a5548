import { newAddress, thanks } from "./support/newsletter.ts";
import { test } from "./support/plain-chromium.ts";
import { behindSlowProxy } from "./support/slow-proxy.ts";
import { expect } from "./support/test.ts";

test.use({ siteKind: "shared" });

const path = "location.pathname";

/** Notes whether the page comes back as it was, and why not if not. */
const mark = `
  marked = true;
  addEventListener("pageshow", (event) => (returned = event.persisted))`;
const isBack = "globalThis.marked && globalThis.returned";
const whyNot = "JSON.stringify(performance.getEntriesByType('navigation')[0].notRestoredReasons)";

test("back: a page comes back as it was, with its form and the current theme", async ({
  site,
  chromium,
}) => {
  const pages = ["/", "/about", "/courses", "/courses/blue-dot-method", "/coaching", "/privacy"];
  for (const [at, start] of pages.entries())
    await test.step(`to ${start}`, async () => {
      const theme = at % 2 ? "light" : "dark";
      await chromium.open(`${site.url}${start}`);
      await chromium.inPage(mark);
      await chromium.click(".site-header a[href='/auth']");
      await expect.poll(() => chromium.inPage(path)).toBe("/auth");
      await chromium.inPage(`localStorage.setItem('theme', '${theme}')`);
      await chromium.inPage("history.back()");
      await expect.poll(() => chromium.inPage(path)).toBe(start);
      expect(await chromium.inPage(whyNot)).toBe("null");
      await expect.poll(() => chromium.inPage(isBack)).toBe(true);
      expect(await chromium.inPage("document.documentElement.dataset.theme")).toBe(theme);
    });

  const form = "document.querySelector('#footer-form')";
  const isBusy = `${form}.querySelector("fieldset").disabled`;
  const proxy = await behindSlowProxy(site.url, (asked) => asked === "/newsletter");
  for (const when of ["before", "after"])
    await test.step(`a form on its way, answered ${when} the reader is back`, async () => {
      await chromium.open(`${proxy.url}/about`);
      await chromium.inPage(`${form}.elements.firstName.value = "Ines"`);
      await chromium.inPage(`${form}.elements.email.value = "${newAddress()}"`);
      await chromium.inPage(`${form}.requestSubmit()`);
      await expect.poll(proxy.waiting).toBe(1);
      expect(await chromium.inPage(isBusy)).toBe(true);
      await chromium.inPage(mark);
      await chromium.inPage("location.assign('/privacy')");
      await expect.poll(() => chromium.inPage(path)).toBe("/privacy");
      if (when === "before") await proxy.answer();
      await chromium.inPage("history.back()");
      await expect.poll(() => chromium.inPage(path)).toBe("/about");
      await expect.poll(() => chromium.inPage(isBack)).toBe(true);
      if (when === "after") await proxy.answer();
      await expect.poll(() => chromium.inPage(isBusy)).toBe(false);
      expect(await chromium.inPage("document.querySelector('.toast').textContent")).toBe(thanks);
    });
  await proxy.close();
});
