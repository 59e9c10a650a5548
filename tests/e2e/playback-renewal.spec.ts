import type { Page } from "@playwright/test";
import { startSite, type TestSite } from "../support/site.ts";
import {
  createListener,
  lessonPath,
  openMedia,
  placesOf,
  playerOf,
  playsBeyond,
  stateOf,
} from "./support/playback.ts";
import { look } from "./support/screen.ts";
import type { RunningSite } from "./support/site.ts";
import { test as base, expect } from "./support/test.ts";

/**
 * The site in this process, on a real port, with a clock that can be moved: addresses end by the
 * server's own judgement. The browser's clock is moved with it, or stays behind.
 */
const test = base.extend<{ moved: TestSite }>({
  // biome-ignore lint/correctness/noEmptyPattern: the first argument names what it needs
  moved: async ({}, use) => {
    const site = await startSite();
    await use(site);
    await site.close();
  },
  site: async ({ moved }, use) => {
    await use({ ...moved, dataDir: moved.services.config.dataDir } as unknown as RunningSite);
  },
});

const hourMs = 3600_000;

/** Notes every request for fresh addresses. */
function renewals(page: Page) {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/learn/media?")) asked.push(request.url());
  });
  return () => asked.length;
}

async function listen(
  site: RunningSite,
  device: (options: { as: { id: string; name: string; email: string } }) => Promise<Page>,
) {
  const { course, student } = await createListener(site.services);
  const page = await device({ as: student });
  await page.clock.install();
  const renewed = renewals(page);
  await openMedia(page, lessonPath(course), "audio");
  const sound = playerOf(page, "audio");
  return { page, sound, renewed, student, course };
}

test("the next address is fetched shortly before the end, and taken when something is loaded anyway", async ({
  moved,
  site,
  device,
}) => {
  const { page, sound, renewed } = await listen(site, device);
  await sound.getByRole("combobox", { name: "Speed" }).selectOption("1.25×");
  await sound.getByRole("button", { name: "Play" }).click();
  await playsBeyond(page, "audio", 0.5);
  const { src } = await stateOf(page, "audio");
  expect(renewed()).toBe(0);
  for (const clock of [moved.clock.forward, (ms: number) => page.clock.fastForward(ms)])
    await clock(hourMs - 4 * 60_000);
  await expect.poll(renewed).toBe(1);
  const { currentTime } = await stateOf(page, "audio");
  await playsBeyond(page, "audio", currentTime + 0.5);
  expect((await stateOf(page, "audio")).src).toBe(src);

  const fresh = page.waitForResponse(
    (response) => response.url().includes("/media/course-audio/") && response.status() === 206,
  );
  await sound.getByRole("slider", { name: "Position" }).press("PageUp");
  expect((await fresh).url()).not.toBe(src);
  await playsBeyond(page, "audio", 31);
  const after = await stateOf(page, "audio");
  expect(after.src).not.toBe(src);
  expect(after.playbackRate).toBe(1.25);
  expect(renewed()).toBe(1);
});

test("a laptop that slept for two hours goes on where it was", async ({ moved, site, device }) => {
  const { page, sound, renewed, student, course } = await listen(site, device);
  await sound.getByRole("button", { name: "Play" }).click();
  await playsBeyond(page, "audio", 1);
  await sound.getByRole("button", { name: "Pause" }).click();
  await expect.poll(async () => (await stateOf(page, "audio")).paused).toBe(true);
  const { src, currentTime } = await stateOf(page, "audio");
  moved.clock.forward(2 * hourMs);
  await page.clock.fastForward(2 * hourMs);
  expect((await stateOf(page, "audio")).src).toBe(src);
  await sound.getByRole("button", { name: "Play" }).click();
  await playsBeyond(page, "audio", currentTime + 0.3);
  await expect.poll(async () => (await stateOf(page, "audio")).src).not.toBe(src);
  await playsBeyond(page, "audio", currentTime + 0.5);
  expect((await stateOf(page, "audio")).currentTime).toBeLessThan(currentTime + 20);
  expect(renewed()).toBe(1);
  await sound.getByRole("button", { name: "Pause" }).click();
  await expect
    .poll(async () => (await placesOf(site.services, student.id, lessonIdOf(course))).audio)
    .toBeGreaterThanOrEqual(Math.floor(currentTime));
});

test("an address that ends without the page knowing is replaced after the error", async ({
  moved,
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 403: GET \/media\/course-audio\//);
  const { page, sound, renewed } = await listen(site, device);
  await sound.getByRole("combobox", { name: "Speed" }).selectOption("1.5×");
  // From the middle on it is loaded, and the beginning of it; what lies between is not.
  await sound.getByRole("slider", { name: "Position" }).press("End");
  await sound.getByRole("slider", { name: "Position" }).press("PageDown");
  await sound.getByRole("button", { name: "Play" }).click();
  await playsBeyond(page, "audio", 30.5);
  const { src } = await stateOf(page, "audio");
  moved.clock.forward(2 * hourMs);
  await sound.getByRole("button", { name: "Back 10 seconds" }).click();
  await expect.poll(async () => (await stateOf(page, "audio")).src).not.toBe(src);
  await playsBeyond(page, "audio", 21);
  const after = await stateOf(page, "audio");
  expect(after.currentTime).toBeLessThan(30);
  expect(after.playbackRate).toBe(1.5);
  expect(after.error).toBeNull();
  expect(renewed()).toBeGreaterThan(0);
});

test("after a few tries in vain it says so, and goes on when asked to", async ({
  moved,
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 403: GET \/media\/course-audio\//, /^failed: GET .*\/learn\/media\?/);
  const { course, student } = await createListener(site.services);
  const page = await device({ as: student });
  await openMedia(page, lessonPath(course), "audio");
  const sound = playerOf(page, "audio");
  const renewed = renewals(page);
  await page.route("**/learn/media?*", (route) => route.abort());
  moved.clock.forward(2 * hourMs);
  await sound.getByRole("slider", { name: "Position" }).press("End");
  await sound.getByRole("slider", { name: "Position" }).press("PageDown");
  // It waits between its tries.
  const given = sound.getByText("It stopped loading. Your place is kept.");
  await expect(given).toBeVisible({ timeout: 30_000 });
  expect(renewed()).toBe(3);
  await look(page, "playback-stopped", { widths: [320, 1280], night: true });
  await page.unroute("**/learn/media?*");
  await sound.getByRole("button", { name: "Try again" }).click();
  await expect(sound.getByText("1 minute")).toBeVisible();
  await expect.poll(async () => (await stateOf(page, "audio")).error).toBeNull();
  expect((await stateOf(page, "audio")).currentTime).toBe(30);
  await sound.getByRole("button", { name: "Play" }).click();
  await playsBeyond(page, "audio", 30.2);
});

test("somebody else's device went on meanwhile: the page follows when it is looked at again", async ({
  site,
  device,
}) => {
  const { course, student } = await createListener(site.services);
  const [laptop, phone] = [await device({ as: student }), await device({ as: student })];
  await laptop.clock.install();
  await openMedia(laptop, lessonPath(course), "audio");
  await openMedia(phone, lessonPath(course), "audio");
  await playerOf(phone, "audio").getByRole("slider", { name: "Position" }).press("PageUp");
  await expect
    .poll(() => placesOf(site.services, student.id, lessonIdOf(course)))
    .toEqual({ video: null, audio: 30 });
  await turnAway(laptop, true);
  await laptop.clock.fastForward(5 * 60_000);
  await turnAway(laptop, false);
  await expect(playerOf(laptop, "audio").getByText("Continues at 0:30")).toBeVisible();
  expect((await stateOf(laptop, "audio")).currentTime).toBe(30);
});

test("a file that the coach replaced begins at its beginning, and is said to be new", async ({
  moved,
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 403: GET \/media\/course-audio\//, /^answer 404: PUT .*\/position$/);
  const { course, student } = await createListener(site.services);
  const page = await device({ as: student });
  await openMedia(page, lessonPath(course), "audio");
  const sound = playerOf(page, "audio");
  const other = course.modules[0]?.lessons[1]?.id ?? "";
  const { audioKey } = await site.services.db.read
    .selectFrom("lessons")
    .select("audioKey")
    .where("id", "=", other)
    .executeTakeFirstOrThrow();
  await site.services.db.write
    .updateTable("lessons")
    .set({ audioKey })
    .where("id", "=", lessonIdOf(course))
    .execute();
  moved.clock.forward(2 * hourMs);
  await sound.getByRole("slider", { name: "Position" }).press("End");
  await sound.getByRole("slider", { name: "Position" }).press("PageDown");
  await expect(sound.getByText("This was replaced by a new one")).toBeVisible();
  expect((await stateOf(page, "audio")).currentTime).toBe(0);
  await sound.getByRole("button", { name: "Play" }).click();
  await playsBeyond(page, "audio", 0.3);
});

const lessonIdOf = (course: { modules: { lessons: { id: string }[] }[] }) =>
  course.modules[0]?.lessons[0]?.id ?? "";

/** Another tab comes to the front, or this one again; one that a test drives never goes to the back. */
function turnAway(page: Page, isAway: boolean): Promise<void> {
  return page.evaluate((hidden) => {
    Object.defineProperty(document, "visibilityState", {
      configurable: true,
      get: () => (hidden ? "hidden" : "visible"),
    });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isAway);
}
