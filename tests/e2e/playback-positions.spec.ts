import type { Page } from "@playwright/test";
import { createPerson } from "../support/people.ts";
import {
  createListener,
  lessonPath,
  openMedia,
  placesOf,
  playerOf,
  playsBeyond,
  stateOf,
} from "./support/playback.ts";
import { heading, hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

test("playback continues on another device and offline, for each lesson by itself", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^failed: PUT .*\/learn\/position net::ERR_INTERNET_DISCONNECTED$/);
  const { course, student } = await createListener(site.services);
  const [first = "", second = ""] = course.modules[0]?.lessons.map(({ id }) => id) ?? [];
  const positions = (lessonId = first) => placesOf(site.services, student.id, lessonId);
  const laptop = await device({ as: student });
  const phone = await device({ as: student, viewport: { width: 360, height: 740 } });
  const onPhone = playerOf(phone, "audio");
  const slider = (page: Page) => playerOf(page, "audio").getByRole("slider", { name: "Position" });

  await test.step("the lock screen shows what plays on the laptop", async () => {
    await openMedia(laptop, lessonPath(course), "audio");
    expect(await lockScreen(laptop)).toEqual([undefined, undefined, undefined, "none"]);
    await slider(laptop).press("PageUp");
    await expect.poll(positions).toEqual({ video: null, audio: 30 });
    await playerOf(laptop, "audio").getByRole("button", { name: "Play" }).click();
    await playsBeyond(laptop, "audio", 31.6);
    expect(await lockScreen(laptop)).toEqual([
      "The line of the water",
      "Blue Dot",
      "A course to listen to",
      "playing",
    ]);
    await playerOf(laptop, "audio").getByRole("button", { name: "Pause" }).click();
    await expect.poll(async () => (await positions()).audio).toBeGreaterThan(31);
  });

  await test.step("the phone continues, or starts from the beginning", async () => {
    await openMedia(phone, lessonPath(course), "audio");
    await expect(onPhone.getByText(/^Continues at 0:[345]\d$/)).toBeVisible();
    const { currentTime, paused } = await stateOf(phone, "audio");
    expect([currentTime > 31, paused]).toEqual([true, true]);
    await look(phone, "playback-continued", { widths: [360] });
    await onPhone.getByRole("button", { name: "Start from the beginning" }).click();
    await expect.poll(positions).toEqual({ video: null, audio: 0 });
    await expect(onPhone.getByText("Length 1:00")).toBeVisible();
  });

  await test.step("the next lesson has its own position, and the lock screen is cleared", async () => {
    await laptop.getByRole("link", { name: "Next Lesson" }).click();
    await expect(heading(laptop)).toHaveText("A longer breath");
    await expect.poll(() => lockScreen(laptop)).toEqual([undefined, undefined, undefined, "none"]);
    await expect(playerOf(laptop, "audio").getByRole("button", { name: "Play" })).toBeVisible();
    expect((await stateOf(laptop, "audio")).currentTime).toBe(0);
    await slider(laptop).press("PageUp");
    await expect.poll(() => positions(second)).toEqual({ video: null, audio: 30 });
  });

  await test.step("the laptop, which had nothing new, has not changed the first lesson's", async () => {
    await laptop.close();
    await phone.reload();
    await hydrated(phone);
    expect(await positions()).toEqual({ video: null, audio: 0 });
    await expect(onPhone.getByRole("button", { name: "Play" })).toBeVisible();
  });

  await test.step("offline, a position waits on the device", async () => {
    await phone.context().setOffline(true);
    const failed = phone.waitForEvent("requestfailed", (one) => one.url().endsWith("/position"));
    await slider(phone).press("End");
    await failed;
    expect(await positions()).toEqual({ video: null, audio: 0 });
    await phone.context().setOffline(false);
    await expect.poll(positions).toEqual({ video: null, audio: 60 });
  });

  await test.step("what was played to its end starts over", async () => {
    await openMedia(phone, lessonPath(course), "audio");
    expect((await stateOf(phone, "audio")).currentTime).toBe(0);
    await expect(onPhone.getByText("Length 1:00")).toBeVisible();
  });

  await test.step("an admin who looks leaves no position", async () => {
    const page = await device({ as: await createPerson(site.services, { role: "admin" }) });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.method()));
    await openMedia(page, lessonPath(course), "audio");
    await slider(page).press("PageUp");
    await expect.poll(async () => (await stateOf(page, "audio")).currentTime).toBe(30);
    await page.goto("/courses");
    expect(asked).not.toContain("PUT");
  });
});

const lockScreen = (page: Page) =>
  page.evaluate(() => {
    const { metadata, playbackState } = navigator.mediaSession;
    return [metadata?.title, metadata?.artist, metadata?.album, playbackState];
  });
