import type { Page, Route } from "@playwright/test";
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
import { openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import type { RunningSite } from "./support/site.ts";
import { test as base, expect } from "./support/test.ts";

/**
 * The site in this process, on a real port, with a clock that can be moved: URLs expire by the
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
const unreachable = ["**/media/course-audio/**", "**/learn/media?*"];

test("playback goes on beyond the expiry of its URL, after sleep, errors and a replaced file", async ({
  moved,
  site,
  device,
  watch,
}) => {
  watch.expect(
    /^answer 403: GET \/media\/course-audio\//,
    /^failed: GET .*\/learn\/media\?/,
    /^failed: (GET|HEAD) \/media\/course-audio\//,
  );
  const { course, student } = await createListener(site.services);
  const [first = "", second = ""] = course.modules[0]?.lessons.map(({ id }) => id) ?? [];
  const saved = async () => (await placesOf(site.services, student.id, first)).audio;
  const page = await device({ as: student });
  await page.clock.install();
  let renewed = 0;
  page.on("request", (request) => {
    if (request.url().includes("/learn/media?")) renewed += 1;
  });
  const audio = playerOf(page, "audio");
  const slider = audio.getByRole("slider", { name: "Position" });
  const press = (name: string) => audio.getByRole("button", { name }).click();
  const state = () => stateOf(page, "audio");
  const bothClocks = async (ms: number) => {
    moved.clock.forward(ms);
    await page.clock.fastForward(ms);
  };

  /** Opens the lesson where neither its file nor another URL can be had, until the page gives up. */
  const openStopped = async () => {
    for (const address of unreachable) await page.route(address, (route) => route.abort());
    await openHydrated(page, lessonPath(course));
    await expect(async () => {
      await page.clock.fastForward(1000);
      await expect(audio.getByText("It stopped loading. Your place is kept.")).toBeVisible({
        timeout: 200,
      });
    }).toPass();
  };
  const goOn = async () => {
    for (const address of unreachable) await page.unroute(address);
  };

  await test.step("the next URL is fetched before the expiry, and used with the next seek", async () => {
    await openMedia(page, lessonPath(course), "audio");
    await audio.getByRole("combobox", { name: "Speed" }).selectOption("1.25×");
    await press("Play");
    await playsBeyond(page, "audio", 0.5);
    const { src } = await state();
    expect(renewed).toBe(0);
    // A player whose buffer ran empty, as on a busy machine, uses it already.
    const waits = await page.evaluateHandle(() => {
      const seen: Event[] = [];
      document.querySelector("audio")?.addEventListener("waiting", (event) => seen.push(event));
      return seen;
    });
    await bothClocks(hourMs - 4 * 60_000);
    await expect.poll(() => renewed).toBe(1);
    await playsBeyond(page, "audio", (await state()).currentTime + 0.5);
    const hasWaited = await waits.evaluate((seen) => seen.length > 0);
    expect(hasWaited || (await state()).src === src).toBe(true);
    const fresh = page.waitForResponse(
      (response) => response.url().includes("/media/course-audio/") && response.status() === 206,
    );
    await slider.press("PageUp");
    expect((await fresh).url()).not.toBe(src);
    await playsBeyond(page, "audio", 31);
    const after = await state();
    expect(after.src).not.toBe(src);
    expect(after.playbackRate).toBe(1.25);
    expect(renewed).toBe(1);
  });

  await test.step("after two hours of sleep it continues where it was", async () => {
    await press("Pause");
    await expect.poll(async () => (await state()).paused).toBe(true);
    const { src, currentTime } = await state();
    await bothClocks(2 * hourMs);
    expect((await state()).src).toBe(src);
    await press("Play");
    await expect.poll(async () => (await state()).src).not.toBe(src);
    await playsBeyond(page, "audio", currentTime + 0.3);
    expect((await state()).currentTime).toBeLessThan(currentTime + 20);
    expect(renewed).toBe(2);
    await press("Pause");
    await expect.poll(saved).toBeGreaterThanOrEqual(Math.floor(currentTime));
  });

  await test.step("a URL that expired unknown to the page is replaced after the error", async () => {
    const release = await loadOnlyHalf(page);
    await openMedia(page, lessonPath(course), "audio");
    await slider.press("End");
    await slider.press("PageDown");
    await press("Play");
    await playsBeyond(page, "audio", 30.5);
    const { src } = await state();
    moved.clock.forward(2 * hourMs);
    await release();
    await press("Back 10 seconds");
    await expect.poll(async () => (await state()).src).not.toBe(src);
    await playsBeyond(page, "audio", 21);
    const after = await state();
    expect(after.currentTime).toBeLessThan(30);
    expect([after.playbackRate, after.error]).toEqual([1.25, null]);
    await press("Pause");
  });

  await test.step("after three tries it stops and says so; 'Try again' continues", async () => {
    await expect.poll(saved).toBeLessThan(30);
    const from = (await saved()) ?? 0;
    renewed = 0;
    await openStopped();
    expect(renewed).toBe(3);
    await look(page, "playback-stopped", { widths: [320] });
    await goOn();
    await press("Try again");
    await expect(audio.getByText("Length 1:00")).toBeVisible();
    await expect.poll(async () => (await state()).error).toBeNull();
    expect(Math.round((await state()).currentTime)).toBe(from);
    await press("Play");
    await playsBeyond(page, "audio", from + 0.7);
    await press("Pause");
  });

  await test.step("a page that is looked at again follows another device", async () => {
    const phone = await device({ as: student });
    await openMedia(page, lessonPath(course), "audio");
    await openMedia(phone, lessonPath(course), "audio");
    await playerOf(phone, "audio").getByRole("slider", { name: "Position" }).press("PageDown");
    await expect.poll(saved).toBeLessThan(5);
    await playerOf(phone, "audio").getByRole("slider", { name: "Position" }).press("ArrowRight");
    await expect.poll(saved).toBeGreaterThanOrEqual(5);
    await turnAway(page, true);
    await page.clock.fastForward(5 * 60_000);
    await turnAway(page, false);
    await expect(audio.getByText(/^Continues at 0:0[5-9]$/)).toBeVisible();
    expect((await state()).currentTime).toBeLessThan(10);
  });

  await test.step("a file that was replaced starts at its beginning, and is said to be new", async () => {
    await openStopped();
    const { audioKey } = await site.services.db.read
      .selectFrom("lessons")
      .select("audioKey")
      .where("id", "=", second)
      .executeTakeFirstOrThrow();
    const lesson = site.services.db.write.updateTable("lessons").where("id", "=", first);
    await lesson.set({ audioKey }).execute();
    await goOn();
    await press("Try again");
    await expect(audio.getByText("This was replaced by a new one")).toBeVisible();
    expect((await state()).currentTime).toBe(0);
    await press("Play");
    await playsBeyond(page, "audio", 0.3);
  });
});

/**
 * Loads ten seconds of the sound and what comes after the 29th: a quick line has all of it before
 * somebody seeks. @returns what lets the rest be loaded
 */
async function loadOnlyHalf(page: Page): Promise<() => Promise<void>> {
  const address = "**/media/course-audio/**";
  const bytesPerSecond = 44_100 * 4;
  const held: Route[] = [];
  await page.route(address, async (route) => {
    const headers = route.request().headers();
    const from = Number(/^bytes=(\d+)-/.exec(headers.range ?? "")?.[1] ?? 0);
    if (from >= 29 * bytesPerSecond) return route.continue();
    if (from > 0) return void held.push(route);
    return route.continue({ headers: { ...headers, range: `bytes=0-${10 * bytesPerSecond - 1}` } });
  });
  return async () => {
    await page.unroute(address);
    // The browser has given some of them up.
    for (const route of held) await route.continue().catch(() => {});
  };
}

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
