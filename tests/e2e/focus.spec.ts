import type { Page } from "@playwright/test";
import { createAccount } from "../support/accounts.ts";
import { createPerson } from "../support/people.ts";
import { createCoach, createLesson, field } from "./support/lessons.ts";
import { blueDot, box, keptLine, openHydrated } from "./support/player.ts";
import { createStudent } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

/** Which part of what has the focus can be seen, from 0 to 1; a button inside of a field takes 0.2. */
const partInSight = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body) return 0;
    const { left, top, width, height } = activeElement.getBoundingClientRect();
    const steps = [0.1, 0.3, 0.5, 0.7, 0.9];
    const points = steps.flatMap((x) =>
      steps.map((y) => document.elementFromPoint(left + x * width, top + y * height)),
    );
    const own = points.filter(
      (at) => at && (activeElement.contains(at) || at.contains(activeElement)),
    );
    return own.length / points.length;
  });

test("focus: no toast and no bar covers it; Escape closes a toast", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \//);
  const toasts = (page: Page) => page.locator(".toast:visible");

  await test.step("an address is refused, low in the window", async () => {
    const as = { name: "Ada", ...(await createAccount(services)) };
    for (const height of [700, 480]) {
      const page = await device({ as, viewport: { width: 1280, height } });
      await openHydrated(page, "/account/email");
      const field = page.getByRole("main").getByRole("textbox").first();
      await field.fill("nobody");
      await field.press("Enter");
      await expect(toasts(page)).toBeVisible();
      await expect.poll(() => partInSight(page)).toBeGreaterThanOrEqual(0.8);
      await page.keyboard.press("Escape");
      await expect(toasts(page)).toHaveCount(0);
    }
  });

  await test.step("a sign-up is refused", async () => {
    const page = await device({ viewport: { width: 768, height: 700 } });
    await openHydrated(page, "/auth?mode=sign-up");
    await page.getByRole("main").getByLabel("Name", { exact: true }).fill("Ines");
    await page.getByRole("main").getByLabel("Email").fill("ines@example.com");
    const password = page.getByRole("main").getByLabel("Password", { exact: true });
    await password.fill("quiet");
    await password.press("Enter");
    await expect(toasts(page)).toBeVisible();
    await expect(password).toBeFocused();
    await expect.poll(() => partInSight(page)).toBeGreaterThanOrEqual(0.8);
  });

  await test.step("the bar at the end of the lesson editor", async () => {
    const as = await createPerson(services, { role: "admin" });
    const page = await device({ as, viewport: { width: 1280, height: 700 } });
    await page.goto("/admin/lessons");
    await page.getByRole("rowheader").getByRole("link").first().click();
    await expect(page).toHaveTitle(/ - Edit lesson/);
    const placeholder = page.getByLabel("Placeholder 1", { exact: false }).first();
    await page.getByLabel("Question 1", { exact: true }).focus();
    await page.keyboard.press("Tab");
    await expect(placeholder).toBeFocused();
    await expect.poll(() => partInSight(page)).toBeGreaterThanOrEqual(0.8);
  });

  await test.step("where a draft of a lesson is describes all of its boxes", async () => {
    const page = await device({ as: await createCoach(services) });
    await openHydrated(page, (await createLesson(services)).path);
    await field(page, "Title").fill("Stones");
    for (const name of ["Title", "Module", "Text", "Question 2"])
      await expect(field(page, name)).toHaveAccessibleDescription(
        /Saved as a draft at [\d:]+ [AP]M$/,
      );
    await expect(field(page, "Order number")).toHaveAccessibleDescription(/^Its place .* Saved as/);
  });

  await test.step("where a draft is describes its box, and is read out once", async () => {
    const page = await device({ as: await createStudent(services) });
    await openHydrated(page, blueDot);
    const line = page.getByText(keptLine);
    await box(page, 1).fill("One");
    await expect(line).toHaveAttribute("aria-live", "polite");
    await expect(box(page, 1)).toHaveAccessibleDescription(keptLine);
    await box(page, 1).press("End");
    await box(page, 1).pressSequentially(" two");
    await expect(line).toHaveCount(0);
    await expect(line).toHaveAttribute("aria-live", "off");
  });
});
