import { linkInMail } from "../e2e/support/mail.ts";
import { newAddress } from "../support/accounts.ts";
import { expect, phone, test } from "./support/test.ts";

const night = "rgb(18, 24, 31)";
const day = "rgb(251, 248, 243)";

test("public pages on a phone, by night: dialog, menu, theme", async ({ site, tab }) => {
  await tab.driver.resize(phone.width, phone.height);
  const paper = () => tab.style("html", "background-color");

  await test.step("every page is dark and fits", async () => {
    for (const path of ["/about", "/courses", "/coaching", "/courses/blue-dot-method", "/"]) {
      await tab.open(path);
      expect(await paper(), path).toBe(night);
      expect(await tab.run(() => document.documentElement.scrollWidth), path).toBe(phone.width);
    }
  });

  await test.step("the menu opens, leads on and closes", async () => {
    await tab.click("button", "Menu");
    await tab.click("link", "About", "#site-nav");
    await tab.isAt("/about");
    await tab.has("link", "About", "#site-nav", false);
    await tab.click("button", "Menu");
    await tab.press("Escape");
    await tab.has("link", "About", "#site-nav", false);
  });

  await test.step("the dialog takes the focus, gives it back, and sends", async () => {
    await tab.click("button", "Subscribe", "header");
    await tab.isFocused("field", "First name", "dialog");
    await tab.press("Escape");
    await tab.isFocused("button", "Subscribe", "header");
    await tab.press("Enter");
    const email = newAddress();
    await tab.fill("First name", "Ines", "dialog");
    await tab.fill("Email address", email, "dialog");
    await tab.click("button", "Subscribe", "dialog");
    await tab.sees("Check your email shortly for a confirmation email");
    await linkInMail(site.dataDir, email, "/newsletter/confirm");
  });

  await test.step("the theme changes, and another page has it", async () => {
    await tab.open("/courses");
    await tab.click("button", "Menu");
    await tab.click("button", "Theme: as the system");
    await tab.has("button", "Theme: light");
    expect(await paper()).toBe(day);
    await tab.open("/about");
    expect(await paper()).toBe(day);
  });
});
