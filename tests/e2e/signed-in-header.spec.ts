import type { Page } from "@playwright/test";
import { cookieOf } from "../support/people.ts";
import { createStudent } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

async function expectLink(page: Page, shown: "Log In" | "My Courses") {
  const menu = page.getByRole("navigation", { name: "Main" });
  for (const name of ["Log In", "My Courses"])
    await expect(menu.getByRole("link", { name })).toBeVisible({ visible: name === shown });
}

test("header: shows who is signed in, on cached pages, on those gone back to, without scripts", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services);
  const visitor = await device();
  for (const javaScriptEnabled of [true, false])
    await test.step(`with scripts ${javaScriptEnabled ? "on" : "off"}`, async () => {
      const page = await device({ javaScriptEnabled });
      // Twice: the second time the browser asks whether its own copy is still good.
      for (let visit = 0; visit < 2; visit += 1) {
        await visitor.goto("/coaching");
        await page.goto("/about");
        await page.goto("/coaching");
        await expectLink(page, "Log In");
      }

      const [name = "", value = ""] = (await cookieOf(site.services, student.id)).split("=");
      await page.context().addCookies([{ name, value, url: site.url }]);
      const own = await page.goto("/coaching");
      expect(own?.headers()["cache-control"]).toBe("private, no-store");
      await expectLink(page, "My Courses");
      await page.reload();
      await expectLink(page, "My Courses");
      await page.goto("/about");
      await expectLink(page, "My Courses");
      await visitor.goto("/coaching");
      await expectLink(visitor, "Log In");

      await page.context().clearCookies({ name });
      const shared = await page.goto("/coaching");
      expect(shared?.headers()["cache-control"]).toMatch(/^public/);
      await expectLink(page, "Log In");
    });

  await test.step("a page that the browser has kept follows other tabs", async () => {
    const page = await device();
    await page.goto("/about");
    await page.goto("/coaching");
    const [name = "", value = ""] = (await cookieOf(site.services, student.id)).split("=");
    await page.context().addCookies([{ name, value, url: site.url }]);
    const other = await page.context().newPage();
    await other.goto("/courses");
    await expectLink(page, "My Courses");
    await page.goBack();
    await expect(page).toHaveURL("/about");
    await expectLink(page, "My Courses");
  });
});
