import type { Page } from "@playwright/test";
import { aHair, openCalmly } from "./support/calm.ts";
import { expectVisibleFocus } from "./support/keyboard.ts";
import {
  createListener,
  lessonPath,
  openMedia,
  playerOf,
  playsBeyond,
  stateOf,
} from "./support/playback.ts";
import { blueDot, heading, hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

test("a lesson with film and sound, its captions and transcripts, at every width and at night", async ({
  site,
  device,
}) => {
  const { course, student } = await createListener(site.services);
  const page = await device({ as: student });
  await openMedia(page, lessonPath(course), "video");
  await expect(page.getByRole("heading", { name: "Audio Lesson" })).toBeVisible();
  await expect(playerOf(page, "video").getByText("1 minute")).toBeVisible();
  await look(page, "playback", { widths: [320, 360, 1280], night: true });
  await playerOf(page, "video").getByRole("button", { name: "Captions" }).click();
  for (const summary of await page.getByText("Transcript", { exact: false }).all())
    if (await summary.isVisible()) await summary.click();
  await expect(page.getByText("You do not have to go there.").first()).toBeVisible();
  await playerOf(page, "video").getByRole("button", { name: "Play" }).click();
  await playsBeyond(page, "video", 1);
  await playerOf(page, "video").getByRole("button", { name: "Pause" }).click();
  await look(page, "playback-open", { widths: [320, 360, 1280], night: true });
});

test("the sample's film plays too", async ({ site, device }) => {
  const page = await device({ as: await createStudent(site.services) });
  await openMedia(page, blueDot, "video");
  await look(page, "playback-sample", { night: true });
});

test("with the keyboard alone; speed and captions are remembered for every lesson", async ({
  site,
  device,
}) => {
  const { course, student } = await createListener(site.services);
  const page = await device({ as: student });
  await openMedia(page, lessonPath(course), "video");
  const video = playerOf(page, "video");
  const tab = async (name: string, role: "button" | "slider" | "combobox" = "button") => {
    await page.keyboard.press("Tab");
    await expect(video.getByRole(role, { name })).toBeFocused();
    await expectVisibleFocus(page);
  };
  await heading(page).focus();
  await tab("Position", "slider");
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press("ArrowRight");
  await expect.poll(async () => (await stateOf(page, "video")).currentTime).toBe(15);
  await expect(video.getByRole("slider", { name: "Position" })).toHaveAttribute(
    "aria-valuetext",
    "0:15 of 1:00",
  );
  await tab("Back 10 seconds");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await stateOf(page, "video")).currentTime).toBe(5);
  await tab("Play");
  await page.keyboard.press("Space");
  await playsBeyond(page, "video", 5.5);
  await page.keyboard.press("Space");
  await expect.poll(async () => (await stateOf(page, "video")).paused).toBe(true);
  await tab("Forward 10 seconds");
  await page.keyboard.press("Enter");
  await expect
    .poll(async () => (await stateOf(page, "video")).currentTime)
    .toBeGreaterThanOrEqual(15);
  await tab("Mute");
  await page.keyboard.press("Enter");
  await expect(video.getByRole("button", { name: "Mute", pressed: true })).toBeVisible();
  await tab("Volume", "slider");
  await page.keyboard.press("ArrowUp");
  await expect(video.getByRole("button", { name: "Mute", pressed: false })).toBeVisible();
  await tab("Speed", "combobox");
  await video.getByRole("combobox", { name: "Speed" }).selectOption("1.5×");
  await expect.poll(async () => (await stateOf(page, "video")).playbackRate).toBe(1.5);
  await tab("Captions");
  await page.keyboard.press("Enter");
  await expect(video.getByRole("button", { name: "Captions", pressed: true })).toBeVisible();
  await tab("Picture-in-picture");
  await tab("Full screen");
  await page.keyboard.press("Enter");
  await expect(video.getByRole("button", { name: "Full screen", pressed: true })).toBeVisible();
  await expect.poll(() => roomBelowPicture(page)).toBeGreaterThanOrEqual(0);
  await page.screenshot({ path: "tests/e2e/screens/playback-full-screen.png" });
  await page.keyboard.press("Enter");
  await expect(video.getByRole("button", { name: "Full screen", pressed: false })).toBeVisible();

  await page.getByRole("link", { name: "Next Lesson" }).click();
  await expect(heading(page)).toHaveText("A longer breath");
  await expect(playerOf(page, "audio").getByRole("combobox", { name: "Speed" })).toHaveValue("1.5");
  await openMedia(page, lessonPath(course), "video");
  expect((await stateOf(page, "video")).playbackRate).toBe(1.5);
  await expect(video.getByRole("button", { name: "Captions", pressed: true })).toBeVisible();
  const cue = page.locator("video").evaluate(async (element) => {
    const [track] = (element as HTMLVideoElement).textTracks;
    return [track?.mode, track?.label, track?.language].join(" ");
  });
  expect(await cue).toBe("showing English en");
  await expect
    .poll(() =>
      page
        .locator("video")
        .evaluate((element) => (element as HTMLVideoElement).textTracks[0]?.cues?.length ?? 0),
    )
    .toBe(1);
});

test("nothing moves when the controls come, and two never speak at once", async ({
  site,
  device,
}) => {
  const { course, student } = await createListener(site.services);
  const page = await device({ as: student, viewport: { width: 360, height: 740 } });
  const moved = await openCalmly(page, lessonPath(course));
  await hydrated(page);
  await expect(playerOf(page, "audio").getByRole("button", { name: "Play" })).toBeVisible();
  expect(await moved()).toBeLessThan(aHair);
  await playerOf(page, "video").getByRole("button", { name: "Play" }).click();
  await playsBeyond(page, "video", 0.2);
  await playerOf(page, "audio").getByRole("button", { name: "Play" }).click();
  await playsBeyond(page, "audio", 0.2);
  expect((await stateOf(page, "video")).paused).toBe(true);
});

test("without scripts the browser's own controls play, from where it was left", async ({
  site,
  device,
}) => {
  const { course, student } = await createListener(site.services);
  const seat = { userId: student.id, lessonId: course.modules[0]?.lessons[0]?.id ?? "" };
  const { muxPlaybackId: key } = await site.services.db.read
    .selectFrom("lessons")
    .select("muxPlaybackId")
    .where("id", "=", seat.lessonId)
    .executeTakeFirstOrThrow();
  await site.services.db.write
    .insertInto("playbackPositions")
    .values({ ...seat, kind: "video", key: key ?? "", positionMs: 20_000, updatedAt: new Date() })
    .execute();
  const page = await device({ as: student, javaScriptEnabled: false });
  await page.goto(lessonPath(course));
  await expect(page.locator("video")).toHaveAttribute("controls", "");
  await expect(page.locator("audio")).toHaveAttribute("controls", "");
  await expect(page.locator("video")).toHaveAttribute("src", /#t=20$/);
  await expect(playerOf(page, "video").getByText("Continues at 0:20")).toBeVisible();
  await expect(page.getByText("Start from the beginning")).toBeHidden();
  await look(page, "playback-no-scripts", { axe: false });
});

test("if the controls cannot come, the browser's own stay", async ({ site, device, watch }) => {
  watch.expect(/^failed: GET .*\/media-controls-.*\.js/);
  const { course, student } = await createListener(site.services);
  const page = await device({ as: student });
  await page.route("**/assets/media-controls-*.js", (route) => route.abort());
  await page.goto(lessonPath(course));
  await hydrated(page);
  await expect(page.locator(".player-controls")).toHaveCount(0);
  expect((await stateOf(page, "video")).controls).toBe(true);
  await look(page, "playback-native", { axe: false });
});

/** From the end of the picture, where captions stand, to the controls, in pixels. */
const roomBelowPicture = (page: Page) =>
  page.locator(".player-video:fullscreen").evaluate((frame) => {
    const [picture, controls] = ["video", ".player-controls"].map((part) =>
      frame.querySelector(part)?.getBoundingClientRect(),
    );
    return (controls?.top ?? 0) - (picture?.bottom ?? Number.POSITIVE_INFINITY);
  });
