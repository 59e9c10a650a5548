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

test("a second device goes on where the first one stopped, or from the beginning", async ({
  site,
  device,
}) => {
  const { course, student } = await createListener(site.services);
  const lessonId = course.modules[0]?.lessons[0]?.id ?? "";
  const places = () => placesOf(site.services, student.id, lessonId);
  const laptop = await device({ as: student });
  await openMedia(laptop, lessonPath(course), "audio");
  const sound = playerOf(laptop, "audio");
  await sound.getByRole("slider", { name: "Position" }).press("PageUp");
  await expect.poll(places).toEqual({ video: null, audio: 30 });
  await sound.getByRole("button", { name: "Play" }).click();
  await playsBeyond(laptop, "audio", 31.6);
  await sound.getByRole("button", { name: "Pause" }).click();
  await expect.poll(async () => (await places()).audio).toBeGreaterThan(31);

  const phone = await device({ as: student });
  await openMedia(phone, lessonPath(course), "audio");
  const onPhone = playerOf(phone, "audio");
  await expect(onPhone.getByText(/^Continues at 0:[345]\d$/)).toBeVisible();
  expect((await stateOf(phone, "audio")).currentTime).toBeGreaterThan(31);
  expect((await stateOf(phone, "audio")).paused).toBe(true);
  await look(phone, "playback-continued", { widths: [360] });
  await onPhone.getByRole("button", { name: "Start from the beginning" }).click();
  await expect.poll(async () => (await stateOf(phone, "audio")).currentTime).toBe(0);
  await expect.poll(places).toEqual({ video: null, audio: 0 });
  await expect(onPhone.getByText("1 minute")).toBeVisible();

  // The laptop, closed only now, has nothing new to say.
  await laptop.close();
  await phone.reload();
  await hydrated(phone);
  expect(await places()).toEqual({ video: null, audio: 0 });
  await onPhone.getByRole("slider", { name: "Position" }).press("End");
  await expect.poll(places).toEqual({ video: null, audio: 60 });
  await openMedia(phone, lessonPath(course), "audio");
  expect((await stateOf(phone, "audio")).currentTime).toBe(0);
  await expect(onPhone.getByText("1 minute")).toBeVisible();
});

test("what could not be sent is kept on the device, and sent when there is a connection", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^failed: PUT .*\/learn\/position net::ERR_INTERNET_DISCONNECTED$/);
  const { course, student } = await createListener(site.services);
  const lessonId = course.modules[0]?.lessons[0]?.id ?? "";
  const page = await device({ as: student });
  await openMedia(page, lessonPath(course), "video");
  await page.context().setOffline(true);
  const failed = page.waitForEvent("requestfailed", (one) => one.url().endsWith("/position"));
  await playerOf(page, "video").getByRole("slider", { name: "Position" }).press("PageUp");
  await failed;
  expect(await placesOf(site.services, student.id, lessonId)).toEqual({ video: null, audio: null });
  await page.context().setOffline(false);
  await expect
    .poll(() => placesOf(site.services, student.id, lessonId))
    .toEqual({ video: 30, audio: null });
});

test("from lesson to lesson each keeps its own place, and the lock screen lets go", async ({
  site,
  device,
}) => {
  const { course, student } = await createListener(site.services);
  const [first, second] = (course.modules[0]?.lessons ?? []).map(({ id }) => id) as [
    string,
    string,
  ];
  const page = await device({ as: student });
  await openMedia(page, lessonPath(course), "audio");
  const lockScreen = () =>
    page.evaluate(() => {
      const { metadata, playbackState } = navigator.mediaSession;
      return [metadata?.title, metadata?.artist, metadata?.album, playbackState];
    });
  await expect.poll(lockScreen).toEqual([undefined, undefined, undefined, "none"]);
  await playerOf(page, "audio").getByRole("button", { name: "Play" }).click();
  await playsBeyond(page, "audio", 2);
  await expect
    .poll(lockScreen)
    .toEqual(["The line of the water", "Blue Dot", "A course to listen to", "playing"]);
  await page.getByRole("link", { name: "Next Lesson" }).click();
  await expect(heading(page)).toHaveText("A longer breath");
  await expect.poll(lockScreen).toEqual([undefined, undefined, undefined, "none"]);
  await expect
    .poll(async () => (await placesOf(site.services, student.id, first)).audio)
    .toBeGreaterThanOrEqual(2);
  await expect(playerOf(page, "audio").getByRole("button", { name: "Play" })).toBeVisible();
  expect((await stateOf(page, "audio")).currentTime).toBe(0);
  await playerOf(page, "audio").getByRole("slider", { name: "Position" }).press("PageUp");
  await expect
    .poll(() => placesOf(site.services, student.id, second))
    .toEqual({ video: null, audio: 30 });
  expect((await placesOf(site.services, student.id, first)).audio).toBeLessThan(30);
});

test("an administrator who looks leaves no place behind", async ({ site, device }) => {
  const { course } = await createListener(site.services);
  const admin = await createPerson(site.services, { role: "admin" });
  const page = await device({ as: admin });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.method()));
  await openMedia(page, lessonPath(course), "video");
  await playerOf(page, "video").getByRole("slider", { name: "Position" }).press("PageUp");
  await expect.poll(async () => (await stateOf(page, "video")).currentTime).toBe(30);
  await page.getByRole("link", { name: "Next Lesson" }).click();
  await expect(heading(page)).toHaveText("A longer breath");
  // Leaving is the last occasion.
  await page.goto("/courses");
  expect(asked).not.toContain("PUT");
});
