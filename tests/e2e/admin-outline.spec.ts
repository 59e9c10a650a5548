import type { Page } from "@playwright/test";
import { drag, handle, middle, prepareOutline, shown, status, stored } from "./support/outline.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, phone, test, toast } from "./support/test.ts";

test("by the arrows, over the edges of modules", async ({ site, device }) => {
  const { course, coach } = await prepareOutline(site);
  const page = await device({ as: coach });
  await page.goto(`/admin/courses/${course.id}`);
  await expect(handle(page, "Water")).toBeVisible();
  await look(page, "admin-outline", { night: true, widths: [320, 360, 1280] });
  const down = page.getByRole("button", { name: "Move Water down" });
  await down.click();
  await down.click();
  await expect(status(page)).toHaveText("“Water” is 3 of 3 in “Module 1”.");
  await down.click();
  await expect(status(page)).toHaveText("“Water” is 1 of 2 in “Module 2”.");
  await expect(down).toBeFocused();
  expect(await stored(page)).toEqual(["Air Stone", "Water Fire", ""]);
  await page.getByRole("button", { name: "Move Module 2 up" }).click();
  await expect(status(page)).toHaveText("“Module 2” is 1 of 3 modules.");
  expect(await stored(page)).toEqual(["Water Fire", "Air Stone", ""]);
  const numbers = await site.services.db.read
    .selectFrom("modules")
    .select("orderNum")
    .where("productId", "=", course.id)
    .orderBy("orderNum")
    .execute();
  expect(numbers.map(({ orderNum }) => orderNum)).toEqual([1, 2, 3]);
});

test("into another module, where its slug is taken", async ({ site, device }) => {
  const { course, coach } = await prepareOutline(site);
  const twin = course.modules[1]?.lessons[0]?.id ?? "";
  await site.services.db.write
    .updateTable("lessons")
    .set({ slug: "air" })
    .where("id", "=", twin)
    .execute();
  const page = await device({ as: coach });
  await page.goto(`/admin/courses/${course.id}`);
  await hydrated(page);
  await page.getByLabel("Move Air to another module").click();
  await look(page, "admin-outline-move");
  await page.locator("details[open]").getByRole("button", { name: "Move" }).click();
  await expect(status(page)).toHaveText(
    "“Air” is 2 of 2 in “Module 2”. Its address there was taken; its slug is now “air-2”.",
  );
  expect(await stored(page)).toEqual(["Water Stone", "Fire Air", ""]);
});

test("dragged with the mouse", async ({ site, device }) => {
  const { course, coach } = await prepareOutline(site);
  const page = await device({ as: coach });
  await page.goto(`/admin/courses/${course.id}`);
  await drag(page, handle(page, "Stone"), page.getByRole("link", { name: "Water", exact: true }));
  await expect(status(page)).toHaveText("“Stone” is 1 of 3 in “Module 1”.");
  expect(await stored(page)).toEqual(["Stone Water Air", "Fire", ""]);
  await drag(page, handle(page, "Air"), page.getByText("No lessons yet."));
  await expect(status(page)).toHaveText("“Air” is 1 of 1 in “Module 3”.");
  expect(await stored(page)).toEqual(["Stone Water", "Fire", "Air"]);
});

/**
 * Presses an arrow until the new place is announced. dnd-kit ignores a key that comes before it has
 * measured the rows; the first press may be one of these, and a person would press again.
 */
async function moveTo(page: Page, arrow: string, announcement: string | RegExp) {
  const status = page.locator("[id^=DndLiveRegion]");
  const before = await status.textContent();
  await expect(async () => {
    if ((await status.textContent()) === before) await page.keyboard.press(arrow);
    await expect(status).toHaveText(announcement, { timeout: 1_000 });
  }).toPass({ timeout: 10_000 });
}

test("with the keyboard, told to whoever does not see it", async ({ site, device }) => {
  const { course, coach } = await prepareOutline(site);
  const page = await device({ as: coach });
  await page.goto(`/admin/courses/${course.id}`);
  const said = page.locator("[id^=DndLiveRegion]");
  await handle(page, "Stone").focus();
  await page.keyboard.press("Space");
  await expect(said).toHaveText("“Stone” is 3 of 3 in “Module 1”.");
  await moveTo(page, "ArrowUp", "“Stone” is 2 of 3 in “Module 1”.");
  await moveTo(page, "ArrowUp", "“Stone” is 1 of 3 in “Module 1”.");
  await page.keyboard.press("Space");
  await expect(status(page)).toHaveText("“Stone” is 1 of 3 in “Module 1”.");
  await expect(handle(page, "Stone")).toBeFocused();
  expect(await stored(page)).toEqual(["Stone Water Air", "Fire", ""]);

  await handle(page, "Air").focus();
  await page.keyboard.press("Space");
  await expect(said).toHaveText("“Air” is 3 of 3 in “Module 1”.");
  await moveTo(page, "ArrowDown", /in “Module 2”\.$/);
  await page.keyboard.press("Escape");
  await expect(said).toHaveText("“Air” stays where it was.");
  expect(await shown(page)).toEqual(["Stone Water Air", "Fire", ""]);
  expect(await stored(page)).toEqual(["Stone Water Air", "Fire", ""]);
});

test("dragged with a finger", async ({ site, device }) => {
  const { course, coach } = await prepareOutline(site);
  const page = await device({ as: coach, viewport: phone, hasTouch: true, isMobile: true });
  await page.goto(`/admin/courses/${course.id}`);
  await handle(page, "Stone").scrollIntoViewIfNeeded();
  const [start, end] = [
    await middle(handle(page, "Stone")),
    await middle(page.getByRole("link", { name: "Water", exact: true })),
  ];
  const touch = await page.context().newCDPSession(page);
  const at = (y: number) => [{ x: start.x, y }];
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(start.y) });
  for (let step = 1; step <= 12; step += 1) {
    const y = start.y + ((end.y - start.y) * step) / 12;
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(y) });
  }
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await expect(status(page)).toHaveText("“Stone” is 1 of 3 in “Module 1”.");
  expect(await stored(page)).toEqual(["Stone Water Air", "Fire", ""]);
});

test("what fails is taken back, with words; two tabs lose nothing", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^failed: POST/);
  const { course, coach } = await prepareOutline(site);
  const page = await device({ as: coach });
  const other = await device({ as: coach });
  await page.goto(`/admin/courses/${course.id}`);
  await other.goto(`/admin/courses/${course.id}`);
  // What makes rows movable has come by then: offline it could not.
  for (const desk of [page, other]) await expect(handle(desk, "Water")).toBeVisible();
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Move Water down" }).click();
  await expect(toast(page, "Error")).toContainText("cannot be reached");
  await expect(status(page)).toContainText("could not be saved");
  expect(await shown(page)).toEqual(["Water Air Stone", "Fire", ""]);
  await page.context().setOffline(false);

  await other.getByRole("button", { name: "Move Stone up" }).click();
  await expect(status(other)).toHaveText("“Stone” is 2 of 3 in “Module 1”.");
  await page.getByRole("button", { name: "Move Water down" }).click();
  await expect(status(page)).toHaveText(/^“Water” is \d of 3 in “Module 1”\.$/);
  expect(await shown(page)).toEqual(await stored(page));
  expect((await stored(page)).join(" ").split(" ").filter(Boolean).toSorted()).toEqual([
    "Air",
    "Fire",
    "Stone",
    "Water",
  ]);
});

test("without scripts", async ({ site, device }) => {
  const { course, coach } = await prepareOutline(site);
  const page = await device({ as: coach, javaScriptEnabled: false });
  await page.goto(`/admin/courses/${course.id}`);
  await page.getByRole("button", { name: "Move Water down" }).click();
  await expect(toast(page, "“Water” is 2 of 3 in “Module 1”.")).toBeVisible();
  await page.getByLabel("Move Fire to another module").click();
  await page.locator("details[open] select").selectOption({ label: "Module 3" });
  await page.locator("details[open]").getByRole("button", { name: "Move" }).click();
  await expect(toast(page, "“Fire” is 1 of 1 in “Module 3”.")).toBeVisible();
  await look(page, "admin-outline-plain", { axe: false });
});

test("seen as a student, with nothing recorded", async ({ site, device }) => {
  const { course, coach } = await prepareOutline(site);
  const page = await device({ as: coach });
  await page.goto("/my-courses");
  await page.getByRole("link", { name: "Admin" }).click();
  await page.getByRole("link", { name: "Elements", exact: true }).click();
  await page.getByRole("link", { name: "View Air as a student" }).click();
  await expect(page.getByRole("heading", { name: "Air" })).toBeVisible();
  const banner = page.getByRole("complementary", { name: "Preview" });
  await expect(banner).toContainText("Nothing is recorded.");
  await look(page, "view-as-student", { night: true, widths: [320, 360, 1280] });
  await page.getByRole("link", { name: "Next Lesson" }).click();
  await expect(page.getByRole("heading", { name: "Stone" })).toBeVisible();
  await expect(page).toHaveURL(/view=student/);
  await page.getByRole("link", { name: "Back to the course" }).click();
  await expect(page).toHaveURL(`/admin/courses/${course.id}`);
});
