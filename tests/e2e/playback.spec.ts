import path from "node:path";
import type { Page } from "@playwright/test";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { playbackStops } from "~/features/player/messages.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import type { Bucket } from "~/platform/storage/storage.ts";
import { createCourse } from "../support/courses.ts";
import { createPerson } from "../support/people.ts";
import { startS3 } from "../support/s3.ts";
import { expectVisibleFocus } from "./support/keyboard.ts";
import {
  createListener,
  lessonPath,
  openMedia,
  playerOf,
  playsBeyond,
  stateOf,
} from "./support/playback.ts";
import { blueDot, heading, hydrated, openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { aHair, openCalmly } from "./support/steady-page.ts";
import { createStudent } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

test("a lesson's video and audio play by mouse and keyboard, with captions and transcripts", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^failed: GET .*\/media-controls-.*\.js/);
  const { course, student } = await createListener(site.services);
  const page = await device({ as: student });
  const video = playerOf(page, "video");
  const audio = playerOf(page, "audio");

  await test.step("nothing moves when the controls appear, and one plays at a time", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    const moved = await openCalmly(page, lessonPath(course));
    await hydrated(page);
    await expect(audio.getByRole("button", { name: "Play" })).toBeVisible();
    expect(await moved()).toBeLessThan(aHair);
    await expect(video.getByText("Length 1:00")).toBeVisible();
    await video.getByRole("button", { name: "Play" }).click();
    await playsBeyond(page, "video", 0.2);
    await audio.getByRole("button", { name: "Play" }).click();
    await playsBeyond(page, "audio", 0.2);
    expect((await stateOf(page, "video")).paused).toBe(true);
  });

  await test.step("every control works by keyboard", () => useEveryControl(page));

  await test.step("speed and captions are remembered for every lesson", async () => {
    await page.getByRole("link", { name: "Next Lesson" }).click();
    await expect(heading(page)).toHaveText("A longer breath");
    await expect(audio.getByRole("combobox", { name: "Speed" })).toHaveValue("1.5");
    await openMedia(page, lessonPath(course), "video");
    expect((await stateOf(page, "video")).playbackRate).toBe(1.5);
    await expect(video.getByRole("button", { name: "Captions", pressed: true })).toBeVisible();
    const track = () =>
      page.locator("video").evaluate((element) => {
        const [first] = (element as HTMLVideoElement).textTracks;
        return [first?.mode, first?.label, first?.language, first?.cues?.length].join(" ");
      });
    await expect.poll(track).toBe("showing English en 1");
  });

  await test.step("transcripts open below", async () => {
    for (const summary of await page.locator("summary", { hasText: "Transcript" }).all())
      await summary.click();
    await expect(page.getByText("You do not have to go there.").first()).toBeVisible();
    await look(page, "playback-open", { widths: [320, 1280], night: true });
  });

  await test.step("the browser's own controls stay where ours cannot load", async () => {
    await page.route("**/assets/media-controls-*.js", (route) => route.abort());
    await openHydrated(page, lessonPath(course));
    await expect(page.locator(".player-controls")).toHaveCount(0);
    expect((await stateOf(page, "video")).controls).toBe(true);
  });
});

async function useEveryControl(page: Page) {
  const video = playerOf(page, "video");
  const at = async () => (await stateOf(page, "video")).currentTime;
  const tab = async (name: string, role: "button" | "slider" | "combobox" = "button") => {
    await page.keyboard.press("Tab");
    await expect(video.getByRole(role, { name })).toBeFocused();
    await expectVisibleFocus(page);
  };
  const pressed = (name: string, isOn: boolean) =>
    expect(video.getByRole("button", { name, pressed: isOn })).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });
  await heading(page).focus();
  await tab("Position", "slider");
  await page.keyboard.press("Home");
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press("ArrowRight");
  await expect.poll(at).toBe(15);
  await expect(video.getByRole("slider", { name: "Position" })).toHaveAttribute(
    "aria-valuetext",
    "0:15 of 1:00",
  );
  await tab("Back 10 seconds");
  await page.keyboard.press("Enter");
  await expect.poll(at).toBe(5);
  await tab("Play");
  await page.keyboard.press("Space");
  await playsBeyond(page, "video", 5.5);
  await page.keyboard.press("Space");
  await expect.poll(async () => (await stateOf(page, "video")).paused).toBe(true);
  await tab("Forward 10 seconds");
  await page.keyboard.press("Enter");
  await expect.poll(at).toBeGreaterThanOrEqual(15);
  await tab("Mute");
  await page.keyboard.press("Enter");
  await pressed("Mute", true);
  await tab("Volume", "slider");
  await page.keyboard.press("ArrowUp");
  await pressed("Mute", false);
  await tab("Speed", "combobox");
  // Safari on a phone zooms into what is smaller.
  await expect(video.getByRole("combobox", { name: "Speed" })).toHaveCSS("font-size", "16px");
  await video.getByRole("combobox", { name: "Speed" }).selectOption("1.5×");
  await expect.poll(async () => (await stateOf(page, "video")).playbackRate).toBe(1.5);
  await tab("Captions");
  await page.keyboard.press("Enter");
  await pressed("Captions", true);
  await tab("Picture-in-picture");
  await tab("Full screen");
  await page.keyboard.press("Enter");
  await pressed("Full screen", true);
  await expect.poll(() => roomBelowPicture(page)).toBeGreaterThanOrEqual(0);
  await page.screenshot({ path: "tests/e2e/screens/playback-full-screen.png" });
  await page.keyboard.press("Enter");
  await pressed("Full screen", false);
}

/** From the end of the picture, where captions stand, to the controls, in pixels. */
const roomBelowPicture = (page: Page) =>
  page.locator(".player-video:fullscreen").evaluate((frame) => {
    const [picture, controls] = ["video", ".player-controls"].map((part) =>
      frame.querySelector(part)?.getBoundingClientRect(),
    );
    return (controls?.top ?? 0) - (picture?.bottom ?? Number.POSITIVE_INFINITY);
  });

test("the sample's video plays", async ({ site, device }) => {
  const page = await device({ as: await createStudent(site.services) });
  await openMedia(page, blueDot, "video");
  await look(page, "playback-sample", { widths: [360] });
});

test("a browser that cannot decode a file says so, and what helps", async ({ site, device }) => {
  const course = await createCourse(site.services, [
    [
      {
        muxPlaybackId: await stored(site.services, "course-videos", "hevc.mp4"),
        audioKey: await stored(site.services, "course-audio", "alac.m4a"),
      },
      { muxPlaybackId: await stored(site.services, "course-videos", "hevc-with-sound.mp4") },
    ],
  ]);
  const student = await createPerson(site.services);
  await enroll(site.services, { userId: student.id, productId: course.id });
  const page = await device({ as: student });
  await page.clock.install();
  await openHydrated(page, lessonPath(course));
  for (const kind of ["video", "audio"] as const)
    await expect(async () => {
      await page.clock.fastForward(1000);
      await expect(playerOf(page, kind).getByText(playbackStops.unplayable)).toBeVisible({
        timeout: 200,
      });
    }).toPass();
  await look(page, "playback-unplayable", { widths: [360, 1280], night: true });
  await openMedia(page, lessonPath(course, 2), "video");
  const film = playerOf(page, "video");
  await expect(film.getByText(playbackStops.noPicture)).toBeVisible();
  await film.getByRole("button", { name: "Play" }).click();
  await playsBeyond(page, "video", 0.2);
  await expect(film.getByText(playbackStops.noPicture)).toBeVisible();
});

/** A sample file as a lesson's media. @returns its key */
async function stored(services: Services, bucket: Bucket, name: string): Promise<string> {
  const key = `${newId()}/1-${name}`;
  await services.storage.putFile(bucket, key, path.join("tests/support/media", name));
  return key;
}

test.describe("with an S3 store", () => {
  test.use({
    siteKind: "own",
    // biome-ignore lint/correctness/noEmptyPattern: the first argument names what it needs
    settings: async ({}, use) => {
      const s3 = await startS3();
      await use(s3.env);
      await s3.close();
    },
  });

  test("video and audio play from there", async ({ site, settings, watch, device }) => {
    const storeUrl = settings.S3_ENDPOINT;
    watch.expect(new RegExp(`^another host: ${storeUrl}/test-course-`));
    const student = await createStudent(site.services, { days: 40 });
    await site.services.db.write
      .updateTable("lessons")
      .set({ audioKey: "samples/breathing.m4a", muxPlaybackId: "samples/horizon.mp4" })
      .execute();
    const page = await device({ as: student });
    await page.goto(blueDot);
    for (const [kind, seconds] of [
      ["video", 60],
      ["audio", 90],
    ] as const) {
      const player = page.locator(kind);
      await expect(player).toHaveAttribute("src", new RegExp(`^${storeUrl}/test-course-${kind}`));
      await expect
        .poll(() => player.evaluate((media: HTMLMediaElement) => Math.round(media.duration)))
        .toBe(seconds);
      // From the middle: the store is asked for a range.
      const reached = await player.evaluate(async (media: HTMLMediaElement, middle) => {
        media.muted = true;
        media.currentTime = middle;
        await media.play();
        await new Promise((resolve) => media.addEventListener("timeupdate", resolve));
        media.pause();
        return media.currentTime;
      }, seconds / 2);
      expect(reached).toBeGreaterThanOrEqual(seconds / 2);
    }
  });
});
