import { createCoach, openDesk, sampleLesson, text } from "./support/lessons.ts";
import { expect, test, toast } from "./support/test.ts";
import { refuseWrites } from "./support/trouble.ts";

test("a toast stays while the page below it fetches its own data anew", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 500: PUT \/admin\/lessons\/.*\/draft/);
  const { services } = site;
  const { id } = await sampleLesson(services);
  const page = await device({ as: await createCoach(services) });
  const mend = await refuseWrites(services, "drafts");
  await openDesk(page, `/admin/lessons/${id}`);
  const refused = page.waitForResponse(/\/draft$/);
  await text(page).fill("Words that only this device has.");
  await refused;
  await openDesk(page, "/admin/lessons?q=keys");
  await page.getByRole("link", { name: "Delete Keys in the refrigerator" }).click();
  await page.getByRole("button", { name: "Delete lesson" }).click();
  await expect(toast(page, "Lesson deleted successfully")).toBeVisible();
  const unfinished = page.getByRole("list", { name: "Unfinished" });
  await expect(unfinished).toHaveCount(0);
  await mend();
  // The list hands the words over, and shows anew what is unfinished.
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect(unfinished).toBeVisible();
  await expect(toast(page, "Lesson deleted successfully")).toBeVisible();
});
