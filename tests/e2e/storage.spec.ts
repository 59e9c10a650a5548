import { type S3Server, startS3 } from "../support/s3.ts";
import { createStudent } from "./support/students.ts";
import { test as base, expect } from "./support/test.ts";

const test = base.extend<{ s3: S3Server }>({
  // biome-ignore lint/correctness/noEmptyPattern: the first argument names what it needs
  s3: async ({}, use) => {
    const s3 = await startS3();
    await use(s3);
    await s3.close();
  },
  settings: async ({ s3 }, use) => use(s3.env),
});

test("a lesson's video and audio play from the store that they are in", async ({
  site,
  s3,
  watch,
  device,
}) => {
  watch.expect(new RegExp(`^another host: ${s3.url}/test-course-`));
  const student = await createStudent(site.services, { days: 40 });
  const { db } = site.services;
  await db.write
    .updateTable("lessons")
    .set({ audioKey: "samples/breathing.m4a", muxPlaybackId: "samples/horizon.mp4" })
    .execute();
  const page = await device({ as: student });
  await page.goto("/courses/blue-dot-method/learn");
  for (const [kind, seconds] of [
    ["video", 60],
    ["audio", 90],
  ] as const) {
    const player = page.locator(kind);
    await expect(player).toHaveAttribute("src", new RegExp(`^${s3.url}/test-course-${kind}`));
    await expect
      .poll(() => player.evaluate((media: HTMLMediaElement) => Math.round(media.duration)))
      .toBe(seconds);
    // From the middle: the store is asked for a piece.
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
