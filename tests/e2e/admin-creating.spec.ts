import { createCourse } from "../support/courses.ts";
import { createCoach, field, openDesk } from "./support/lessons.ts";
import { expect, test, toast } from "./support/test.ts";

for (const { what, label } of [
  { what: "course", label: "Price" },
  { what: "module", label: "Title" },
])
  test(`while a ${what} is being created, nothing can be typed that would be gone`, async ({
    site,
    device,
  }) => {
    await createCourse(site.services, [[{}]], { title: "Elements" });
    const page = await device({ as: await createCoach(site.services) });
    const held = Promise.withResolvers<void>();
    await page.route("**/new.data*", async (route) => {
      if (route.request().method() === "POST") await held.promise;
      await route.continue();
    });
    await openDesk(page, `/admin/${what}s/new`);
    if (what === "module") await field(page, "Course").selectOption({ label: "Elements" });
    await field(page, "Title").fill("Letters");
    if (what === "course") await field(page, "Price").fill("0");
    await page.getByRole("button", { name: `Create ${what}` }).click();
    await expect(page.getByRole("button", { name: "Saving..." })).toBeVisible();
    await expect(field(page, label)).not.toBeEditable();
    held.resolve();
    const name = what.replace(/^./, (letter) => letter.toUpperCase());
    await expect(toast(page, `${name} created successfully`)).toBeVisible();
  });
