import type { Page, Route } from "@playwright/test";
import {
  blueDot,
  box,
  complete,
  firstLesson,
  heading,
  hydrated,
  keptLine,
  lessons,
  openPlayer,
  secondLesson,
} from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent, draftsOf, journalsOf } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const offers = (page: Page) =>
  page.getByText(/^You have an unsent draft from (this|last|yesterday) \w+\.$/);
const restore = (page: Page) => page.getByRole("link", { name: "Restore it?" });
const kept = (page: Page) => expect(page.getByText(keptLine)).toBeVisible();

test("an unsent draft is offered back, and joins what was typed meanwhile", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  await openPlayer(page);
  await box(page, 1).fill("Older words.");
  await box(page, 2).fill("Only the older ones here.");
  await kept(page);
  await look(page, "draft-kept");

  await page.reload();
  await hydrated(page);
  await expect(box(page, 1)).toHaveValue("");
  await expect(box(page, 2)).toHaveValue("");
  await expect(offers(page)).toHaveCount(1);
  await look(page, "draft-offered", { night: true });
  await box(page, 1).fill("Newer words.");
  await restore(page).click();
  await expect(box(page, 1)).toHaveValue("Older words.\n\nNewer words.");
  await expect(box(page, 2)).toHaveValue("Only the older ones here.");
  await expect(box(page, 1)).toBeFocused();
  await expect(offers(page)).toHaveCount(0);
  await kept(page);
  await expect
    .poll(() => draftsOf(site.services, student.id))
    .toEqual(["Older words.\n\nNewer words.|Only the older ones here."]);
  await look(page, "draft-restored");

  await complete(page);
  expect(await draftsOf(site.services, student.id)).toEqual([]);
  const [journal] = await journalsOf(site.services, student.id);
  expect(journal).toContain("Older words.\n\nNewer words.");
});

test("words typed in the last moment before a reload are kept", async ({ site, device }) => {
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  await openPlayer(page);
  await box(page, 1).fill("Typed, and gone at once.");
  await page.reload();
  await expect(offers(page)).toHaveCount(1);
  await restore(page).click();
  await expect(box(page, 1)).toHaveValue("Typed, and gone at once.");
});

test("words typed before the scripts have loaded stay and are kept", async ({ site, device }) => {
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  const gate = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto(blueDot, { waitUntil: "commit" });
  await box(page, 2).fill("I could not wait.");
  gate.resolve();
  await kept(page);
  await expect(box(page, 2)).toHaveValue("I could not wait.");
  expect(await draftsOf(site.services, student.id)).toEqual(["|I could not wait."]);
});

test("two tabs keep a draft each; what the second sends late is not lost", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services);
  const first = await device({ as: student });
  const second = await first.context().newPage();
  for (const [page, words] of [
    [first, "In the first tab."],
    [second, "In the second tab."],
  ] as const) {
    await openPlayer(page);
    await box(page, 1).fill(words);
    await kept(page);
  }
  const third = await first.context().newPage();
  await openPlayer(third);
  await expect(offers(third)).toHaveCount(2);
  await look(third, "draft-two-offers");
  await third.close();

  await complete(first);
  await complete(second);
  const [journal] = await journalsOf(site.services, student.id);
  expect(journal).toContain("In the first tab.");
  expect(await draftsOf(site.services, student.id)).toEqual(["In the second tab."]);

  await openPlayer(second, `${blueDot}?lesson=the-point-the-needle-rests-on`);
  await expect(second.getByText("In the first tab.")).toBeVisible();
  await second.getByText(/^You have an unsent draft from .* Read it$/).click();
  await expect(second.getByText("In the second tab.")).toBeVisible();
  await look(second, "draft-beside-completed", { night: true });
  await second.getByRole("button", { name: "Delete this draft" }).click();
  await expect(second.getByText("In the second tab.")).toHaveCount(0);
  expect(await draftsOf(site.services, student.id)).toEqual([]);
});

test("another lesson opens with clear boxes, and the way back offers the draft", async ({
  site,
  device,
}) => {
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  await openPlayer(page);
  await box(page, 1).fill("Left in the middle of");
  await lessons(page).getByRole("link", { name: secondLesson }).click();
  await expect(heading(page)).toHaveText(secondLesson);
  await expect(box(page, 1)).toHaveValue("");
  await expect(offers(page)).toHaveCount(0);
  await page.getByRole("link", { name: "Previous" }).click();
  await expect(heading(page)).toHaveText(firstLesson);
  await expect(box(page, 1)).toHaveValue("");
  await restore(page).click();
  await expect(box(page, 1)).toHaveValue("Left in the middle of");
});

test("emptied boxes leave no draft", async ({ site, device }) => {
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  await openPlayer(page);
  await box(page, 1).fill("Not this.");
  await kept(page);
  await box(page, 1).fill("");
  await expect.poll(() => draftsOf(site.services, student.id)).toEqual([]);
  await page.reload();
  await hydrated(page);
  await expect(offers(page)).toHaveCount(0);
  await expect(toast(page, "Error")).toHaveCount(0);
});

test("a save that fails after a later one was kept changes nothing", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^failed: PUT .*\/draft net::ERR_FAILED/);
  const student = await createStudent(site.services);
  const page = await device({ as: student });
  await openPlayer(page);
  const early = Promise.withResolvers<Route>();
  await page.route("**/learn/draft", (route) => early.resolve(route), { times: 1 });
  await box(page, 1).fill("First.");
  const held = await early.promise;
  await box(page, 1).fill("First and second.");
  // As when she turns to another tab.
  await page.evaluate(() => dispatchEvent(new Event("pagehide")));
  await kept(page);
  const failed = page.waitForEvent("requestfailed");
  await held.abort();
  await failed;
  // By then the page has heard of it, and shown what it makes of it.
  await page.evaluate(
    () =>
      new Promise<void>((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => resolve())),
      ),
  );
  await kept(page);
  expect(await draftsOf(site.services, student.id)).toEqual(["First and second.|"]);
});
